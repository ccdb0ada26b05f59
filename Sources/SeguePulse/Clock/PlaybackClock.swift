// Thread: the pulse thread. `extendWritten`, `awaitsPCM`, `publishWritten`, `announce` and `isTimingDue` are part of
// the audio path.

internal import SegueOutput
internal import SegueRing
internal import SegueSystem

/// The clock of the playback: it owns the timeline, publishes the clock, and emits the times at which generations
/// start.
final class PlaybackClock {
  private let publishedClock: PublishedClock
  private let emit: (SinkEvent) -> Void
  private var timingSchedule = TimingSchedule()
  /// The timeline. A change takes effect for other threads with `publish`.
  private(set) var timeline = Timeline()
  /// Whether the position was stopped, and no resumption was emitted since.
  private var hasStopped = false

  init(_ publishedClock: PublishedClock, _ emit: @escaping (SinkEvent) -> Void) {
    self.publishedClock = publishedClock
    self.emit = emit
  }

  /// The position up to which the sound was heard; nil if nothing was heard since the last command to play or to stop.
  var position: TrackPosition? {
    timeline.clock.latestPosition(at: .now).map {
      TrackPosition(generation: $0.generation, frame: $0.frame, rate: $0.rate)
    }
  }

  /// The position at which the sound ends now.
  private var end: SinkClock.Position? {
    timeline.clock.latestPosition(at: .now).map {
      SinkClock.Position(generation: $0.generation, frame: $0.frame, rate: $0.rate, speed: $0.speed, advancing: false)
    }
  }

  /// The sampling rate of the stream.
  var rate: SampleRate { timeline.rate }

  /// The frames that have been written to the stream.
  var written: Frames { timeline.written }

  /// The end of the PCM that has been written more than once, for a fade.
  var rewrittenEnd: Frames { timeline.rewrittenEnd }

  /// The ramp on which the sound came back after the last fade.
  var resumeRamp: Ramp? { timeline.resumeRamp }

  /// The number of generations that are written and have not been played to their end.
  var segmentCount: Int { timeline.clock.segments.count }

  /// The time from writing a frame until it is played; zero while it is unknown.
  var latency: MediaTime { timeline.clock.latency ?? .zero }

  /// The frame of the stream at the loudspeaker; zero while it is unknown.
  var playedFrame: Frames { timeline.clock.streamFrame(at: .now)?.frame ?? .zero }

  /// The time until everything that is written has been played.
  var remaining: MediaTime { timeline.rate.time(of: timeline.written - playedFrame) }

  // MARK: Writing

  /// Forgets the sound and its position, because of a command.
  func reset() {
    timeline = Timeline()
    hasStopped = false
  }

  /// Starts a new timeline, because the sound has ended or was lost. The position stays where it is until the next
  /// sound is heard.
  func endSound() {
    timeline = Timeline(after: end)
    hasStopped = false
  }

  /// Starts a new timeline in which `generation` is announced as in the present one: it continues in a new stream.
  func restart(with generation: Generation?) {
    let old = timeline
    timeline = Timeline(after: end)
    if let generation { timeline.inheritAnnouncement(of: generation, from: old) }
  }

  /// Begins `generation`, whose PCM has this format, at the end of what was written, with the frame `mediaFrame` of its
  /// track, which advances at `speed`.
  func begin(_ generation: Generation, at mediaFrame: Frames, speed: PlaybackSpeed, _ format: AudioFormat) {
    timeline.rate = format.rate
    timeline.clock.bytesPerFrame = format.bytesPerFrame
    timeline.begin(generation, at: mediaFrame, speed: speed)
  }

  func extendWritten(by frames: Frames) { timeline.extendWritten(by: frames) }

  /// Records that the frames from `frame` on are written to the tap, too; nil if none are.
  func recordTap(from frame: Frames?) { timeline.recordTap(from: frame) }

  /// Whether what was written last is in the tap.
  var isTapped: Bool { timeline.clock.tapStart != nil }

  /// Whether the sink waits for PCM from the worker, and for nothing else.
  var awaitsPCM: Bool {
    get { timeline.clock.awaitsPCM }
    set { timeline.clock.awaitsPCM = newValue }
  }

  /// Discards what was written from `frame` on.
  func rewind(to frame: Frames) { timeline.rewind(to: frame) }

  /// Applies a change of a fade, which concerns several parts of the timeline.
  func change<Result>(_ body: (inout Timeline) -> Result) -> Result { body(&timeline) }

  // MARK: Publishing

