// Thread: the pulse thread. `refill` is the audio path: while a track plays, it copies from the ring into memory of
// libpulse, and neither allocates nor locks nor waits.
internal import SegueOutput
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// A controller of the playback of generations: it starts and ends the sound as `PlaybackState` decides, writes PCM,
/// and discards what is not to be played any more.
final class PlaybackController {
  private let connection: ServerConnection
  private let output: StreamController
  private let clock: PlaybackClock
  private let emit: (SinkEvent) -> Void
  private let loop: PulseLoop
  private lazy var chain = GenerationChain(loop) { [unowned self] in writeAvailable() }
  private lazy var pump = Pump(
    chain, output: output, clock: clock, prepareStream: { [unowned self] in prepareStream(for: $0) },
    onBegin: { [unowned self] in prebuffer.recordOpening(of: $0) })
  private lazy var fade = FadeController(connection) { [unowned self] in endFade() }
  private lazy var prebuffer = PrebufferController(
    connection, onStart: { [unowned self] in startPlaying() },
    onNoFollower: { [unowned self] in perform(state.startWithoutFollower(hasMore: chain.current != nil)) })
  private lazy var rebuffer = RebufferController(
    connection, onSilence: { [unowned self] in recover() },
    onEnd: { [unowned self] in if state.endRebuffering() { uncork() } })
  private var state = PlaybackState()

  init(
    _ loop: PulseLoop, connection: ServerConnection, output: StreamController, clock: PublishedClock,
    emit: @escaping (SinkEvent) -> Void
  ) {
    self.loop = loop
    self.connection = connection
    self.output = output
    self.clock = PlaybackClock(clock, emit)
    self.emit = emit
    output.drain.delegate = self
  }

  // MARK: Commands

  func play(_ generation: Generation, _ ring: SharedRing, paused: Bool) {
    discardAll()
    connection.demandSound()
    state.play(paused: paused)
    chain.start(with: generation, ring)
    connection.connect()
    writeAvailable()
  }

  func enqueue(_ generation: Generation, _ ring: SharedRing, after previous: Generation) {
    switch chain.position(of: previous) {
    case .notWritten, .written:
      removeAll(after: previous)
      chain.append(generation, ring)
      perform(state.continuationAfterEdit(hasMore: chain.current != nil))
    case .over:
      // The sender does not know yet that a later track plays: its command crossed the event of that track.
      play(generation, ring, paused: state.isPaused)
    case .unknown: break
    }
  }

  func finish(after previous: Generation) {
    switch chain.position(of: previous) {
    case .notWritten, .written:
      removeAll(after: previous)
      perform(state.continuationAfterEdit(hasMore: chain.current != nil))
    case .over:
      guard previous != chain.finished else { return }
      output.flush()
      chain.setBoundary(TrackBoundary(atStreamStartAfter: previous))
      finish()
      chain.releaseUnusedRings()
    case .unknown: break
    }
  }

  func endInput(of generation: Generation) {
    chain.endInput(of: generation)
    writeAvailable()
  }

  func pause() {
    guard state.pause() else { return }
    output.drain.cancel()
    guard let stream = output.readyStream, !stream.isCorked else { return }
    if fade.start(on: stream, clock.timeline), let end = fade.end { return clock.hold(at: end) }
    // If the server is unresponsive, the clock has stopped already.
    if connection.isUnresponsive { clock.publish() } else { clock.freeze(at: .now) }
    output.corkAndRequestTiming()
  }

  func resume() {
    guard state.resume() else { return }
    guard fade.isActive else { return perform(state.continuation) }
    guard let stream = output.stream, !stream.isCorked else { return }
    guard clock.change({ fade.reverse(on: stream, &$0) }) else { return endFade() }
    clock.publish()
    clock.emitResumption(after: .now)
    writeAvailable()
    perform(state.continuation)
  }

  func stop() {
    if output.stream?.isCorked == true {
      fade.cancel()
    } else if !fade.isActive, let stream = output.stream {
      _ = fade.start(on: stream, clock.timeline)
    }
    removeGenerations(cancelsFade: false)
    forgetPosition()
    if !fade.isActive { output.flush() }
    chain.releaseUnusedRings()
    state.stop()
    connection.endDemand()
  }

