internal import SegueRing
internal import SegueSystem

/// What the server said about the stream at `time`, in frames since the last flush.
struct StreamTiming: Equatable {
  var time: MonotonicTime
  /// Taken out of the stream's buffer by the sink.
  var read: Frames
  /// From there to the loudspeaker.
  var sinkLatency: MediaTime
  var isPlaying: Bool
  /// Played since the last silence, or silence since the last sound; nil if it has not begun at all.
  var sinceChange: Frames?
}

/// The clock as the pulse thread writes it: what has been handed over, and what the server says of it.
struct Timeline {
  private(set) var clock = SinkClock()
  /// On which the sound came back last, after a fade.
  var rise: Ramp?
  /// Up to here everything had been written once when some of it was written again.
  var rewritten = Frames.zero
  private var announced: [(generation: Generation, time: MonotonicTime)] = []

  /// How much a moment may move before it is announced again.
  static let tolerance = MediaTime.milliseconds(20)
  /// A step back that is hidden by standing still; a larger one is a new truth.
  static let hiddenStep = MediaTime.milliseconds(250)

  /// Of the stream.
  var rate: SampleRate {
    get { clock.rate }
    set { clock.rate = newValue }
  }

  var written: Frames { clock.written }

  /// Where in the stream a generation begins, if it has begun and is not over.
  func start(of generation: Generation) -> Frames? {
    clock.segments.first { $0.generation == generation }?.start
  }

  /// The next frames are those of `generation`, from `media` on.
  mutating func begin(_ generation: Generation, at media: Frames) {
    clock.segments.append(SinkClock.Segment(start: clock.written, generation: generation, media: media))
  }

  mutating func awaitPCM(_ awaits: Bool) { clock.awaitsPCM = awaits }

  mutating func wrote(_ frames: Frames) { clock.written += frames }

  /// Takes back what was written from `frame` on. Precondition: it is not beyond what was written.
  mutating func rewind(to frame: Frames) {
    precondition(frame <= clock.written, "there is nothing to take back")
    clock.segments.removeAll { $0.start >= frame }
    announced.removeAll { known in !clock.segments.contains { $0.generation == known.generation } }
    clock.written = frame
  }

  /// The server ran dry: the sound goes no further than `frame`, whatever was written since.
  mutating func starve(at frame: Frames) { clock.stall = min(frame, clock.written) }

  /// The sound stops where it is at `time`.
  mutating func freeze(at time: MonotonicTime) {
    guard let (frame, _) = clock.streamFrame(at: time) else { return }
    clock.anchor = SinkClock.Anchor(time: time, frame: frame)
    clock.isRunning = false
  }

  /// The sound stands at `frame` from `time` on, whatever was heard before.
  mutating func stand(at frame: Frames, from time: MonotonicTime) {
    clock.anchor = SinkClock.Anchor(time: time, frame: frame)
    clock.isRunning = false
    clock.floor = .zero
  }

  /// The sound does not stand after all, and nothing was handed over since.
  mutating func goOn(as clock: SinkClock) { self.clock = clock }

  /// Takes over what the server said.
  mutating func update(_ timing: StreamTiming, corked: Bool, now: MonotonicTime) {
    let before = clock.streamFrame(at: now)?.frame
    let ahead = clock.rate.frames(in: timing.sinkLatency)
    if corked {
      // The sink gave back what it had not played.
      clock.anchor = SinkClock.Anchor(time: timing.time, frame: timing.read)
      clock.isRunning = false
    } else if timing.isPlaying, let played = timing.sinceChange {
      clock.stall = nil
      if played < ahead {
        // Before the sound, silence is still on its way to the loudspeaker.
        let delay = clock.rate.time(of: ahead - played)
        clock.anchor = SinkClock.Anchor(time: timing.time + delay, frame: timing.read - played)
      } else {
        clock.anchor = SinkClock.Anchor(time: timing.time, frame: timing.read - ahead)
      }
      clock.isRunning = true
    } else if let silent = timing.sinceChange {
      clock.anchor = SinkClock.Anchor(time: timing.time, frame: timing.read - max(.zero, ahead - silent))
      clock.isRunning = true
      // Dry it is only where it said so: just uncorked, it is silent with all there is to play.
      clock.stall = clock.stall ?? clock.written
    } else {
      return
    }
    settle(after: before, at: now)
  }

  /// Keeps what is shown from stepping back a little, and forgets segments that are over.
  private mutating func settle(after before: Frames?, at now: MonotonicTime) {
    clock.floor = .zero
    guard let (frame, _) = clock.streamFrame(at: now) else { return }
    clock.latency = clock.rate.time(of: clock.written - frame)
    if let before, frame < before, clock.rate.time(of: before - frame) < Self.hiddenStep { clock.floor = before }
    while clock.segments.count > 1, clock.segments[1].start <= frame { clock.segments.removeFirst() }
  }

  /// The generations whose beginning is now known, or known better, and has not passed.
  mutating func announcements(at now: MonotonicTime) -> [(SinkClock.Segment, at: MonotonicTime)] {
    var news: [(SinkClock.Segment, at: MonotonicTime)] = []
    // By index, for this runs on the audio path: an iterator allocates where it is not specialised.
    for number in 0..<clock.segments.count {
      let segment = clock.segments[number]
      guard let time = clock.time(of: segment.start) else { continue }
      var index = announced.count - 1
      while index >= 0, announced[index].generation != segment.generation { index -= 1 }
      if index >= 0 {
        let known = announced[index].time
        guard now < known || now < time, abs((time - known).nanoseconds) > Self.tolerance.nanoseconds else { continue }
        announced[index].time = time
      } else {
        announced.append((segment.generation, time))
        if announced.count > 8 { announced.removeFirst() }
      }
      news.append((segment, at: time))
    }
    return news
  }

  /// What was announced of `generation` holds on in this timeline: it went on in another stream.
  mutating func inherit(_ generation: Generation, from other: Timeline) {
    if let known = other.announced.last(where: { $0.generation == generation }) { announced.append(known) }
  }
}
