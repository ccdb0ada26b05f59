// Thread: the loop. The engine joins decoder and sink, and waits for neither of them.

internal import SegueLoop
internal import SeguePulse
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// The engine: it performs the actions of the transport with decoder and sink, and passes their events to its delegate.
@MainActor
final class Engine {
  /// The player. It is set once, before anything is performed.
  weak var delegate: (any EngineDelegate)? {
    didSet { decoder.delegate = delegate }
  }

  let sink: SinkProxy
  private let decoder: Decoder
  private var grace: Timer?

  init(loop: EventLoop, pool: WorkerPool, opener: MediaOpener) throws(SystemError) {
    sink = try SinkProxy(loop: loop)
    decoder = try Decoder(loop: loop, pool: pool, opener: opener, sink: sink)
    sink.onEvent = { [weak self] event in self?.handle(event) }
    grace = try Timer(on: loop, slack: .seconds(1)) { [weak self] in
      guard let self else { return }
      self.delegate?.handle(.graceElapsed(at: self.sink.position?.time))
    }
  }

  /// The number of bytes of PCM that were read from all workers so far.
  var bytesDecoded: UInt64 { decoder.bytesDecoded }

  /// The reason why no worker can be started; nil if one can.
  var error: String? { decoder.error }

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
    case .idleWorker: decoder.halt()
    case .release:
      sink.send(.release)
      decoder.release()
      // A daemon that will sleep for hours keeps none of the memory that an evening's requests took.
      CurrentProcess.trimHeap()
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
    case .volume(let state): delegate?.handleVolumeChange(state)
    case .output: delegate?.handleOutputChange()
    case .refused(let reason): delegate?.handleRefusedStream(reason)
    case .corrupt(let generation, let reason): decoder.handleCorruption(of: generation, reason)
    }
  }
}
