// Thread: "loudness". The worker reads untrusted files, so every packet from it is checked.

internal import Glibc
internal import SegueFiles
internal import SegueLibrary
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A `segue-worker` process that measures loudness, at the lowest priority. Releasing it ends the process.
final class LoudnessWorker {
  enum Outcome {
    case gain(ReplayGain)
    case failed(Failure)
    /// The worker has ended, or cannot be used any more.
    case workerEnded(WorkerSupervisor.End, Failure)
    case closed
  }

  private let process: BlockingWorker
  private let wake: EventCounter

  private static let niceness: Int32 = 19
  /// The time limit for a track, in addition to a quarter of its duration, in which even a slow machine decodes it.
  private static let timeout = MediaTime.seconds(60)
  /// The maximum duration that is assumed. A header may state any duration, and that of some tracks is unknown.
  private static let maximumDuration = MediaTime.seconds(36_000)

  init(_ program: FilePath, _ wake: EventCounter) throws(SystemError) {
    process = try BlockingWorker(program, niceness: Self.niceness)
    self.wake = wake
  }

  /// Measures a track, and waits for the result. Returns early if `wake` is raised and `isClosed` returns true.
  /// `isFirst`: whether the track begins an album.
  func measure(_ track: UnmeasuredTrack, isFirst: Bool, isClosed: () -> Bool) -> Outcome {
    let source = MediaSource(
      name: String(decoding: track.path.lastComponent, as: UTF8.self), rangeStart: track.range?.startTime ?? .zero,
      rangeEnd: track.range?.endTime)
    do {
      let file = try RegularFile.open(track.path)
      guard (try? process.send(.measure(source, isFirst: isFirst), descriptors: [file.raw])) != nil else {
        return end(because: LocalizableMessage("the decoder does not accept commands"))
      }
    } catch {
      return .failed(Failure(error, track.path))
    }
    let progress = WorkerProgress()
    let duration = min(track.duration ?? Self.maximumDuration, Self.maximumDuration)
    let deadline = progress.deadline(timeout: Self.timeout + duration / 4)
    while true {
      if isClosed() { return .closed }
      if let outcome = receive() { return outcome }
      guard deadline > .now else { return end(because: LocalizableMessage("the measurement took too long"), .timeout) }
      var descriptors = [
        pollfd(fd: process.raw, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wake.raw, events: Int16(POLLIN), revents: 0),
      ]
      poll(&descriptors, until: deadline)
      if descriptors[1].revents != 0 { wake.clear() }
    }
  }

  /// Returns nil if the outcome is not known yet.
  private func receive() -> Outcome? {
    do {
      guard let packet = try process.receive() else { return end() }
      switch WorkerEvent(packet) {
      case .ready: return nil
      case .response(process.lastTicket, .measured(let gain)): return .gain(gain)
      case .response(process.lastTicket, .failed(let failure)): return .failed(failure)
      case .decoding, .response, .idle, .pong, nil:
        return end(because: LocalizableMessage("the decoder sent an unexpected response"))
      }
    } catch {
      return error.code == EAGAIN ? nil : end(because: error.localizableMessage)
    }
  }

  /// Ends the worker. `reason` is nil if it has ended by itself.
  private func end(because reason: LocalizableMessage? = nil, _ kind: Failure.Kind = .unplayable) -> Outcome {
    let status = process.end()
    // The worker has the track from its start. An end at that time is attributed to the track, too.
    let end = WorkerSupervisor.End(status, wasReady: true, endedFor: reason == nil ? nil : .violation)
    let reason =
      reason ?? status?.localizableMessage(of: WorkerRole.files.processName)
      ?? LocalizableMessage("the decoder has ended")
    return .workerEnded(end, Failure(kind, reason))
  }
}
