// Runs on the pulse thread only. `refill` is the audio path: while a track plays, it copies from the ring into memory
// of libpulse, and neither allocates nor locks nor waits.
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// A controller of the playback of generations: it starts and ends the sound, and decides which PCM is written and which is
/// discarded.
final class PlaybackController {
  private enum Phase {
    /// There is nothing to play.
    case idle
    /// The stream is corked until enough PCM is written.
    case prebuffering
    /// The stream is uncorked. If the server has run dry, it plays the rest, and PCM waits in the ring.
    case playing
    /// The stream is corked after an underrun, until enough PCM is written.
    case rebuffering
    /// Everything is written, and nothing follows: the end is to be played.
    case ending
    /// Everything that the stream can take is written: what follows has another format, and waits for the end.
    case changingFormat
  }

  private let connection: ServerConnection
  private let output: StreamController
  private let clock: PlaybackClock
  private let emit: (SinkEvent) -> Void
  private let chain: GenerationChain
  private lazy var pump = Pump(
    chain, output: output, clock: clock, prepareStream: { [unowned self] in prepareStream(for: $0) },
    onBegin: { [unowned self] in prebuffer.recordOpening(of: $0) })
  private lazy var fade = FadeController(connection) { [unowned self] in endFade() }
  private lazy var prebuffer = PrebufferController(
    connection, onStart: { [unowned self] in startPlaying() },
    onNoFollower: { [unowned self] in startWithoutFollower() })
  private lazy var rebuffer = RebufferController(
    connection, onSilence: { [unowned self] in recover() }, onEnd: { [unowned self] in continueAfterUnderrun() })
  private let drain: DrainController

  private var phase = Phase.idle
  private var isPaused = false
  private var underruns = UnderrunDetector()
  /// Whether PCM is there after an underrun, and the server accepts too little of it.
  private var isRoomAwaited = false

  init(
    _ loop: PulseLoop, connection: ServerConnection, output: StreamController, clock: PublishedClock,
    emit: @escaping (SinkEvent) -> Void
  ) {
    self.connection = connection
    self.output = output
    self.clock = PlaybackClock(clock, emit)
    self.emit = emit
    chain = GenerationChain(loop)
    drain = DrainController(connection)
    drain.delegate = self
    chain.onData = { [unowned self] in writeAvailable() }
  }

  // MARK: Commands

  func play(_ generation: Generation, _ ring: SharedRing, paused: Bool) {
    discardAll()
    connection.demandSound()
    isPaused = paused
    awaitStart()
    chain.start(with: generation, ring)
    connection.connect()
    writeAvailable()
  }

  func enqueue(_ generation: Generation, _ ring: SharedRing, after previous: Generation) {
    switch chain.position(of: previous) {
    case .notWritten, .written:
      removeAll(after: previous)
      chain.append(generation, ring)
      continueAfterEdit()
    case .over:
      // The sender does not know yet that a later track plays: its command crossed the event of that track.
      play(generation, ring, paused: isPaused)
    case .unknown: break
    }
  }

