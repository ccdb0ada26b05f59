public import SegueRing
public import SegueSystem
internal import Synchronization

/// A clock that tells the playback position at any time near the present without a request to the server. Frames of the
/// stream are counted from the last `play`; segments map them to frames of tracks.
public struct SinkClock: Sendable, Equatable {
  /// A part of the stream: from `start` on, its frames are those of `generation`, beginning with the frame `media`.
  struct Segment: Sendable, Equatable {
    var start: Frames
    var generation: Generation
    var media: Frames
  }

  /// A known position: at `time`, the stream's `frame` is at the loudspeaker.
  struct Anchor: Sendable, Equatable {
    var time: MonotonicTime
    var frame: Frames
  }

  /// The segments in ascending order of `start`.
  var segments: [Segment] = []
  var rate = SampleRate.cd
  /// The last known position; nil until the server has reported one.
  var anchor: Anchor?
  /// Whether the position advances from `anchor.time` on. Otherwise it stands at the anchor's frame.
  var isRunning = false
  /// The end of what was written; the position does not go beyond it.
  var written = Frames.zero
  /// The frame at which the server ran dry, at the end or before it; nil once the server plays again.
  var stall: Frames?
  /// Whether only PCM from the worker is missing for more sound.
  public internal(set) var awaitsPCM = false
  /// The lower bound of the position: it has been shown already.
  var floor = Frames.zero

  /// The time from writing a frame until it is played; nil while no stream is open.
  public internal(set) var latency: MediaTime?

  /// Returns the generation, and the frame of its track, that plays at `time`; nil while nothing plays. `advancing` is
  /// false while the position stands still: during a pause, after an underrun, and after a loss.
  public func position(
    at time: MonotonicTime
  ) -> (generation: Generation, frame: Frames, rate: SampleRate, advancing: Bool)? {
    guard let (frame, advancing) = streamFrame(at: time),
      let segment = segments.last(where: { $0.start <= frame })
    else { return nil }
    // At the first frame of all, without advancing, nothing has been played yet.
    if !advancing, let first = segments.first, frame == first.start { return nil }
    return (segment.generation, segment.media + (frame - segment.start), rate, advancing)
  }

  /// Returns the stream's frame at the loudspeaker.
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

  /// Returns the generation that plays once the position advances, and the time from which it does: `time` if it
  /// advances by then. Returns nil while the position stands still.
  func resumption(after time: MonotonicTime) -> (generation: Generation, time: MonotonicTime)? {
    guard let anchor else { return nil }
    let start = max(time, anchor.time)
    guard let position = position(at: start), position.advancing else { return nil }
    return (position.generation, start)
  }

  /// Returns the time at which the stream's `frame` is at the loudspeaker; nil while the position stands still.
  func time(of frame: Frames) -> MonotonicTime? {
    guard let anchor, isRunning else { return nil }
    return anchor.time + rate.time(of: frame - anchor.frame)
  }
}

/// The clock as the pulse thread published it last. The pulse thread writes it, and any thread reads it. The lock is
/// held for a copy.
final class PublishedClock: Sendable {
  private let clock = Mutex(SinkClock())

  var current: SinkClock { clock.withLock { $0 } }

  func publish(_ clock: SinkClock) { self.clock.withLock { $0 = clock } }

  /// Publishes the clock unless a reader copies it at this moment. This is sufficient if only more was written: the
  /// previous clock is still true, except that its sound ends sooner.
  func publishUnlessContended(_ clock: SinkClock) { self.clock.withLockIfAvailable { $0 = clock } }
}
