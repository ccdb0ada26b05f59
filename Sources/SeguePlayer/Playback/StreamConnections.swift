internal import SegueRing
internal import SegueWire

/// The facts about the streams of the plan from which the state of the current one follows.
struct StreamConnections {
  /// The generations whose connection is lost at the moment.
  private var interrupted: Set<Generation> = []
  /// The generation that is audible; nil while none is, and after everything that was decoded of it is played.
  private var audible: Generation?

  /// Records that the connection of a generation was lost, or is there again.
  mutating func setInterrupted(_ generation: Generation, _ isInterrupted: Bool) {
    if isInterrupted { interrupted.insert(generation) } else { interrupted.remove(generation) }
  }

  /// Records which generation is audible; nil if none is.
  mutating func setAudible(_ generation: Generation?) { audible = generation }

  /// Removes the facts about generations that are not in the plan any more.
  mutating func retain(_ plan: [Transport.Item]) {
    interrupted = interrupted.filter { generation in plan.contains { $0.generation == generation } }
  }

  /// Returns the state of the stream that is the current track of `transport`; nil while a recording plays, and while
  /// nothing plays.
  /// - Parameters:
  ///   - isAdvancing: Whether the position advances, which may be known before the event that the sound is audible.
  ///   - isLive: Whether the stream has no end.
  ///   - hasOutput: Whether sound can be played.
  func state(of transport: Transport, isAdvancing: Bool, isLive: Bool, hasOutput: Bool) -> StreamStatus.State? {
    guard case .active(let plan, isPaused: false) = transport.state, let item = plan.first else { return nil }
    if isAdvancing || item.generation == audible { return isLive ? .live : nil }
    // A stream that was opened again follows what was decoded of it before.
    let last = plan.dropFirst().prefix(while: \.isRest).last ?? item
    if last.phase == .opening || interrupted.contains(last.generation) { return .connecting }
    return hasOutput ? .buffering : nil
  }
}
