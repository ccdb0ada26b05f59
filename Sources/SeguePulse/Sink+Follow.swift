// Pulse thread only.
internal import SegueRing
internal import SegueSystem

extension Sink {
  /// A joint so near ahead counts as passed: whoever speaks of "the current one" may have seen its moment come already.
  static let joint = MediaTime(nanoseconds: 50_000_000)

  func follow(_ generation: Generation, _ ring: SharedRing, after current: Generation?) {
    guard writing != nil || phase == .ending else { return }
    let feed = Feed(generation, from: source(of: ring))
    if let writing, isCurrent(writing, named: current) {
      next = feed
    } else {
      takeBackFollower()
      writing = feed
    }
    forgetSources()
    goOn()
  }

  func followNothing() {
    guard let writing else { return }
    if isCurrent(writing, named: nil) {
      next = nil
    } else {
      takeBackFollower()
      self.writing = nil
    }
    goOn()
  }

  /// Whether the generation being handed over is the one that is heard, rather than its follower.
  func isCurrent(_ feed: Feed, named current: Generation?) -> Bool {
    if let current { return feed.generation == current }
    guard previous != nil else { return true }
    guard feed.format != nil else { return false }
    guard let start = timeline.start(of: feed.generation), let heard = timeline.clock.streamFrame(at: .now)?.frame else {
      return true
    }
    return heard + timeline.rate.frames(in: Self.joint) >= start
  }

  /// Takes the PCM of the follower back from the server, as far as it has got any.
  func takeBackFollower() {
    callOffDrain()
    guard let writing, let stream, let start = timeline.start(of: writing.generation) else { return }
    if start > .zero {
      let count = Int((timeline.written - start).count) * stream.format.bytesPerFrame
      if count > 0 { jointFrame.withBytes { stream.takeBack(count, tail: $0) } }
      timeline.rewind(to: start)
      lastFrame = jointFrame
    } else {
      // Nothing came before it: the one before has no frames.
      stream.cork(true)
      stream.flush()
      timeline.rewind(to: .zero)
      phase = .starting
    }
  }

  /// Goes on after what follows has changed.
  private func goOn() {
    switch phase {
    case .idle: break
    case .ending, .changing:
      // A change of format within a generation goes its way, and so does the end of one that nothing follows.
      guard let writing, writing.format == nil || phase == .ending else { break }
      callOffDrain()
      phase = .playing
      pour()
    case .starting, .playing:
      if writing == nil { end() } else { pour() }
    }
  }
}