  func publish() { publishedClock.publish(timeline.clock) }

  /// Publishes the clock after more was written, and nothing else changed. Unlike `publish`, it never waits.
  func publishWritten() { publishedClock.publishUnlessContended(timeline.clock) }

  /// Emits the start times of generations that are now known, or known better. Must be called after `publish`: the
  /// receiver of the event finds the generation on the clock.
  func announce() {
    for (segment, time) in timeline.announcements(at: .now) {
      emit(.scheduled(segment.generation, at: time))
    }
  }

  /// Emits that the generation that stood still continues, if it does.
  func emitResumption(after time: MonotonicTime) {
    guard let (generation, time) = timeline.clock.resumption(after: time) else { return }
    hasStopped = false
    emit(.resumed(generation, at: time))
  }

  // MARK: Stopping

  /// Stops the clock where the server ran dry: at `end`, or at the end of what was written if `end` is nil.
  func stall(at end: Frames?) {
    hasStopped = true
    timeline.stall(at: end ?? timeline.written)
  }

  /// Stops the clock at `time`, and publishes that.
  func freeze(at time: MonotonicTime) {
    hasStopped = true
    timeline.freeze(at: time)
    publish()
  }

  /// Publishes the position at which a pause stops the sound, now or in a moment, and emits that it is known.
  func hold(at frame: Frames) {
    timeline.hold(at: frame, from: .now)
    publish()
    emit(.pauseFading)
  }

  // MARK: Timing

  /// Whether the server must be asked for its timing again.
  var isTimingDue: Bool { timingSchedule.isDue }

  func recordTimingRequest() { timingSchedule.recordRequest() }

  /// Sets the clock from the server's timing.
  func update(_ timing: StreamTiming, corked: Bool) {
    let now = MonotonicTime.now
    let stoodStill = hasStopped || timeline.clock.position(at: now)?.advancing == false
    timeline.update(timing, corked: corked, now: now)
    publish()
    announce()
    if stoodStill { emitResumption(after: now) }
  }
}

/// The schedule on which timing is requested.
private struct TimingSchedule {
  /// The age at which timing is requested again, together with the next write. Libpulse's automatic requests would wake
  /// this process; between two responses the sink's clock drifts by a few microseconds at most.
  private static let interval = MediaTime.seconds(4)
  private static let sleepTolerance = MediaTime.milliseconds(100)

  private var lastRequest = MonotonicTime(nanoseconds: 0)
  private var suspendedTimeAtRequest = MediaTime.zero

  /// Whether timing is old, or is from before the machine slept.
  var isDue: Bool {
    MonotonicTime.now - lastRequest > Self.interval
      || BootTime.suspendedTime - suspendedTimeAtRequest > Self.sleepTolerance
  }

  mutating func recordRequest() {
    lastRequest = .now
    suspendedTimeAtRequest = BootTime.suspendedTime
  }
}

/// The mapping from frames of the stream to times and tracks. It derives the clock that the pulse thread publishes from
/// the PCM that was written and from the timing that the server reports.
struct Timeline {
  fileprivate(set) var clock: SinkClock
  /// The ramp on which the sound came back after the last fade.
  var resumeRamp: Ramp?
  /// The end of the PCM that has been written more than once, for a fade.
  private(set) var rewrittenEnd = Frames.zero
  /// The start times that were emitted last, by generation.
  private var announced: [(generation: Generation, time: MonotonicTime)] = []

  /// The change of an announced time that causes a new announcement.
  static let tolerance = MediaTime.milliseconds(20)
  /// The largest step back that is hidden: the position then stands still instead. A larger step is shown.
  static let maximumHiddenStep = MediaTime.milliseconds(250)
  /// The number of announcements that are remembered.
  private static let maximumAnnounced = 8

  /// Creates a timeline without PCM. `end` is the position at which the sound before it ended.
  init(after end: SinkClock.Position? = nil) {
    clock = SinkClock()
    clock.end = end
  }

  /// The sampling rate of the stream.
  var rate: SampleRate {
    get { clock.rate }
    set { clock.rate = newValue }
  }

  /// The frames that have been written to the stream.
  var written: Frames { clock.written }

  // MARK: Writing

  /// Begins `generation` at the end of what was written, with the frame `mediaFrame` of its track, which advances at
  /// `speed`.
  mutating func begin(_ generation: Generation, at mediaFrame: Frames, speed: PlaybackSpeed = .normal) {
    clock.segments.append(
      SinkClock.Segment(start: clock.written, generation: generation, mediaFrame: mediaFrame, speed: speed))
  }

