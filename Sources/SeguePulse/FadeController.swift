// Pulse thread only.
internal import SegueRing
internal import SegueSystem

/// The sound on its way to silence, after a pause or stop.
struct Fade {
  let ramp: Ramp
  /// As it runs on under the ramp; what is published stands at the end of it already.
  let clock: SinkClock
  /// Until it is silent.
  let timer: Timer
  /// Whether the stream goes then.
  var closes = false

  /// At the loudspeaker now; it goes no further than the ramp.
  var heard: Frames { min(clock.streamFrame(at: .now)?.frame ?? .zero, ramp.end) }
}

/// A short fade on pause and stop. Two seconds of sound lie at the server by then: they are written again, on a ramp that
/// ends in silence. Once that is heard the stream is corked, and after a pause gets what was not heard a second time, so
/// that it goes on, on a ramp as well, with the first frame that was silent. The stream's volume stays out of it: that is
/// the user's, and servers remember it.
extension Sink {
  /// Until what is written in place of something else counts: the way to the server, and what the sink cannot rewind.
  private static let margin = MediaTime.milliseconds(30)
  /// A sink that takes less at a time may be one that gives nothing back; one that takes more renders ahead, and does.
  private static let notRewound = MediaTime.milliseconds(200)
  /// The silence behind the ramp outlasts a machine that is late.
  private static let patience = MediaTime.milliseconds(500)

  func setFade(_ length: MediaTime) {
    settle()
    fadeLength = length
    stream?.keepsHistory = length > .zero
  }

  /// Lets the sound go down to silence; nil if there is none, or nothing can be done about it any more. Whoever calls
  /// keeps the answer as `fade`.
  func fadeOut() -> Fade? {
    guard fadeLength > .zero, fade == nil, !isSilent, let connection, let stream, stream.isReady, !stream.isCorked,
      let (heard, isAdvancing) = timeline.clock.streamFrame(at: .now), isAdvancing,
      case let start = reachable(after: heard, in: stream), start < timeline.written,
      stream.remembers(size(from: heard, in: stream))
    else { return nil }
    // On its way back it is soft still.
    let ramp = Ramp(
      at: start, from: timeline.rise?.depth(at: start) ?? 0, to: 1,
      whole: min(timeline.rate.frames(in: fadeLength), timeline.written - start))
    stream.rewrite(
      size(from: start, in: stream), silence: stream.format.bytes(in: Self.patience), shape: shaper(ramp, stream.format)
    )
    let rest = timeline.rate.time(of: ramp.end - heard) + Self.margin
    return Fade(ramp: ramp, clock: timeline.clock, timer: connection.timer(after: rest) { [unowned self] in endFade() })
  }

  /// Turns the ramp round: the sound comes back from where it is, or from silence if it has come to its end.
  func fadeIn() {
    guard let fade, let stream, !stream.isCorked else { return }
    let start = reachable(after: fade.heard, in: stream)
    guard start < fade.ramp.end else { return endFade() }
    self.fade = nil
    let ramp = Ramp(
      at: start, from: fade.ramp.depth(at: start), to: 0, whole: timeline.rate.frames(in: fadeLength))
    stream.rewrite(size(from: start, in: stream), shape: shaper(ramp, stream.format))
    timeline.goOn(as: fade.clock)
    timeline.rise = ramp
    timeline.rewritten = timeline.written
    publish()
    if let (generation, time) = timeline.clock.resumption(after: .now) { emit(.resumed(generation, at: time)) }
    pour()
    runOn()
  }

  /// Stops the sound, be it in the midst of the ramp. Where, the server is asked: of a sink that is late less was heard
  /// than the clock shows. `settle` follows its answer.
  func endFade() {
    guard fade != nil, let stream, !stream.isCorked else { return }
    guard phase != .idle else { return settle() }
    stream.cork(true)
    stream.requestTiming()
    keepVigil()
  }

  /// Ends the fade, and has what was not heard ready to go on: from where the sound stopped, or should have by the clock.
  func settle() {
    guard let fade, let stream else { return }
    self.fade = nil
    guard phase != .idle else {
      hush()
      if fade.closes { closeStream() }
      return
    }
    var frame = fade.heard
    if !stream.isCorked {
      stream.cork(true)
    } else if let read = stream.timing?.read, stream.remembers(size(from: read, in: stream)) {
      frame = min(read, fade.ramp.end)
    }
    let ramp = Ramp(at: frame, from: 1, to: 0, whole: timeline.rate.frames(in: fadeLength))
    stream.startAnew(withLast: size(from: frame, in: stream), shape: shaper(ramp, stream.format))
    timeline.rise = ramp
    drain?.note(takenBackTo: nil)
    stream.requestTiming()
    keepVigil()
    if frame != fade.ramp.end { stand(at: frame) }
    pour()
    // Somebody may have wanted it to go on while the server was asked.
    if !isPaused { runOn() }
  }

  /// Says where the sound stands, or will in a moment.
  func stand(at frame: Frames) {
    timeline.stand(at: frame, from: .now)
    publish()
    emit(.pauseFading)
  }

  /// The first frame behind `heard` that is heard as it is written from now on.
  private func reachable(after heard: Frames, in stream: PlaybackStream) -> Frames {
    let taken = stream.sinkBuffer
    return heard + timeline.rate.frames(in: Self.margin + (taken < Self.notRewound ? taken : .zero))
  }

  /// The bytes from `frame` of the stream to the end of what was written.
  private func size(from frame: Frames, in stream: PlaybackStream) -> Int {
    Int((timeline.written - frame).count) * stream.format.bytesPerFrame
  }

  /// For the pieces, one after the other, from where the ramp starts.
  private func shaper(_ ramp: Ramp, _ format: AudioFormat) -> (UnsafeMutableRawBufferPointer) -> Void {
    var next = ramp.start
    return { piece in
      ramp.shape(piece, first: next, of: format)
      next += Frames(piece.count / format.bytesPerFrame)
    }
  }
}
