// On the thread "scan" only, which waits for it: a few milliseconds as a rule.

internal import Glibc
internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// The `segue-worker` that makes sort keys. Letting go of it ends it.
final class SortWorker {
  typealias Answer = (keys: [[UInt8]], collation: String)

  private let child: WorkerChild
  private var lastTicket: UInt32 = 0

  /// It may have to come up first, where the disk is slow.
  private static let patience = MediaTime(seconds: 5)

  init(_ child: WorkerChild) { self.child = child }

  /// A key for each of `texts` (`WorkerOrder.mostCollated` at most), and what their order is called; nil if it fails.
  func keys(of texts: [SortText]) -> Answer? {
    lastTicket &+= 1
    guard (try? child.send(WorkerOrder.collate(ticket: lastTicket, texts))) != nil else { return nil }
    let deadline = MonotonicTime.now + Self.patience
    while true {
      switch hear() {
      case .answer(let answer): return answer.keys.count == texts.count ? answer : nil
      case .over: return nil
      case .nothing: break
      }
      let left = (deadline - .now).nanoseconds
      guard left > 0 else { return nil }
      var waiting = pollfd(fd: child.raw, events: Int16(POLLIN), revents: 0)
      poll(&waiting, 1, Int32(clamping: (left + 999_999) / 1_000_000))
    }
  }

  private enum News {
    case answer(Answer)
    case over, nothing
  }

  private func hear() -> News {
    do {
      guard let packet = try child.receive() else { return .over }
      switch WorkerReport(packet) {
      case .ready: return .nothing
      case .collated(lastTicket, let keys, let collation): return .answer((keys, collation))
      default: return .over
      }
    } catch {
      return error.code == EAGAIN ? .nothing : .over
    }
  }
}
