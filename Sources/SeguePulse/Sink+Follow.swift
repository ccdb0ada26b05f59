// Pulse thread only.
internal import SegueRing
internal import SegueSystem

/// Where a generation ended in the stream, and its last frame: whatever follows it can be taken back to here.
struct Joint {
  var generation: Generation
  var at: Frames
  var tail: FrameCopy
}

extension Sink {
  /// A joint so near ahead counts as passed: whoever speaks of "the current one" may have seen its moment come already.
  static let joint = MediaTime(nanoseconds: 50_000_000)

  func follow(_ generation: Generation, _ ring: SharedRing, after named: Generation?) {
    guard let current = named ?? current, endChain(after: current) else { return }
    feeds.append(Feed(generation, from: source(of: ring)))
    goOn()
  }

  func followNothing() {
    guard let current, endChain(after: current) else { return }
    goOn()
  }

  /// The generation that is heard; before the first sound, the first.
  private var current: Generation? {
    let heard = timeline.clock.streamFrame(at: .now)?.frame ?? .zero
    let soon = heard + timeline.rate.frames(in: Self.joint)
    if let ahead = joints.first(where: { $0.at > soon }) { return ahead.generation }
    return feeds.first?.generation ?? joints.last?.generation
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
  func takeBack(to joint: Joint) {
    callOffDrain()
    if phase != .starting { phase = .playing }
    guard let stream, timeline.written > joint.at else { return }
    let heard = timeline.clock.streamFrame(at: .now)?.frame ?? .zero
    if joint.tail.size > 0, heard < joint.at {
      let count = Int((timeline.written - joint.at).count) * stream.format.bytesPerFrame
      joint.tail.withBytes { stream.takeBack(count, tail: $0) }
      timeline.rewind(to: joint.at)
      lastFrame = joint.tail
    } else {
      // The follower is being heard already, or nothing comes before it: what is next begins anew.
      hush()
      joints = []
      timeline = Timeline()
      phase = .starting
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
