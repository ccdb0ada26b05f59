// Thread: the pulse thread: libpulse's callbacks and the commands arrive here one after the other. The pulse thread
// must not block, and takes no locks except those of the mailbox and of the published clock.
internal import SegueOutput
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// A sink that executes commands, and forwards the server's callbacks to the owners of its state: the connection to the
/// server, the stream controller, and the playback controller.
final class Sink {
  struct Setup: Sendable {
    var applicationName: String
    /// The server, as in `PULSE_SERVER`; nil for the server that libpulse finds.
    var server: String?
    var deliver: @Sendable (SinkEvent) -> Void
    var clock: PublishedClock
  }

  private let connection: ServerConnection
  private let output: StreamController
  private let playback: PlaybackController
  private let emit: (SinkEvent) -> Void

  init(_ setup: Setup, loop: PulseLoop) {
    emit = setup.deliver
    connection = ServerConnection(
      loop, applicationName: setup.applicationName, server: setup.server, emit: setup.deliver)
    output = StreamController(connection, emit: setup.deliver)
    playback = PlaybackController(
      loop, connection: connection, output: output, clock: setup.clock, emit: setup.deliver)
    connection.delegate = self
    output.delegate = self
  }

  func execute(_ command: SinkCommand) {
    switch command {
    case .play(let generation, let ring, let paused): playback.play(generation, ring, paused: paused)
    case .enqueue(let generation, let ring, let previous): playback.enqueue(generation, ring, after: previous)
    case .finish(let previous): playback.finish(after: previous)
    case .endOfInput(let generation): playback.endInput(of: generation)
    case .pause: playback.pause()
    case .resume: playback.resume()
    case .stop: playback.stop()
    case .release: playback.release()
    case .fadeLength(let length): playback.setFadeLength(length)
    case .endFade: playback.endFade()
    case .volume(let percent, let number): output.volume.setVolume(percent: percent, number: number)
    case .mute(let muted, let number): output.volume.setMute(muted, number: number)
    case .balance(let text): output.volume.setBalance(text.flatMap(ChannelBalance.init(text:)))
    case .device(let name): output.setDevice(name)
    case .properties(let title, let artist, let file):
      output.setProperties(TrackProperties(title: title, artist: artist, file: file))
    case .listSinks(let token): connection.listSinks(token)
    }
  }

  /// Drops the stream and what there is to play. Returns true if sound is wanted; then the loss was emitted.
  private func loseStream(_ loss: OutputLoss, _ reason: LocalizableMessage) -> Bool {
    let isSoundWanted = connection.isSoundWanted
    if isSoundWanted { lose(loss, reason) } else { playback.closeSound() }
    return isSoundWanted
  }

  /// Emits a loss, which is also the end of the stream: its owner never sees a stream that was closed for no reason.
  private func lose(_ loss: OutputLoss, _ reason: LocalizableMessage) {
    playback.dropSound()
    emit(.lost(loss, reason: reason, position: playback.position))
  }

  /// Handles a stream that could not be opened. If the chosen sink is missing, the server's default sink is used. If
  /// there is no sink at all, that is a loss like that of the server. A PipeWire that has just started also reports a
  /// missing sink while the sink exists: the next attempt comes soon, and later ones when a sink appears.
  private func handleFailedOpening(of stream: PlaybackStream, _ failure: StreamFailure) {
    guard connection.context != nil else { return }
    if let device = stream.device {
      emit(
        .deviceUnavailable(
          LocalizableMessage(
            "cannot use the output device \(device) (\(failure.reason)); using the server's default")))
      return playback.reopenOnOtherSink(stream.format)
    }
    let isSoundWanted =
      failure.isSinkMissing
      ? loseStream(
        .sink,
        LocalizableMessage(
          "the sound server has no output device (sink); playback continues when one is connected"))
      : loseStream(.stream, failure.reason)
    if isSoundWanted { connection.retryStreamLater() }
  }
}

extension Sink: ServerConnectionDelegate {
  func connectionIsReady() { playback.writeAvailable() }

  func connectionFailed(loss reason: LocalizableMessage?) {
    if let reason { lose(.server, reason) } else { playback.closeSound() }
  }

  var isStreamActivityExpected: Bool { output.isActivityExpected || playback.awaitsRoom }

  func requestTiming() { playback.requestTiming() }

  func outputHangs(since lastSign: MonotonicTime) -> Bool { playback.stopClock(at: lastSign) }

  func sinkInputChanged(_ index: UInt32) { output.sinkInputChanged(index) }

  func sinkAppeared() { output.handleNewSink() }

  func currentSink(of sinks: [SinkDescription]) -> Int? { output.currentSink(of: sinks) }
}

extension Sink: StreamDelegate {
  func streamIsReady(_ stream: PlaybackStream) {
    playback.writeAvailable()
    output.finishOpening(stream)
  }

  func streamFailed(_ stream: PlaybackStream, _ failure: StreamFailure) {
    guard output.isOpen else { return handleFailedOpening(of: stream, failure) }
    // The server is there and removed the stream: its sink is gone, or a user closed the stream. The connection is
    // ready, so the sound can continue at once.
    if loseStream(.stream, failure.reason) { emit(.connected) }
  }

  func streamNeedsData(_ stream: PlaybackStream) {
    connection.recordActivity()
    playback.refill(stream)
  }

  func streamStarted(_ stream: PlaybackStream) {
    connection.recordActivity()
    playback.requestTiming()
  }

  func streamUnderflowed(_ stream: PlaybackStream) { playback.handleUnderflow(of: stream) }

  func streamMoved(_ stream: PlaybackStream) {
    output.handleMove()
    // The position of the ramp on the new sink is unknown.
    playback.finishFade()
    guard output.stream === stream else { return }
    playback.requestTiming()
    output.describeNewSink(of: stream)
    if output.volume.handleMove() { emit(.uncorkRequested) }
  }

  func streamSuspended(_ stream: PlaybackStream, _ isSuspended: Bool) {
    // A suspended sink requests no PCM, and that does not mean that the server hangs.
    connection.recordActivity()
    playback.handleSuspension(isSuspended)
  }

  func streamTimingArrived(_ stream: PlaybackStream) {
    if stream.isSinkIdle { connection.recordAnswer() } else { connection.recordActivity() }
    playback.handleTiming(of: stream)
  }

  func streamReadAheadArrived(_ stream: PlaybackStream) { playback.handleReadAhead() }

  func streamCorkRequested(_ stream: PlaybackStream, _ cork: Bool) {
    if cork { output.volume.handleCorkRequest() } else { output.volume.handleUncorkRequest() }
    emit(cork ? .corkRequested : .uncorkRequested)
  }
}
