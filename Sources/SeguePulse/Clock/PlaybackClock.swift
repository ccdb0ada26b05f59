// Thread: the pulse thread. `extendWritten`, `setAwaitsPCM`, `publishWritten`, `announce` and `isTimingDue` are part of
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
    timeline.setBytesPerFrame(format.bytesPerFrame)
    timeline.begin(generation, at: mediaFrame, speed: speed)
  }

  func extendWritten(by frames: Frames) { timeline.extendWritten(by: frames) }

  /// Sets whether the sink waits for PCM from the worker, and for nothing else.
  func setAwaitsPCM(_ awaitsPCM: Bool) { timeline.setAwaitsPCM(awaitsPCM) }

  /// Whether the sink waits for PCM from the worker, and for nothing else.
  var awaitsPCM: Bool { timeline.clock.awaitsPCM }

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
      emit(.scheduled(segment.generation, segment.mediaFrame, timeline.rate, at: time))
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
