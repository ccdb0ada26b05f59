// Pulse thread only.
internal import SegueRing
internal import SegueSystem

/// What the server was asked: to say when all that it has got is heard. As long as it owes that answer, it says nothing
/// else of running dry.
final class Drain {
  /// What was written until then; nil once the server is beyond it, or has forgotten it.
  var end: Frames?
  /// Whether that is the end. If it no longer is, something has followed, and the answer is news of an underrun.
  var isWanted = true
  var isAnswered = false

  init(at end: Frames) { self.end = end }
}

/// How a stream comes to its end: everything is handed over, and the last frame is to be heard.
extension Sink {
  /// The clock may be so far ahead of the loudspeaker.
  private static let margin = MediaTime(nanoseconds: 20_000_000)

  /// Asks to be told when all that was handed over has been heard; the server may forget to, so there is a limit.
  func awaitEnd() {
    guard let stream, let connection else { return }
    let drain = Drain(at: timeline.written)
    self.drain = drain
    stream.drain { [unowned self] in drained(drain) }
    let limit = (timeline.clock.latency ?? .zero) + PlaybackStream.buffered + PlaybackStream.buffered
    endTimer = connection.timer(after: limit) { [unowned self] in endWasHeard() }
  }

  func callOffDrain() {
    drain?.isWanted = false
    endTimer = nil
  }

  private func drained(_ drain: Drain) {
    guard drain === self.drain else { return }
    drain.isAnswered = true
    if drain.isWanted {
      timeline.starve(at: drain.end ?? timeline.written)
    } else {
      ranDry(at: drain.end)
    }
    askTiming()
  }

  /// PulseAudio says that a stream is drained as soon as its sink has taken the last frame, if that was so when it was
  /// asked. The sink may hold a second of sound, which corking would cut off: the clock decides.
  func settleEnd() {
    guard let drain, drain.isWanted, drain.isAnswered, let connection else { return }
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
