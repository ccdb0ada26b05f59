// Thread: the loop. The engine joins decoder and sink, and waits for neither of them.

internal import SegueLoop
internal import SegueOutput
internal import SegueRing
internal import SegueState
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A delegate of the engine: it handles the events of decoder and sink. Those that change the state of playback are
/// events of the transport.
@MainActor
protocol EngineDelegate: AnyObject {
  /// Handles an event that changes the state of playback. An event that an action has caused is handled after all
  /// actions.
  func handle(_ event: Transport.Event)

  /// Calls `then` with the URI of an entry whose file is missing, once it is known whether it was moved; possibly
  /// before this returns. Replaces an earlier call.
  func findMovedFile(of entry: EntryID, then: @escaping @MainActor (_ uri: String?) -> Void)

  /// Handles the exact duration of a generation that was decoded to its end.
  func handleDuration(of generation: Generation, _ duration: MediaTime)

  /// Handles that a generation's file is truncated: a part of it is played, and the rest cannot be decoded because of
  /// `failure`.
  func handleTruncation(of generation: Generation, _ failure: Failure)

  /// Handles a title of a live stream at the time at which it becomes audible; nil if the stream has none from there
  /// on.
  func handleStreamTitle(of generation: Generation, _ title: String?)

  /// Handles that the final position of a pause that fades out is known.
  func handlePausePosition()

  /// Handles a change of the sink's `output`.
  func handleOutputChange()
}

/// The engine: it performs the actions of the transport with decoder and sink, and passes their events to its delegate.
@MainActor
final class Engine {
  /// The playback, which sets itself once, before anything is performed.
  weak var delegate: (any EngineDelegate)? {
    didSet {
      decoder.delegate = delegate
      sink.delegate = delegate
    }
  }

  let sink: SinkController
  private let decoder: DecoderController
  private let pool: WorkerPool
  private var grace: Timer?

  init(
    loop: EventLoop, pool: WorkerPool, opener: MediaOpener, fetcher: Fetcher, makeOutput: AudioOutputMaker
  ) throws(SystemError) {
    self.pool = pool
    sink = try SinkController(loop: loop, makeOutput: makeOutput)
    decoder = try DecoderController(loop: loop, pool: pool, opener: opener, fetcher: fetcher, sink: sink)
    grace = try Timer(on: loop, slack: .seconds(1)) { [weak self] in
      guard let self else { return }
      self.delegate?.handle(.graceElapsed(at: self.sink.latestPosition?.time))
    }
  }

  /// The number of bytes of PCM that were read from all workers so far.
  var bytesDecoded: UInt64 { decoder.bytesDecoded }

  /// Returns the state of the output for a transport in `state`, without the latency, which varies all the time.
  func output(for state: Transport.State) -> Output {
    var output = sink.output
    switch state {
    case .lost: output.state = .lost
    // A server without a sink: the state is lost until an attempt to open a stream succeeds.
    case .active(_, pause: nil) where output.errorKind == .noSink: output.state = .lost
    case .stopped, .dormant, .active: break
    }
    if output.state != .lost { output.errorKind = nil }
    // The reason why no worker can be started.
    output.error = output.error ?? decoder.error
    // While playback is stopped, no stream is opened, and an earlier error does not matter. If the stream is still
    // open, the error says that it could not be moved to the chosen device.
    if case .stopped = state, output.state != .open { output.error = nil }
    return output
  }

  /// The length of the audio that is ready to be played.
  var buffered: MediaTime { decoder.buffered }

  /// Performs an action. `request`: returns the request to decode an item after the generation, or after nothing.
  func perform(_ action: Transport.EngineAction, request: (Transport.Item, Generation?) -> DecodeRequest) {
    switch action {
    case .open(let item): decoder.open(request(item, nil))
    case .follow(let item, let after): decoder.follow(request(item, after), after: after)
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
    case .startGrace: grace?.arm(after: pool.gracePeriod)
    case .cancelGrace: grace?.disarm()
    }
  }

  func shutdown() {
    decoder.release()
    sink.shutdown()
  }
}

/// A request to decode an item of the plan: it carries what the engine needs to open the item at any later time.
struct DecodeRequest {
  let item: Transport.Item
  /// The sample rate to which the audio is resampled; nil for the original one.
  let rate: SampleRate?
  let speed: PlaybackSpeed
  /// The maximum duration of a crossfade with the next track.
  var fadeOut = MediaTime.zero
  /// The maximum duration of a crossfade with the track before it, if the same worker decodes both.
  var fadeIn = MediaTime.zero
  /// Calls its argument with the gain, possibly before it returns.
  let findGain: @MainActor (@escaping @MainActor (GainParameters) -> Void) -> Void

  /// Returns `source` with these options, whatever it had before. `isJoined`: whether the worker joins it to the track
  /// before.
  func applied(to source: MediaSource, gain: GainParameters, isJoined: Bool) -> MediaSource {
    var source = source
    (source.gain, source.rate, source.speed) = (gain, rate, speed)
    (source.fadeIn, source.fadeOut) = (isJoined ? fadeIn : .zero, fadeOut)
    return source
  }
}
