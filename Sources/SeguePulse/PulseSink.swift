// Thread: any. `PulseSink` only posts commands and reads the published clock. `Sink` belongs to the pulse thread: it is
// created by the caller of `send` before that thread starts, and released by the caller of `shutdown` after it has
// ended; in between, other threads only touch the mailbox of `PulseThread`.
internal import Glibc
public import SegueOutput
internal import SegueRing
internal import SegueSystem
internal import SegueWire
internal import Synchronization

/// A sink for PCM: a PulseAudio client on a thread of its own, which reads PCM from rings and reports when each
/// generation plays. It survives the server: it connects again for as long as sound is wanted.
public final class PulseSink: AudioOutput {
  private let applicationName: String
  private let server: String?
  private let deliver: @Sendable (SinkEvent) -> Void
  private let publishedClock = PublishedClock()
  private let state = Mutex(State.unused)

  private enum State {
    case unused
    case running(PulseThread)
    /// The sink was shut down, or this machine cannot provide a thread and two descriptors, which the reason says.
    case ended(LocalizableMessage)
  }

  /// - Parameters:
  ///   - applicationName: the name that mixers show.
  ///   - server: as in `PULSE_SERVER`; nil for the server that libpulse finds.
  ///   - deliver: is called on the pulse thread; it must not block.
  public init(applicationName: String, server: String? = nil, deliver: @escaping @Sendable (SinkEvent) -> Void) {
    self.applicationName = applicationName
    self.server = server
    self.deliver = deliver
  }

  /// Sends a command. Any thread may call this, and it never blocks. The first command starts the pulse thread.
  public func send(_ command: SinkCommand) {
    let state = state.withLock { state -> State in
      if case .unused = state {
        do throws(SystemError) {
          let thread = try PulseThread {
            Sink($0, applicationName: applicationName, server: server, clock: publishedClock, emit: deliver)
          }
          state = .running(thread)
        } catch {
          state = .ended(error.localizableMessage)
        }
      }
      return state
    }
    switch (state, command) {
    case (.running(let thread), _): thread.mailbox.post(command)
    case (.ended(let reason), .play): deliver(.streamRefused(reason))
    case (.ended(let reason), .listSinks(let token)): deliver(.sinksUnavailable(token: token, reason: reason))
    case (.unused, _), (.ended, _): break
    }
  }

  /// The clock as published last. Any thread may read it.
  public var clock: SinkClock { publishedClock.current }

  /// Ends the pulse thread and waits for its end. Must not be called by `deliver`: a thread
  /// cannot wait for itself.
  public func shutdown() {
    let old = state.withLock { state in
      let old = state
      state = .ended(LocalizableMessage("the output was closed"))
      return old
    }
    if case .running(let thread) = old { thread.stop() }
    publishedClock.publish(SinkClock())
  }

  deinit { shutdown() }
}

/// The running pulse thread with its sink.
private final class PulseThread: @unchecked Sendable {
  // Proof: `loop`, `sink` and `commandWatch` are touched by `init`, before the thread starts, and by `stop`, after it
  // has ended; in between, by the pulse thread alone.
  private let loop: PulseLoop
  private var sink: Sink?
  private var commandWatch: ReadWatch?
  let mailbox: MessageQueue<SinkCommand>

  init(_ makeSink: (PulseLoop) -> Sink) throws(SystemError) {
    guard let loop = PulseLoop() else { throw SystemError("pa_threaded_mainloop_new", code: ENOMEM) }
    self.loop = loop
    mailbox = try MessageQueue()
    let sink = makeSink(loop)
    self.sink = sink
    commandWatch = ReadWatch(loop, descriptor: mailbox.raw) { [unowned sink, mailbox] in
      for command in mailbox.takeAll() { sink.execute(command) }
    }
    commandWatch?.enable()
    guard loop.start() else { throw SystemError("pthread_create", "pulse", code: EAGAIN) }
  }

  /// Ends the thread, and then its sink. Must be called once, and not on the pulse thread.
  func stop() {
    loop.stop()
    commandWatch = nil
    sink = nil
  }
}

// Thread: the pulse thread. Libpulse's callbacks and the commands arrive here one after the other. The thread must not
// block, and takes no locks except those of the mailbox and of the published clock.

/// A sink that executes commands, and forwards the server's callbacks to the owners of its state: the connection to the
/// server, the stream controller, and the playback controller.
private final class Sink {
  private let connection: ServerConnection
  private let output: StreamController
  private let playback: PlaybackController
  private let emit: (SinkEvent) -> Void

  init(
    _ loop: PulseLoop, applicationName: String, server: String?, clock: PublishedClock,
    emit: @escaping (SinkEvent) -> Void
  ) {
    self.emit = emit
    connection = ServerConnection(loop, applicationName: applicationName, server: server, emit: emit)
    output = StreamController(connection, emit: emit)
    playback = PlaybackController(loop, connection: connection, output: output, clock: clock, emit: emit)
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
    case .balance(let text): output.volume.balance = text.flatMap(ChannelBalance.init(text:))
    case .device(let name): output.setDevice(name)
    case .properties(let title, let artist, let file):
      output.setProperties(TrackProperties(title: title, artist: artist, file: file))
    case .listSinks(let token): connection.listSinks(token)
    case .tap(let tap): playback.setTap(tap)
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