  /// Stops, and closes the stream and the connection. The rings are released as well: their workers do not outlive the
  /// stream.
  func release() {
    stop()
    if fade.isActive { fade.closeStreamAtEnd() } else { closeStreamAndConnection() }
    chain.releaseAllRings()
  }

  func setFadeLength(_ length: MediaTime) {
    finishFade()
    fade.length = length
    output.keepsHistory = fade.isEnabled
  }

  func setTap(_ tap: SoundTap?) {
    pump.setTap(tap)
    clock.publish()
  }

  // MARK: Writing

  /// Writes the PCM that is there, as far as the server accepts it, and starts the sound if there is enough.
  func writeAvailable() {
    guard state.isWriting, chain.current != nil, !fade.isActive else { return }
    let wasPlaying = state.phase == .playing
    let segments = clock.segmentCount
    do throws(RingCorruption) {
      switch try pump.run(holdsPCM: state.isRunningDry) {
      case .blocked: break
      case .ended: awaitEnd()
      }
    } catch {
      abandonCurrent(error)
    }
    startIfReady()
    continueIfReady()
    if wasPlaying, state.phase == .playing, clock.segmentCount == segments {
      clock.publishWritten()
    } else {
      clock.publish()
    }
    clock.announce()
  }

  /// Returns whether PCM of this format can be written, now or once the stream is ready. It cannot while a stream of
  /// another format plays to its end or the connection is being made, and if the server does not support the format.
  private func prepareStream(for format: AudioFormat) -> Bool {
    if let stream = output.stream {
      if stream.format == format { return true }
      if stream.writer.written > 0 {
        perform(state.awaitFormatChange())
        return false
      }
      output.close()
    }
    guard connection.isReady else { return false }
    if output.open(format) { return true }
    handleUnsupportedFormat(format)
    return false
  }

  /// Ends the generation being written, because its ring is corrupt. If an earlier generation is still playing, it
  /// plays to its end. Other generations can follow.
  private func abandonCurrent(_ corruption: RingCorruption) {
    guard let generation = chain.current?.generation else { return }
    pump.abandonCurrent {
      emit(.ringCorrupted(generation, corruption.part))
      if let boundary = chain.lastBoundary, clock.playedFrame < boundary.position { discardWritten(after: boundary) }
    }
    awaitEnd()
  }

  // MARK: Start and end

  private func startIfReady() {
    guard state.phase == .prebuffering, chain.current != nil, let stream = output.readyStream, stream.writer.written > 0
    else { return }
    prebuffer.update(stream, buffered: clock.rate.time(of: clock.written), isPaused: state.isPaused)
  }

  private func startPlaying() {
    guard let stream = output.readyStream, stream.writer.written >= stream.prebuffer else { return }
    perform(state.start(hasMore: chain.current != nil))
  }

  private func uncork() {
    if output.uncork() { state.handleUncork() }
  }

  private func perform(_ step: PlaybackState.Step) {
    switch step {
    case .nothing: break
    case .write: writeAvailable()
    case .uncork: uncork()
    case .awaitSilence:
      if output.stream?.isCorked == true { recover() } else { rebuffer.awaitSilence(after: clock.remaining) }
    case .playToEnd:
      uncork()
      if let stream = output.stream { output.drain.start(on: stream, at: clock.written, latency: clock.latency) }
    case .handleEnd: awaitEnd()
    case .finish: finish()
    case .changeStream:
      output.close()
      clock.restart(with: chain.current?.generation)
      chain.setBoundary(nil)
      prebuffer.reset()
      rebuffer.reset()
      writeAvailable()
    }
  }

  /// Handles that everything is written, and that nothing follows.
  private func awaitEnd() {
    if state.phase == .prebuffering, !state.isPaused, clock.written > .zero, let stream = output.readyStream,
      prebuffer.awaitFollower(stream)
    {
      return
    }
    let step = state.playToEnd()
    guard output.stream != nil, clock.written > .zero else { return finish() }
    perform(step)
  }

  private func finish() {
    let last = chain.lastBoundary?.generation
    output.cork()
    removeGenerations()
    chain.finished = last
    if let last { emit(.finished(last)) }
  }

  // MARK: Discarding

