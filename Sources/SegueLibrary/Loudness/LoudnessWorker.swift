// On the thread "loudness" only. Foreign bytes are on the other side of the socket: every packet is checked.

internal import Glibc
internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// The `segue-worker` that measures, at the lowest priority. Letting go of it ends it.
final class LoudnessWorker {
  enum Answer {
    case gain(ReplayGain)
    case failed(Failure)
    /// The worker has ended, or was ended, at this track.
    case died(Failure)
    case closed
  }

  private let child: LibraryWorkerProcess
  private let wake: EventCounter
  private var lastTicket: UInt32 = 0

  private static let niceness: Int32 = 19
  /// Beside the time in which even a slow machine decodes, a quarter of the track's.
  private static let patience = MediaTime.seconds(60)
  /// Where nobody knows how long it is, or a header states what nobody records.
  private static let longest = MediaTime.seconds(36_000)

  init(_ program: FilePath, _ wake: EventCounter) throws(SystemError) {
    child = try LibraryWorkerProcess(program, niceness: Self.niceness)
    self.wake = wake
  }

  /// Waits until all of it is decoded, or `wake` is raised and `isClosed` holds.
  func measure(_ track: UnmeasuredTrack, isFirst: Bool, isClosed: () -> Bool) -> Answer {
    lastTicket &+= 1
    let source = MediaSource(
      name: String(decoding: track.path.lastComponent, as: UTF8.self), rangeStart: track.range?.startTime ?? .zero,
      rangeEnd: track.range?.endTime)
    do {
      let file = try RegularFile.open(track.path)
      let order = WorkerCommand.measure(ticket: lastTicket, source, isFirst: isFirst)
      guard (try? child.send(order, descriptors: [file.raw])) != nil else {
        return .died(Failure(.unplayable, "the decoder takes no orders"))
      }
    } catch {
      return .failed(Failure(error, track.path))
    }
    let length = min(track.duration ?? Self.longest, Self.longest)
    let deadline = MonotonicTime.now + Self.patience + length / 4
    while true {
      if isClosed() { return .closed }
      if let answer = hear() { return answer }
      let left = (deadline - .now).nanoseconds
      guard left > 0 else { return .died(Failure(.timeout, "it took too long")) }
      var waiting = [
        pollfd(fd: child.raw, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wake.raw, events: Int16(POLLIN), revents: 0),
      ]
      poll(&waiting, 2, Int32(clamping: (left + 999_999) / 1_000_000))
      if waiting[1].revents != 0 { wake.clear() }
    }
  }

  /// nil while there is nothing to hear.
  private func hear() -> Answer? {
    let strange = Failure(.unplayable, "the decoder said something else than it was asked")
    do {
      guard let packet = try child.receive() else {
        return .died(Failure(.unplayable, child.end().map { "the decoder \($0)" } ?? "the decoder is gone"))
      }
      guard let report = WorkerEvent(packet) else { return .died(strange) }
      switch report {
      case .ready: return nil
      case .measured(lastTicket, let gain): return .gain(gain)
      case .failedProbe(lastTicket, let failure): return .failed(failure)
      default: return .died(strange)
      }
    } catch {
      return error.code == EAGAIN ? nil : .died(Failure(.unplayable, "\(error)"))
    }
  }
}
