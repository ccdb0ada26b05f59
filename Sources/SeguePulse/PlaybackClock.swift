// Pulse thread only.
internal import SegueRing
internal import SegueSystem

extension Sink {
  /// How old timing may be before new one is asked for, together with the next writing. Libpulse's own automatic would
  /// wake us for it; between two answers the sink's clock strays by no more than some microseconds.
  static let timingInterval = MediaTime.seconds(4)

  /// What was true before the machine slept need not be true after it.
  var isTimingOld: Bool {
    MonotonicTime.now - lastTiming > Self.timingInterval
      || BootTime.suspendedTime - sleptAtTiming > .milliseconds(100)
  }

  func askTiming() {
    lastTiming = .now
    sleptAtTiming = BootTime.suspendedTime
    stream?.requestTiming()
  }

  func streamTimed(_ stream: PlaybackStream) {
    noteSign()
    if fade != nil {
      // Before it has stopped, where it will is known.
      if stream.isCorked, stream.timing != nil || !stream.awaitsTiming { settle() }
      return
    }
    // A suspended sink's figures are those of the moment it went.
    guard phase != .idle, !stream.isSuspended, let timing = stream.timing else { return }
    // What the server said of the sound before may still come; of this one it answers.
    if timing.isPlaying { hasStarted = true }
    let now = MonotonicTime.now
    let stands = timeline.clock.position(at: now)?.advancing == false
    timeline.update(timing, corked: stream.isCorked, now: now)
    drain?.note(read: timing.read, rate: timeline.rate)
    if let heard = timeline.clock.streamFrame(at: .now)?.frame {
      joints.removeAll { $0.at < heard && $0.at < timeline.written }
    }
    publish()
    announce()
    if stands, let (generation, time) = timeline.clock.resumption(after: now) { emit(.resumed(generation, at: time)) }
    settleEnd()
  }

  /// Says of which generations it is known, or known better, when they will be heard. After `publish`: whoever hears of
  /// it finds it on the clock.
  func announce() {
    for (segment, time) in timeline.announcements(at: .now) {
      emit(.scheduled(segment.generation, segment.media, timeline.rate, at: time))
    }
  }

  /// What is at the loudspeaker now, as far as is known.
  var heardFrame: TrackPosition? {
    timeline.clock.position(at: .now).map { TrackPosition(generation: $0.generation, frame: $0.frame, rate: $0.rate) }
  }

  func publish() { setup.face.publish(timeline.clock) }

  /// Publishes what was written since, and nothing else.
  func offer() { setup.face.offer(timeline.clock) }
}
