// On the thread "scan" only, which waits for it: a few milliseconds as a rule.

internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// The `segue-worker` that makes sort keys. Letting go of it ends it.
final class SortKeyWorker {
  typealias Answer = (keys: [[UInt8]], collation: String)

  private let child: LibraryWorkerProcess
  private var lastTicket: UInt32 = 0

  /// It may have to come up first, where the disk is slow.
  private static let patience = MediaTime.seconds(5)

  init(_ child: LibraryWorkerProcess) { self.child = child }

  /// A key for each of `texts` (`WorkerCommand.maximumCollationTexts` at most), and what their order is called; nil if it fails.
  func keys(of texts: [CollationInput]) -> Answer? {
    lastTicket &+= 1
    let ticket = lastTicket
    return child.ask(.collate(ticket: ticket, texts), patience: Self.patience) { report in
      guard case .collated(ticket, let keys, let collation) = report, keys.count == texts.count else { return nil }
      return (keys, collation)
    }
  }
}
