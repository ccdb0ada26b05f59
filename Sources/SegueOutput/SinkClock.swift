public import SegueRing
public import SegueSystem
internal import Synchronization

/// A clock that tells the playback position at any time near the present without a request to the server. Frames of the
/// stream are counted from the start of the sound; segments map them to frames of tracks.
public struct SinkClock: Sendable, Equatable {
  /// A part of the stream: from `start` on, its frames are those of `generation`, beginning with the frame
  /// `mediaFrame`, from which the track advances at `speed`.
  public struct Segment: Sendable, Equatable {
    public var start: Frames
    public var generation: Generation
    public var mediaFrame: Frames
    public var speed: PlaybackSpeed

    public init(start: Frames, generation: Generation, mediaFrame: Frames, speed: PlaybackSpeed) {
      (self.start, self.generation, self.mediaFrame, self.speed) = (start, generation, mediaFrame, speed)
    }
  }

  /// A known position: at `time`, the stream's `frame` is at the loudspeaker.
  public struct Anchor: Sendable, Equatable {
    public var time: MonotonicTime
    public var frame: Frames

    public init(time: MonotonicTime, frame: Frames) { (self.time, self.frame) = (time, frame) }
  }

  /// The segments in ascending order of `start`.
  public var segments: [Segment] = []
  public var rate = SampleRate.cd
  /// The number of bytes of a frame of the stream; 0 before a stream has begun.
  public var bytesPerFrame = 0
  /// The last known position; nil until the server has reported one.
  public var anchor: Anchor?
  /// Whether the position advances from `anchor.time` on. Otherwise it stands at the anchor's frame.
  public var isRunning = false
  /// The end of what was written; the position does not go beyond it.
  public var written = Frames.zero
  /// The frame at which the server ran dry: the end of what was written, or an earlier frame if more was written since.
  /// nil once the server plays again.
  public var stall: Frames?
  /// Whether the sink waits for PCM from the worker, and for nothing else.
  public var awaitsPCM = false
  /// The lower bound of the position: a frame that was shown already, from which the position must not step back.
  public var floor = Frames.zero
  /// The position at which the sound before this one ended without a command: at its end, at a change of the format, or
  /// at a loss.
  public var end: Position?

  /// The first frame that was written to the tap (`SoundTap`); nil if there is none. All that follow were written, too.
  public var tapStart: Frames?
  /// The time from writing a frame until it is played; nil while no stream is open.
  public var latency: MediaTime?

  public init() {}

  /// A position in a track.
  public struct Position: Sendable, Equatable {
    public let generation: Generation
    /// The frame of the track, at `rate`.
    public let frame: Frames
    public let rate: SampleRate
    /// The speed at which the track is played.
    public let speed: PlaybackSpeed
    /// Whether the position advances. It stands still during a pause, after an underrun, and after a loss.
    public let advancing: Bool

    public init(generation: Generation, frame: Frames, rate: SampleRate, speed: PlaybackSpeed, advancing: Bool) {
      (self.generation, self.frame, self.rate) = (generation, frame, rate)
      (self.speed, self.advancing) = (speed, advancing)
    }
  }

  /// Returns the position that plays at `time`; nil while nothing plays.
  public func position(at time: MonotonicTime) -> Position? {
    guard let (frame, advancing) = streamFrame(at: time),
      let segment = segments.last(where: { $0.start <= frame })
    else { return nil }
    // A position that stands at the first frame means that nothing has been played yet.
    if !advancing, let first = segments.first, frame == first.start { return nil }
    return Position(
      generation: segment.generation, frame: segment.mediaFrame + segment.speed.length(playedIn: frame - segment.start),
      rate: rate, speed: segment.speed, advancing: advancing)
  }

  /// Returns the position that plays at `time`; between the end of a sound and the start of the next one, the position
  /// at which it ended; nil if nothing has played since the last command to play or to stop.
  public func latestPosition(at time: MonotonicTime) -> Position? { position(at: time) ?? end }

  /// Returns the speed at which `generation` is played, or begins; nil if nothing of it is on the clock.
  public func speed(of generation: Generation) -> PlaybackSpeed? {
    segments.first { $0.generation == generation }?.speed
  }

  /// Returns the stream's frame at the loudspeaker.
  public func streamFrame(at time: MonotonicTime) -> (frame: Frames, advancing: Bool)? {
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

  /// The time at which the position stops because the server ran dry; nil if the server plays, or if the time is
  /// unknown.
  public var stallTime: MonotonicTime? { stall.flatMap { time(of: min($0, written)) } }

  /// Returns the length of what was written and is not played at `time`.
  public func unplayed(at time: MonotonicTime) -> MediaTime {
    rate.time(of: written - (streamFrame(at: time)?.frame ?? .zero))
  }

  /// Returns the length of PCM of the stream's format; nil before a stream has begun.
  public func length(ofBytes count: Int) -> MediaTime? {
    bytesPerFrame > 0 ? rate.time(of: Frames(count / bytesPerFrame)) : nil
  }

  /// Returns the generation that plays when the position advances, and the time from which it advances: `time`, or the
  /// anchor's time if that is later. Returns nil while the position stands still.
  public func resumption(after time: MonotonicTime) -> (generation: Generation, time: MonotonicTime)? {
    guard let anchor else { return nil }
    let start = max(time, anchor.time)
    guard let position = position(at: start), position.advancing else { return nil }
    return (position.generation, start)
  }

  /// Returns the time at which the position is `time` of the track of `generation`, if it does not stand still before;
  /// nil while it does, and if nothing of the generation is on the clock.
  public func time(of time: MediaTime, in generation: Generation) -> MonotonicTime? {
    let parts = segments.filter { $0.generation == generation }
    guard let part = parts.last(where: { rate.time(of: $0.mediaFrame) <= time }) ?? parts.first else { return nil }
    let played = part.speed.time(toPlay: time - rate.time(of: part.mediaFrame))
    let frame = part.start + rate.frames(in: played)
    if let stall, frame >= stall { return nil }
    return self.time(of: frame)
  }

  /// Returns the time at which the stream's `frame` is at the loudspeaker; nil while the position stands still.
  public func time(of frame: Frames) -> MonotonicTime? {
    guard let anchor, isRunning else { return nil }
    return anchor.time + rate.time(of: frame - anchor.frame)
  }
}

/// The clock as an output published it last. A thread of the output writes it, and any thread reads it. The lock is
/// held for a copy.
public final class PublishedClock: Sendable {
  private let clock = Mutex(SinkClock())

  public init() {}

  /// The clock that was published last.
  public var current: SinkClock { clock.withLock { $0 } }

  /// Publishes the clock. It waits while a reader copies the one before.
  public func publish(_ clock: SinkClock) { self.clock.withLock { $0 = clock } }

  /// Publishes the clock unless a reader copies it at this moment. This is sufficient if nothing has changed except
  /// that more was written: in the previous clock only the end of the sound is too early.
  public func publishUnlessContended(_ clock: SinkClock) { self.clock.withLockIfAvailable { $0 = clock } }
}