  /// Removes every generation and stops the sound at once.
  private func discardAll() {
    removeGenerations()
    forgetPosition()
    output.flush()
  }

  /// Removes every generation. What the server has got of them stays there, and the position stays where it is.
  private func removeGenerations(cancelsFade: Bool = true) {
    output.drain.cancel()
    if cancelsFade { fade.cancel() }
    pump.reset()
    state.end()
    prebuffer.reset()
    rebuffer.reset()
    clock.endSound()
    clock.publish()
  }

  private func forgetPosition() {
    clock.reset()
    clock.publish()
  }

  /// Removes the generations after this one, which is in the chain, and discards what was written of them.
  private func removeAll(after generation: Generation) {
    let position = chain.position(of: generation)
    chain.removeAll(after: generation)
    if case .written(let boundary) = position { discardWritten(after: boundary) }
    chain.releaseUnusedRings()
  }

  /// Discards what was written after the boundary.
  private func discardWritten(after boundary: TrackBoundary) {
    output.drain.cancel()
    if state.resumeWriting() { rebuffer.awaitSilence(after: clock.remaining) }
    guard let stream = output.stream, clock.written != boundary.position else { return }
    // A fade in progress has rewritten the PCM to be discarded, and ends the sound at another frame.
    finishFade()
    if pump.discardWritten(after: boundary, from: stream) {
      output.drain.handleDiscard(after: boundary.position)
    } else {
      // PCM after the boundary is playing already, or no frame precedes the boundary: the next generation starts a new
      // sound.
      output.flush()
      chain.setBoundary(TrackBoundary(atStreamStartAfter: boundary.generation))
      clock.reset()
      state.prebuffer()
      prebuffer.reset()
      rebuffer.reset()
    }
    clock.publish()
  }

  // MARK: Fades

  /// Stops the sound at the end of a fade, or earlier, and asks the server at which frame it stopped: a sink that lags
  /// behind has played less than the clock shows. `finishFade` follows the response.
  func endFade() {
    guard fade.isActive, let stream = output.stream, !stream.isCorked else { return }
    if state.phase == .idle { finishFade() } else { output.corkAndRequestTiming() }
  }

  /// Finishes a fade: after a stop, the rest is discarded; after a pause, what was not played is ready to continue.
  func finishFade() {
    guard let planned = fade.end, let stream = output.stream else { return }
    guard state.phase != .idle else {
      let closesStream = fade.closesStream
      fade.cancel()
      output.flush()
      if closesStream { closeStreamAndConnection() }
      return
    }
    guard let position = clock.change({ fade.finish(on: stream, &$0) }) else { return }
    output.drain.handleDiscard(after: nil)
    stream.requestTiming()
    connection.updateWatchdog()
    if position != planned { clock.hold(at: position) }
    writeAvailable()
    // A resume may have come while the server was asked.
    if !state.isPaused { perform(state.continuation) }
  }

  // MARK: The stream

  /// Drops what there is to play, and closes the stream.
  func closeSound() {
    removeGenerations()
    output.close()
  }

  /// Drops what there is to play and the stream. The owner must emit its loss.
  func dropSound() {
    removeGenerations()
    output.drop()
  }

  private func closeStreamAndConnection() {
    output.close()
    connection.closeIfUnused()
  }

  /// Opens a stream on another sink than the chosen one, which is not available.
  func reopenOnOtherSink(_ format: AudioFormat) {
    if !output.openOnOtherSink(format) { handleUnsupportedFormat(format) }
  }

  /// Handles that the server cannot play the format.
  private func handleUnsupportedFormat(_ format: AudioFormat) {
    closeSound()
    connection.endDemand()
    emit(
      .streamRefused(
        LocalizableMessage(
          "the sound server does not support \(format.rate.hertz) Hz with \(format.channels.count) channels")))
  }

  /// Writes more PCM, because the server has room for it.
  func refill(_ stream: PlaybackStream) {
    writeAvailable()
    if !stream.isCorked, clock.isTimingDue { requestTiming() }
  }

  func handleUnderflow(of stream: PlaybackStream) {
    // While PCM is written again piece by piece, a server that renders ahead runs dry after each piece, and after the
    // last one until more follows: reports about that part are ignored. A report whose end is not known is about an
    // earlier sound.
    guard let end = stream.underflowFrame, end > clock.rewrittenEnd || end == clock.written else { return }
    handleDryReport(at: end)
  }