  mutating func extendWritten(by frames: Frames) { clock.written += frames }

  /// Records the first frame in the tap; nil if there is none.
  mutating func recordTap(from frame: Frames?) { clock.tapStart = frame }

  /// Discards what was written from `frame` on. Precondition: `frame` is not beyond the end of what was written.
  mutating func rewind(to frame: Frames) {
    precondition(frame <= clock.written, "the frame has not been written")
    clock.segments.removeAll { $0.start >= frame }
    announced.removeAll { known in !clock.segments.contains { $0.generation == known.generation } }
    clock.written = frame
  }

  // MARK: Stopping and continuing

  /// Stops the position at `frame`, where the server ran dry, even if more was written since.
  mutating func stall(at frame: Frames) { clock.stall = min(frame, clock.written) }

  /// Stops the position where it is at `time`.
  mutating func freeze(at time: MonotonicTime) {
    guard let (frame, _) = clock.streamFrame(at: time) else { return }
    clock.anchor = SinkClock.Anchor(time: time, frame: frame)
    clock.isRunning = false
  }

  /// Stops the position at `frame` from `time` on, even if a later frame was shown before.
  mutating func hold(at frame: Frames, from time: MonotonicTime) {
    clock.anchor = SinkClock.Anchor(time: time, frame: frame)
    clock.isRunning = false
    clock.floor = .zero
  }

  /// Restores the clock from before `hold`, and lets the sound come back on `ramp`, for which PCM was rewritten.
  /// Precondition: nothing else was written since.
  mutating func resume(_ clock: SinkClock, on ramp: Ramp) {
    self.clock = clock
    resumeRamp = ramp
    rewrittenEnd = written
  }

  // MARK: Timing

  /// Sets the clock from the server's timing.
  mutating func update(_ timing: StreamTiming, corked: Bool, now: MonotonicTime) {
    let shown = clock.streamFrame(at: now)?.frame
    let ahead = clock.rate.frames(in: timing.sinkLatency)
    if corked {
      // The sink has returned the frames that it had not played.
      clock.anchor = SinkClock.Anchor(time: timing.time, frame: timing.read)
      clock.isRunning = false
    } else if timing.isPlaying, let played = timing.sincePlayingChanged {
      clock.stall = nil
      if played < ahead {
        // The silence from before the sound is still on its way to the loudspeaker.
        let delay = clock.rate.time(of: ahead - played)
        clock.anchor = SinkClock.Anchor(time: timing.time + delay, frame: timing.read - played)
      } else {
        clock.anchor = SinkClock.Anchor(time: timing.time, frame: timing.read - ahead)
      }
      clock.isRunning = true
    } else if let silent = timing.sincePlayingChanged {
      clock.anchor = SinkClock.Anchor(time: timing.time, frame: timing.read - max(.zero, ahead - silent))
      clock.isRunning = true
      // Silence alone does not mean that the server ran dry: it may have been uncorked just now, with everything still
      // to play. The position stops before the end only at a frame at which the server reported to have run dry.
      clock.stall = clock.stall ?? clock.written
    } else {
      return
    }
    finishUpdate(shown: shown, at: now)
  }

  /// Hides a small step back from the frame that was shown, sets the latency, and removes segments that were played.
  private mutating func finishUpdate(shown: Frames?, at now: MonotonicTime) {
    clock.floor = .zero
    guard let (frame, _) = clock.streamFrame(at: now) else { return }
    clock.latency = clock.rate.time(of: clock.written - frame)
    if let shown, frame < shown, clock.rate.time(of: shown - frame) < Self.maximumHiddenStep { clock.floor = shown }
    while clock.segments.count > 1, clock.segments[1].start <= frame { clock.segments.removeFirst() }
  }

  /// Returns the generations whose start time is now known, or known better, and has not passed.
  mutating func announcements(at now: MonotonicTime) -> [(SinkClock.Segment, at: MonotonicTime)] {
    var announcements: [(SinkClock.Segment, at: MonotonicTime)] = []
    // By index, because this runs in the write callback: an unspecialised iterator allocates.
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
        if announced.count > Self.maximumAnnounced { announced.removeFirst() }
      }
      announcements.append((segment, at: time))
    }
    return announcements
  }

  /// Keeps the announcement of `generation`, which continues in this timeline with a new stream.
  mutating func inheritAnnouncement(of generation: Generation, from other: Timeline) {
    if let known = other.announced.last(where: { $0.generation == generation }) { announced.append(known) }
  }
}