  func finish(after previous: Generation) {
    switch chain.position(of: previous) {
    case .notWritten, .written:
      removeAll(after: previous)
      continueAfterEdit()
    case .over:
      guard !chain.isFinished(previous) else { return }
      flush()
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
    guard !isPaused else { return }
    isPaused = true
    drain.cancel()
    guard let stream = output.readyStream, !stream.isCorked else { return }
    if fade.start(on: stream, clock.timeline), let end = fade.end { return clock.hold(at: end) }
    stream.cork(true)
    stream.requestTiming()
    // If the server is unresponsive, the clock has stopped already.
    if connection.isUnresponsive { clock.publish() } else { clock.freeze(at: .now) }
    connection.updateWatchdog()
  }

  func resume() {
    guard isPaused else { return }
    isPaused = false
    guard fade.isActive else { return continuePlaying() }
    guard let stream = output.stream, !stream.isCorked else { return }
    guard clock.change({ fade.reverse(on: stream, &$0) }) else { return endFade() }
    clock.publish()
    clock.emitResumption(after: .now)
    writeAvailable()
    continuePlaying()
  }

  func stop() {
    if output.stream?.isCorked == true {
      fade.cancel()
    } else if !fade.isActive, let stream = output.stream {
      _ = fade.start(on: stream, clock.timeline)
    }
    removeGenerations(cancelsFade: false)
    forgetPosition()
    if !fade.isActive { flush() }
    chain.releaseUnusedRings()
    isPaused = false
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
    fade.setLength(length)
    output.keepsHistory = fade.isEnabled
  }

  // MARK: Writing

  /// Writes the PCM that is there, as far as the server accepts it, and starts the sound if there is enough.
  func writeAvailable() {
    guard isWriting, chain.current != nil, !fade.isActive else { return }
    let wasPlaying = phase == .playing
    let segments = clock.segmentCount
    do throws(RingCorruption) {
      switch try pump.run(holdsPCM: isRunningDry) {
      case .blocked: break
      case .ended: awaitEnd()
      }
    } catch {
      abandonCurrent(error)
    }
    startIfReady()
    continueIfReady()
    if wasPlaying, phase == .playing, clock.segmentCount == segments {
      clock.publishWritten()
    } else {
      clock.publish()
    }
    clock.announce()
  }

  /// Whether what follows is written as soon as it is there.
  private var isWriting: Bool {
    switch phase {
    case .prebuffering, .playing, .rebuffering: true
    case .idle, .ending, .changingFormat: false
    }
  }

  /// Returns whether PCM of this format can be written, now or once the stream is ready. It cannot while a stream of another
  /// format plays to its end or the connection is being made, and if the server does not support the format.
  private func prepareStream(for format: AudioFormat) -> Bool {
    if let stream = output.stream {
      if stream.format == format { return true }
      if stream.writer.written > 0 {
        phase = .changingFormat
        playToEnd()
        return false
      }
      closeStream()
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

  /// Waits for enough PCM of a sound that begins anew.
  private func awaitStart() {
    phase = .prebuffering
    prebuffer.reset()
    rebuffer.reset()
  }

  private func startIfReady() {
    guard phase == .prebuffering, chain.current != nil, let stream = output.readyStream, stream.writer.written > 0
    else { return }
    prebuffer.update(stream, buffered: clock.rate.time(of: clock.written), isPaused: isPaused)
  }

  private func startPlaying() {
    guard phase == .prebuffering, !isPaused, let stream = output.readyStream,
      stream.writer.written >= stream.prebuffer
    else { return }
    guard chain.current != nil else { return startWithoutFollower() }
    phase = .playing
    uncork()
  }

  /// Starts a sound that is written completely.
  private func startWithoutFollower() {
    guard phase == .prebuffering, chain.current == nil else { return }
    phase = .ending
    playToEnd()
  }

  private func uncork() {
    guard let stream = output.readyStream, stream.isCorked else { return }
    underruns.reset()
    stream.cork(false)
    output.volume.handleUncork()
    drain.renew(on: stream)
    stream.requestTiming()
    connection.updateWatchdog()
  }

  /// Continues with what is written, or waits for its end.
  private func continuePlaying() {
    switch phase {
    case .idle: break
    case .prebuffering, .rebuffering: writeAvailable()
    case .playing: if underruns.isDry { recoverInSilence() } else { uncork() }
    case .ending, .changingFormat: playToEnd()
    }
  }

  /// Handles that everything is written, and that nothing follows.
  private func awaitEnd() {
    if phase == .prebuffering, !isPaused, clock.written > .zero, let stream = output.readyStream,
      prebuffer.awaitFollower(stream)
    {
      return
    }
    phase = .ending
    guard output.stream != nil, clock.written > .zero else { return finish() }
    playToEnd()
  }

  /// Lets the server play everything that is written, and drains it, unless playback is paused.
  private func playToEnd() {
    guard !isPaused else { return }
    uncork()
    guard let stream = output.stream else { return }
    drain.start(on: stream, at: clock.written, latency: clock.latency)
  }

  private func finish() {
    let last = chain.lastBoundary?.generation
    if let stream = output.readyStream, !stream.isCorked { stream.cork(true) }
    connection.updateWatchdog()
    removeGenerations()
    chain.setFinished(last)
    if let last { emit(.finished(last)) }
  }

  // MARK: Discarding

  /// Removes every generation and stops the sound at once.
  private func discardAll() {
    removeGenerations()
    forgetPosition()
    flush()
  }

  /// Stops the sound at once: the server discards what it has.
  private func flush() {
    guard let stream = output.readyStream else { return }
    if !stream.isCorked { stream.cork(true) }
    if stream.writer.written > 0 { stream.flush() }
    drain.handleDiscard(after: nil)
    connection.updateWatchdog()
  }

  /// Removes every generation. What the server has got of them stays there, and the position stays where it is.
  private func removeGenerations() { removeGenerations(cancelsFade: true) }

  private func removeGenerations(cancelsFade: Bool) {
    drain.cancel()
    if cancelsFade { fade.cancel() }
    pump.reset()
    phase = .idle
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
    drain.cancel()
    if !isWriting { resumeWriting() }
    guard let stream = output.stream, clock.written != boundary.position else { return }
    // A fade in progress has rewritten the PCM to be discarded, and ends the sound at another frame.
    finishFade()
    if pump.discardWritten(after: boundary, from: stream) {
      drain.handleDiscard(after: boundary.position)
    } else {
      // PCM after the boundary is playing already, or no frame precedes the boundary: the next generation starts a new
      // sound.
      flush()
      chain.setBoundary(TrackBoundary(atStreamStartAfter: boundary.generation))
      clock.reset()
      awaitStart()
    }
    clock.publish()
  }

  private func continueAfterEdit() {
    switch phase {
    case .prebuffering, .playing, .rebuffering:
      if chain.current == nil { awaitEnd() } else { writeAvailable() }
    case .idle, .ending, .changingFormat: break
    }
  }

  // MARK: Fades

  /// Stops the sound at the end of a fade, or earlier, and asks the server at which frame it stopped: a sink that lags
  /// behind has played less than the clock shows. `finishFade` follows the response.
  func endFade() {
    guard fade.isActive, let stream = output.stream, !stream.isCorked else { return }
    guard phase != .idle else { return finishFade() }
    stream.cork(true)
    stream.requestTiming()
    connection.updateWatchdog()
  }

  /// Finishes a fade: after a stop, the rest is discarded; after a pause, what was not played is ready to continue.
  func finishFade() {
    guard let planned = fade.end, let stream = output.stream else { return }
    guard phase != .idle else {
      let closesStream = fade.closesStream
      fade.cancel()
      flush()
      if closesStream { closeStreamAndConnection() }
      return
    }
    guard let position = clock.change({ fade.finish(on: stream, &$0) }) else { return }
    drain.handleDiscard(after: nil)
    stream.requestTiming()
    connection.updateWatchdog()
    if position != planned { clock.hold(at: position) }
    writeAvailable()
    // A resume may have come while the server was asked.
    if !isPaused { continuePlaying() }
  }

  // MARK: The stream

  private func closeStream() {
    drain.reset()
    output.close()
  }

  /// Drops what there is to play, and closes the stream.
  func closeSound() {
    removeGenerations()
    closeStream()
  }

  /// Drops what there is to play and the stream. The owner must emit its loss.
  func dropSound() {
    removeGenerations()
    drain.reset()
    output.drop()
  }

  private func closeStreamAndConnection() {
    closeStream()
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
    // While PCM is written again piece by piece, a server that renders ahead runs dry after each piece, and after the last one
    // until more follows: reports about that part are ignored. A report whose end is not known is about an earlier sound.
    guard let end = stream.underflowFrame, end > clock.rewrittenEnd || end == clock.written else { return }
    handleDryReport(at: end)
  }

  /// Handles the report that the server played everything up to `end`; nil if the end is not known. More may have been written
  /// since.
  private func handleDryReport(at end: Frames?) {
    guard phase != .idle, !fade.isActive, underruns.acceptsDryReport(at: end, written: clock.written),
      let stream = output.stream, !stream.isCorked
    else { return }
    let isNew = !underruns.isDry
    underruns.markDry()
    connection.recordActivity()
    clock.stall(at: end)
    // The receiver of the events reads the clock.
    clock.publish()
    // While the end is played, nothing more comes.
    guard phase == .playing else { return }
    rebuffer.awaitSilence(after: clock.remaining)
    emit(.ranDry)
    if let reader = chain.current, prebuffer.wasEnqueuedTooLate(reader, before: end) { return }
    if isNew { emit(.underrun(total: underruns.count())) }
  }

  /// Whether the server plays the rest of what it has, and nothing more is written.
  private var isRunningDry: Bool { phase == .playing && underruns.isDry }

  /// Whether the server owes the corked stream a request for more PCM, after an underrun.
  var awaitsRoom: Bool { phase == .rebuffering && !isPaused && isRoomAwaited }

  /// Continues to write after the end of what was written.
  private func resumeWriting() {
    phase = .playing
    if underruns.isDry { rebuffer.awaitSilence(after: clock.remaining) }
  }

  /// Recovers from an underrun now if the stream is corked, or once the rest of the sound has been played.
  private func recoverInSilence() {
    if output.stream?.isCorked == true { recover() } else { rebuffer.awaitSilence(after: clock.remaining) }
  }

  /// Stops the stream after the server has run dry, until there is a head start.
  private func recover() {
    guard isRunningDry, !isPaused, !fade.isActive, let stream = output.readyStream else { return }
    phase = .rebuffering
    if !stream.isCorked { stream.cork(true) }
    stream.requestTiming()
    clock.freeze(at: .now)
    connection.updateWatchdog()
    rebuffer.begin()
    isRoomAwaited = false
    writeAvailable()
  }

  private func continueIfReady() {
    guard phase == .rebuffering, !isPaused, let stream = output.readyStream, let reader = chain.current else { return }
    let isEnough = rebuffer.update(
      stream, unplayed: clock.written - clock.playedFrame, isRingFull: reader.isRingFull)
    let needsRoom = !isEnough && !clock.awaitsPCM
    guard needsRoom != isRoomAwaited else { return }
    isRoomAwaited = needsRoom
    connection.updateWatchdog()
  }

  private func continueAfterUnderrun() {
    guard phase == .rebuffering, !isPaused else { return }
    phase = .playing
    uncork()
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
    guard phase != .idle, !stream.isSuspended, let timing = stream.timing else { return }
    // Notifications may still come for an earlier sound; timing is that of the present one.
    if timing.isPlaying { underruns.confirmPlaying() }
    clock.update(timing, corked: stream.isCorked)
    drain.handleRead(timing.read, rate: clock.rate)
    chain.removeBoundaries(before: clock.playedFrame, written: clock.written)
    drain.endIfDrained(rest: clock.remaining)
    if isRunningDry { rebuffer.awaitSilence(after: clock.remaining) }
    handleReadAhead()
  }

  /// Handles that the server has stated how far the sink reads ahead.
  func handleReadAhead() {
    guard phase == .prebuffering, !fade.isActive, let stream = output.readyStream else { return }
    prebuffer.handleReadAhead(of: stream, isPaused: isPaused)
  }

  /// Stops the clock at the last sign of the server or the sink, which hangs. Returns false if a fade must be finished first.
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
    underruns.markDry()
    clock.stall(at: end)
    requestTiming()
  }

  func streamEnded() {
    switch phase {
    case .ending: finish()
    case .changingFormat:
      closeStream()
      clock.restart(with: chain.current?.generation)
      chain.setBoundary(nil)
      awaitStart()
      writeAvailable()
    case .idle, .prebuffering, .playing, .rebuffering: break
    }
  }
}
