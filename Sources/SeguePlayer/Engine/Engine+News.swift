// Thread: the loop.

internal import SegueLink
internal import SeguePulse
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// What worker and sink say, and what the transport is told of it.
extension Engine {
  /// What the worker says.
  func hear(_ workerReport: WorkerEvent) {
    guard let generation = workerReport.generation, let watch else { return }
    switch watch.hear(of: generation) {
    case .old: return
    case .early: worker?.kill(because: "the decoder spoke of a track it cannot have reached")
    case .due: hear(workerReport, of: generation, watch)
    }
  }

  private func hear(_ workerReport: WorkerEvent, of generation: Generation, _ watch: DecoderWatchdog) {
    switch workerReport {
    case .opened(_, let info):
      failedStarts = 0
      trouble = nil
      onOpened?(generation, info)
      report?(.opened(generation))
    case .ended(_, let duration):
      watch.paid(generation)
      // Its end is marked in the ring before it is reported: what is not there by now will never be.
      sink.send(.endOfInput(generation))
      onLength?(generation, duration)
      report?(.ended(generation))
      takeOver()
    case .incomplete(_, let failure): onIncomplete?(generation, failure)
    case .faded(_, let time, let next): report?(.faded(generation, from: time, into: next))
    case .failed(_, let failure):
      // Who knows in what state the file has left it: the next one is not to suffer for it.
      worker = nil
      report?(.failed(generation, failure))
    case .title(_, let title, let time):
      sink.whenAudible(generation, time) { [weak self] in self?.onStreamTitle?(generation, title) }
    case .ready, .probed, .failedProbe, .scanned, .lyrics, .cover, .measured, .collated, .transcoded: break
    }
  }

  /// What the sink says.
  func hear(_ event: SinkProxy.Event) {
    switch event {
    case .audible(let generation): report?(.audible(generation))
    case .finished(let generation): report?(.finished(generation))
    case .stands: onStanding?()
    case .lost(let heard, let time): report?(.lost(heard, at: time))
    case .connected: report?(.connected)
    case .corkRequested: report?(.corkRequested)
    case .uncorkRequested: report?(.uncorkRequested)
    case .volume(let state): onVolume?(state)
    case .output: onOutput?()
    case .refused(let reason): onRefusal?(reason)
    case .corrupt(let generation, let what):
      Log.error("a decoder wrote what no decoder writes (\(what)); it is ended")
      // Late news of one that is gone already is no fault of its successor's.
      let isLate = workersFirst.map { generation.number < $0.number } ?? true
      if !isLate {
        worker = nil
        successor = nil
      }
      report?(.corrupted(generation, Failure(.unplayable, "the decoder broke down on this file"), isLate: isLate))
    }
  }

  // MARK: The end of a worker

  /// `gone` has ended: the one that decodes, or the one that stands by.
  func dismiss(_ gone: WorkerProcess, _ failure: Failure) {
    let isDecoding = worker === gone
    guard isDecoding || successor?.worker === gone else { return }
    // A file that has not reached it had no part in its end.
    let owedNothing = !isDecoding || workersFirst == nil || watch?.owesNothing == true
    if isDecoding { worker = nil }
    successor = nil
    pool.noteLoss()
    Log.warning("\(failure.message)")
    if owedNothing || failure.kind == .unavailable {
      startAgain(failure)
    } else {
      report?(.workerDied(failure))
    }
  }

  /// No file had a part in it: another worker is tried, a few times.
  private func startAgain(_ failure: Failure) {
    failedStarts += 1
    if failedStarts < Self.mostFailedStarts {
      report?(.workerNotStarted)
    } else {
      giveUp(because: failure.message)
    }
  }

  /// Until somebody asks again.
  func giveUp(because reason: String) {
    failedStarts = 0
    trouble = reason
    Log.error("\(reason); nothing can be played")
    report?(.noDecoder)
  }

  private static let mostFailedStarts = 3
}
