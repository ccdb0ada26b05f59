public import SegueRing
public import SegueSystem

/// Where the sound is: a value that answers for any moment near now, without asking anybody. Frames of the stream are
/// counted from the last `play`; segments map them to frames of tracks.
public struct SinkClock: Sendable, Equatable {
  /// From here on in the stream, frames are those of `generation`, beginning with its `media`.
  struct Segment: Sendable, Equatable {
    var start: Frames
    var generation: Generation
    var media: Frames
  }

  /// At `time` the stream's `frame` is at the loudspeaker.
  struct Anchor: Sendable, Equatable {
    var time: MonotonicTime
    var frame: Frames
  }

  /// By `start`, ascending.
  var segments: [Segment] = []
  var rate = SampleRate.cd
  /// nil until the server has told.
  var anchor: Anchor?
  /// Whether the sound moves on from `anchor.time`. If not, the anchor's frame is where it stands.
  var isRunning = false
  /// What the server has got; sound goes no further.
  var written = Frames.zero
  /// Where the server ran dry, at the end as well as before it, until it plays again.
  var stall: Frames?
  /// Whether all that is missing for more sound is PCM from the worker.
  public internal(set) var awaitsPCM = false
  /// What has been shown already; nothing below it is shown again.
  var floor = Frames.zero

  /// From handing a frame to the server until it is heard; nil while nothing is open.
  public internal(set) var latency: MediaTime?

  /// The generation and the frame of its track that is heard at `time`; nil while nothing is. `advancing` is false while
  /// the sound stands: paused, run dry, lost.
  public func position(
    at time: MonotonicTime
  ) -> (generation: Generation, frame: Frames, rate: SampleRate, advancing: Bool)? {
    guard let (frame, advancing) = streamFrame(at: time),
      let segment = segments.last(where: { $0.start <= frame })
    else { return nil }
    // Standing at the very first frame: nothing has been heard yet.
    if !advancing, let first = segments.first, frame == first.start { return nil }
    return (segment.generation, segment.media + (frame - segment.start), rate, advancing)
  }

  /// The stream's frame at the loudspeaker.
  func streamFrame(at time: MonotonicTime) -> (frame: Frames, advancing: Bool)? {
    guard let anchor else { return nil }
    let end = min(written, stall ?? written)
    var frame = anchor.frame
    var advancing = isRunning && time >= anchor.time
    if advancing {
      frame += rate.frames(in: time - anchor.time)
      if frame >= end { advancing = false }
    }
    return (min(max(frame, floor), end), advancing)
  }

  /// What is heard once the sound moves, and when it does: at `time`, if it moves then; nil while it stands.
  func resumption(after time: MonotonicTime) -> (generation: Generation, time: MonotonicTime)? {
    guard let anchor else { return nil }
    let moment = max(time, anchor.time)
    guard let heard = position(at: moment), heard.advancing else { return nil }
    return (heard.generation, moment)
  }

  /// When the stream's `frame` will be, or was, at the loudspeaker; nil while the sound stands.
  func time(of frame: Frames) -> MonotonicTime? {
    guard let anchor, isRunning else { return nil }
    return anchor.time + rate.time(of: frame - anchor.frame)
  }
}
