// Pulse thread only.
internal import SegueRing
internal import SegueSystem

/// Where a generation ended in the stream, and its last frame: whatever follows it can be taken back to here.
struct TrackBoundary {
  var generation: Generation
  var at: Frames
  var tail: FrameCopy

  /// Of a generation that is over, and has nothing in the stream any more.
  static func before(everythingAfter generation: Generation) -> TrackBoundary {
    TrackBoundary(generation: generation, at: .zero, tail: FrameCopy())
  }
}

extension Sink {
  func follow(_ generation: Generation, _ ring: SharedRing, after previous: Generation) {
    if endChain(after: previous) {
      feeds.append(GenerationReader(generation, from: source(of: ring)))
      goOn()
    } else if isOver(previous) {
      play(generation, ring, paused: isPaused)
    }
  }

  func finish(after previous: Generation) {
    if endChain(after: previous) {
      goOn()
    } else if isOver(previous), previous != finished {
      hush()
      joints = [.before(everythingAfter: previous)]
      finish()
      forgetSources()
    }
  }

  /// Whether the chain has left this one behind. An order that names it crossed the news of that, and counts: whoever
  /// sent it knows of nothing that was heard since. Generations are numbered as they come; one that is newer than the
  /// chain's first and not in it belongs to a chain that is no more.
  private func isOver(_ generation: Generation) -> Bool {
    guard let oldest = joints.first?.generation ?? feeds.first?.generation ?? finished else { return false }
    return generation.number <= oldest.number
  }

  /// Drops whatever was to come after this generation, also from the server. False if it is not in the chain.
  private func endChain(after generation: Generation) -> Bool {
    if let index = feeds.firstIndex(where: { $0.generation == generation }) {
      feeds.removeSubrange((index + 1)...)
    } else if let index = joints.firstIndex(where: { $0.generation == generation }) {
      feeds.removeAll()
      let joint = joints[index]
      joints.removeSubrange((index + 1)...)
      takeBack(to: joint)
    } else {
      return false
    }
    forgetSources()
    return true
  }

  /// Takes back from the server what came after the joint.
  func takeBack(to joint: TrackBoundary) {
    callOffDrain()
    if phase != .starting { phase = .playing }
    guard let stream, timeline.written != joint.at else { return }
    // On a ramp, what would be taken back is written otherwise.
    settle()
    let heard = timeline.clock.streamFrame(at: .now)?.frame ?? .zero
    if joint.tail.size > 0, heard < joint.at {
      let count = Int((timeline.written - joint.at).count) * stream.format.bytesPerFrame
      joint.tail.withBytes { stream.takeBack(count, tail: $0) }
      timeline.rewind(to: joint.at)
      drain?.note(takenBackTo: joint.at)
      lastFrame = joint.tail
    } else {
      // The follower is being heard already, or nothing comes before it: what is next begins anew.
      hush()
      joints = [.before(everythingAfter: joint.generation)]
      timeline = Timeline()
      awaitStart()
    }
    publish()
  }

  private func goOn() {
    switch phase {
    case .starting, .playing:
      if feeds.isEmpty { end() } else { pour() }
    case .idle, .ending, .changing: break
    }
  }
}