  /// Handles the report that the server played everything up to `end`; nil if the end is not known. More may have been
  /// written since.
  private func handleDryReport(at end: Frames?) {
    guard !fade.isActive, let stream = output.stream, !stream.isCorked,
      let report = state.handleDryReport(at: end, written: clock.written)
    else { return }
    connection.recordActivity()
    clock.stall(at: end)
    // The receiver of the events reads the clock.
    clock.publish()
    guard case .underrun(let isNew) = report else { return }
    rebuffer.awaitSilence(after: clock.remaining)
    emit(.ranDry)
    if let reader = chain.current, prebuffer.wasEnqueuedTooLate(reader, before: end) { return }
    if isNew { emit(.underrun(total: state.countUnderrun())) }
  }

  /// Whether the server owes the corked stream a request for more PCM, after an underrun.
  var awaitsRoom: Bool { state.awaitsRoom }

  /// Stops the stream after the server has run dry, until there is a head start.
  private func recover() {
    guard !fade.isActive, output.readyStream != nil, state.rebuffer() else { return }
    output.corkAndRequestTiming()
    clock.freeze(at: .now)
    rebuffer.begin()
    writeAvailable()
  }

  private func continueIfReady() {
    guard state.phase == .rebuffering, !state.isPaused, let stream = output.readyStream, let reader = chain.current
    else { return }
    let isEnough = rebuffer.update(
      stream, unplayed: clock.written - clock.playedFrame, isRingFull: reader.isRingFull)
    if state.setLacksRoom(!isEnough && !clock.awaitsPCM) { connection.updateWatchdog() }
  }

  func handleSuspension(_ isSuspended: Bool) {
    if isSuspended {
      finishFade()
      clock.freeze(at: .now)
    } else {
      requestTiming()
    }
  }

  // MARK: Timing and position

  func requestTiming() {
    clock.recordTimingRequest()
    output.stream?.requestTiming()
  }

  func handleTiming(of stream: PlaybackStream) {
    if fade.isActive {
      // The frame at which the sound stops is known once the stream is corked.
      if stream.isCorked, stream.timing != nil || !stream.isTimingPending { finishFade() }
      return
    }
    // The timing of a suspended sink is that of the moment of suspension.
    guard state.phase != .idle, !stream.isSuspended, let timing = stream.timing else { return }
    // Notifications may still come for an earlier sound; timing is that of the present one.
    if timing.isPlaying { state.confirmPlaying() }
    clock.update(timing, corked: stream.isCorked)
    output.drain.handleRead(timing.read, rate: clock.rate)
    chain.removeBoundaries(before: clock.playedFrame, written: clock.written)
    output.drain.endIfDrained(rest: clock.remaining)
    if state.isRunningDry { rebuffer.awaitSilence(after: clock.remaining) }
    handleReadAhead()
  }

  /// Handles that the server has stated how far the sink reads ahead.
  func handleReadAhead() {
    guard state.phase == .prebuffering, !fade.isActive, let stream = output.readyStream else { return }
    prebuffer.handleReadAhead(of: stream, isPaused: state.isPaused)
  }

  /// Stops the clock at the last sign of the server or the sink, which hangs. Returns false if a fade must be finished
  /// first.
  func stopClock(at lastSign: MonotonicTime) -> Bool {
    guard !fade.isActive else {
      finishFade()
      return false
    }
    // The position since then is unknown: it is better to play a second twice than not at all.
    clock.freeze(at: lastSign)
    return true
  }

  /// The position up to which the sound was heard; nil if nothing was heard since the last command to play or to stop.
  var position: TrackPosition? { clock.position }
}

extension PlaybackController: DrainControllerDelegate {
  func streamRanDryAfterCancelledDrain(at end: Frames?) {
    // The sound may have gone beyond the end by now, as the timing shows.
    handleDryReport(at: end)
    requestTiming()
  }

  func streamDrained(at end: Frames?) {
    state.handleDrained()
    clock.stall(at: end)
    requestTiming()
  }

  func streamEnded() { perform(state.handleEndOfStream()) }
}
