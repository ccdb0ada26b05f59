// Thread: the loop. It joins opener, worker and sink; it waits for none of them.

internal import SegueLink
internal import SegueLoop
internal import SeguePulse
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// Carries out what the transport decides, and tells it what came of it.
@MainActor
final class Engine {
  /// What the transport is told. Set once, by the player.
  var report: (@MainActor (Transport.Event) -> Void)?
  /// What the file of a generation turned out to be.
  var onOpened: (@MainActor (Generation, MediaInfo) -> Void)?
  var onLength: (@MainActor (Generation, MediaTime) -> Void)?
  /// The rest of a generation's file, of which a part is played, cannot be decoded.
  var onIncomplete: (@MainActor (Generation, Failure) -> Void)?
  var onStreamTitle: (@MainActor (Generation, String) -> Void)?
  /// Where a pause that fades stands is known.
  var onStanding: (@MainActor () -> Void)?
  var onOutput: (@MainActor () -> Void)?
  /// The server would not open a stream, and why.
  var onRefusal: (@MainActor (String) -> Void)?
  var onVolume: (@MainActor (VolumeState) -> Void)?
  var uri: @MainActor (EntryID) -> String? = { _ in nil }
  /// How loud an entry is to be played; may be told at once.
  var level: @MainActor (EntryID, @escaping @MainActor (GainParameters) -> Void) -> Void = { $1(GainParameters()) }
  /// Says of an entry at which rate it is to be played, and how it fades out of the one before, nil for none, and into
  /// the next.
  var arrange: @MainActor (inout MediaSource, EntryID, _ after: Generation?) -> Void = { _, _, _ in }
  /// How long stream and worker outlive a pause or stop.
  var gracePeriod: @MainActor () -> MediaTime = { .zero }

  let sink: SinkProxy
  let pool: WorkerPool
  let opener: MediaOpener
  private var grace: Timer?
  private(set) var watch: DecoderWatchdog?

  /// The worker that decodes, if one does.
  var worker: WorkerProcess? {
    willSet { bytesOfOldWorkers += worker?.ring?.bytesRead ?? 0 }
    didSet { watch?.forget() }
  }
  private var bytesOfOldWorkers: UInt64 = 0
  /// The worker of the other role that takes over once `worker` has done with what it has: a file after a stream, or
  /// the other way round. It is given nothing before, for a stream would run away from its listener.
  var successor: (worker: WorkerProcess, item: Transport.Item, after: Generation)?
  /// The first generation `worker` was given, nil before it was given any; those before came from others.
  var workersFirst: Generation?
  /// Workers in a row that ended before any file had reached them.
  var failedStarts = 0
  /// Why there is no decoder, for people; nil while there is one to be had.
  var trouble: String?
  /// The one generation whose file is being opened.
  var opening: Generation?

  init(loop: EventLoop, pool: WorkerPool, opener: MediaOpener) throws(SystemError) {
    self.pool = pool
    self.opener = opener
    sink = try SinkProxy(loop: loop)
    sink.onEvent = { [weak self] event in self?.hear(event) }
    grace = try Timer(on: loop, slack: .seconds(1)) { [weak self] in
      guard let self else { return }
      self.report?(.graceElapsed(at: self.sink.position?.time))
    }
    watch = try DecoderWatchdog(
      loop: loop, awaitsPCM: { [weak self] in self?.sink.awaitsPCM == true },
      hangs: { [weak self] in
        guard let worker = self?.worker else { return }
        worker.kill(
          because: worker.role == .network
            ? "nothing has come from the server for too long" : "the decoder got stuck in this file")
      })
  }

  /// PCM that was taken over from workers so far.
  var bytesDecoded: UInt64 { bytesOfOldWorkers + (worker?.ring?.bytesRead ?? 0) }

  /// Does what concerns sound; false for what is the player's own.
  func perform(_ action: Transport.Action) -> Bool {
    switch action {
    case .open(let item): open(item)
    case .follow(let item, let after): follow(item, after: after)
    case .finish(let after):
      cut(after: after)
      sink.send(.finish(after: after))
    case .endOfInput(let generation): sink.send(.endOfInput(generation))
    case .pauseSink: sink.send(.pause)
    case .resumeSink: sink.send(.resume)
    case .silence:
      sink.send(.stop)
      idleWorker()
    case .idleWorker: idleWorker()
    case .release: release()
    case .startGrace: grace?.arm(after: gracePeriod())
    case .cancelGrace: grace?.disarm()
    case .plan, .blame, .skip, .passed, .playedOut: return false
    }
    return true
  }

  func shutdown() {
    worker = nil
    successor = nil
    pool.drain()
    sink.shutdown()
  }

  private func idleWorker() {
    opening = nil
    successor = nil
    if workersFirst != nil { worker?.send(.halt) }
    watch?.forget()
  }

  private func release() {
    opening = nil
    sink.send(.release)
    worker = nil
    successor = nil
    pool.drain()
    // A daemon that will sleep for hours keeps nothing of what an evening's commands took.
    CurrentProcess.trimHeap()
  }
}
