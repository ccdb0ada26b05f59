// Pulse thread only.
internal import SegueRing
internal import SegueSystem

/// How a stream comes to its end: everything is handed over, and the last frame is to be heard.
extension Sink {
  /// The clock may be so far ahead of the loudspeaker.
  private static let margin = MediaTime.milliseconds(20)

  /// Asks to be told when all that was handed over has been heard; the server may forget to, so there is a limit.
  func awaitEnd() {
    guard stream != nil, let connection else { return }
    let drain = Drain(at: timeline.written)
    self.drain = drain
    ask(drain)
    let limit = (timeline.clock.latency ?? .zero) + PlaybackStream.buffered + PlaybackStream.buffered
    endTimer = connection.timer(after: limit) { [unowned self] in endWasHeard() }
  }

  func callOffDrain() {
    if drain?.state == .answered { drain = nil }
    drain?.callOff()
    endTimer = nil
  }

  private func ask(_ drain: Drain) {
    stream?.drain { [unowned self] wasHeard in drained(drain, wasHeard: wasHeard) }
  }

  /// Asks again for an answer that libpulse does not wait for any more, if there is one. Not while the stream is corked:
  /// nothing runs dry then, and it would wake us.
  func renewDrain() {
    if let drain, drain.state != .answered, stream?.isCorked == false, drain.renew() { ask(drain) }
  }

  private func drained(_ drain: Drain, wasHeard: Bool) {
    guard drain === self.drain else { return }
    guard wasHeard else { return renewDrain() }
    if drain.state == .calledOff {
      self.drain = nil
      // Published with the timing that is asked for: the sound may have gone beyond what was written then.
      if ranDry(at: drain.end) { countUnderrun() }
    } else {
      drain.answer()
      isDry = true
      timeline.starve(at: drain.end ?? timeline.written)
    }
    askTiming()
  }

  /// PulseAudio says that a stream is drained as soon as its sink has taken the last frame, if that was so when it was
  /// asked. The sink may hold a second of sound, which corking would cut off: the clock decides.
  func settleEnd() {
    guard drain?.state == .answered, let connection else { return }
    let heard = timeline.clock.streamFrame(at: .now)?.frame ?? .zero
    let rest = timeline.rate.time(of: timeline.written - heard)
    if rest > .zero {
      endTimer = connection.timer(after: rest + Self.margin) { [unowned self] in endWasHeard() }
    } else {
      endWasHeard()
    }
  }

  private func endWasHeard() {
    callOffDrain()
    switch phase {
    case .ending: finish()
    case .changing:
      closeStream()
      let old = timeline
      timeline = Timeline()
      if let feed = feeds.first { timeline.inherit(feed.generation, from: old) }
      joints = []
      awaitStart()
      pour()
    default: break
    }
  }

  func finish() {
    let last = joints.last?.generation
    if let stream, stream.isReady, !stream.isCorked { stream.cork(true) }
    keepVigil()
    dropGenerations()
    finished = last
    if let last { emit(.finished(last)) }
  }
}
