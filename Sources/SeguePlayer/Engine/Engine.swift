// Thread: the loop. The engine joins decoder and sink, and waits for neither of them.

internal import SegueLink
internal import SegueLoop
internal import SeguePulse
internal import SegueRing
internal import SegueState
internal import SegueSystem
internal import SegueWire

/// A delegate of the engine. It says how entries are decoded, and handles what happens to them.
@MainActor
protocol EngineDelegate: AnyObject {
  /// The time for which stream and worker are kept after a pause or stop.
  var gracePeriod: MediaTime { get }

  /// Returns the URI of an entry, nil if it is not in the queue any more.
  func uri(of entry: EntryID) -> String?

  /// Calls `then` with the gain of an entry, possibly before this returns.
  func findGain(of entry: EntryID, then: @escaping @MainActor (GainParameters) -> Void)

  /// Calls `then` with the URI of an entry whose file is missing, once it is known whether it was moved; possibly before this
  /// returns. Replaces an earlier call.
  func findMovedFile(of entry: EntryID, then: @escaping @MainActor (_ uri: String?) -> Void)

  /// Sets the rate, the speed and the fades of an entry. `previous`: the generation that the same worker decodes before it, nil if
  /// there is none.
  func setPlaybackOptions(of source: inout MediaSource, for entry: EntryID, after previous: Generation?)

  /// Handles an event that changes the state of playback.
  func handle(_ event: Transport.Event)

  /// Handles the description of a generation's file, which the worker has opened.
  func handleOpened(_ generation: Generation, _ info: MediaInfo)

  /// Handles the exact duration of a generation that was decoded to its end.
  func handleDuration(of generation: Generation, _ duration: MediaTime)

  /// Handles that a generation's file is truncated: a part of it is played, and the rest cannot be decoded because of
  /// `failure`.
  func handleTruncation(of generation: Generation, _ failure: Failure)

  /// Handles a title of a live stream at the time at which it becomes audible; nil if the stream has none from there on.
  func handleStreamTitle(of generation: Generation, _ title: String?)

  /// Handles that the connection of a generation's stream was lost, or is there again.
  func handleConnection(of generation: Generation, isLost: Bool)

  /// Handles that everything that was decoded of the current generation is played, and its worker delivers no more.
  func handleStarvation()

  /// Handles that the final position of a pause that fades out is known.
  func handlePausePosition()

  /// Handles a change of the sink's `output`.
  func handleOutputChange()

  /// Handles that the sound server refused to open a stream.
  func handleRefusedStream(_ reason: LocalizableMessage)

  /// Handles that the sink has this volume after the command with this number.
  func handleVolumeChange(_ volume: SavedVolume, after command: UInt64)
}

/// The engine: it performs the actions of the transport with decoder and sink, and passes their events to its delegate.
@MainActor
final class Engine {
  /// The playback, which sets itself once, before anything is performed.
  weak var delegate: (any EngineDelegate)? {
    didSet { decoder.delegate = delegate }
  }

  let sink: SinkProxy
  private let decoder: DecoderProxy
  private var grace: Timer?

  init(loop: EventLoop, pool: WorkerPool, opener: MediaOpener, fetcher: Fetcher) throws(SystemError) {
    sink = try SinkProxy(loop: loop)
    decoder = try DecoderProxy(loop: loop, pool: pool, opener: opener, fetcher: fetcher, sink: sink)
    sink.onEvent = { [weak self] event in self?.handle(event) }
    grace = try Timer(on: loop, slack: .seconds(1)) { [weak self] in
      guard let self else { return }
      self.delegate?.handle(.graceElapsed(at: self.sink.latestPosition?.time))
    }
  }

  /// The number of bytes of PCM that were read from all workers so far.
  var bytesDecoded: UInt64 { decoder.bytesDecoded }

  /// The reason why no worker can be started; nil if one can.
  var error: LocalizableMessage? { decoder.error }

  /// The length of the audio that is ready to be played.
  var buffered: MediaTime { decoder.buffered }

  func perform(_ action: Transport.EngineAction) {
    switch action {
    case .open(let item): decoder.open(item)
    case .follow(let item, let after): decoder.follow(item, after: after)
    case .finish(let after):
      decoder.cut(after: after)
      sink.send(.finish(after: after))
    case .endOfInput(let generation): sink.send(.endOfInput(generation))
    case .pauseSink: sink.send(.pause)
    case .resumeSink: sink.send(.resume)
    case .silence:
      sink.send(.stop)
      decoder.halt()
    case .haltWorker: decoder.halt()
    case .release:
      sink.send(.release)
      decoder.release()
      // An idle daemon does not keep the memory that earlier requests took.
      CurrentProcess.trimHeap()
    case .releaseWorker: decoder.release()
    case .startGrace: grace?.arm(after: delegate?.gracePeriod ?? .zero)
    case .cancelGrace: grace?.disarm()
    }
  }

  func shutdown() {
    decoder.release()
    sink.shutdown()
  }

  private func handle(_ event: SinkProxy.Event) {
    switch event {
    case .audible(let generation): delegate?.handle(.audible(generation))
    case .finished(let generation): delegate?.handle(.finished(generation))
    case .pausePositionKnown: delegate?.handlePausePosition()
    case .lost(let generation, let time): delegate?.handle(.lost(generation, at: time))
    case .connected: delegate?.handle(.connected)
    case .corkRequested: delegate?.handle(.corkRequested)
    case .uncorkRequested: delegate?.handle(.uncorkRequested)
    case .volume(let volume, let command): delegate?.handleVolumeChange(volume, after: command)
    case .output: delegate?.handleOutputChange()
    case .starved: delegate?.handleStarvation()
    case .refused(let reason): delegate?.handleRefusedStream(reason)
    case .corrupt(let generation, let reason): decoder.handleCorruption(of: generation, reason)
    }
  }
}
