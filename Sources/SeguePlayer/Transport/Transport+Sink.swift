internal import SegueRing
internal import SegueSystem

/// What the sink says.
extension Transport {
  mutating func handleSink(_ event: Event) -> [Action] {
    switch (event, state) {
    case (.audible(let generation), .active(let plan, let isPaused)):
      guard let index = plan.firstIndex(where: { $0.generation == generation }), index > 0 else { return [] }
      become(.active(Array(plan[index...]), isPaused: isPaused))
      return passed(of: plan, before: index)

    case (.finished(let generation), .active(let plan, let isPaused)):
      // A track that was planned while the sink drained is started by the sink itself.
      guard let last = plan.last, last.generation == generation else { return [] }
      become(.stopped)
      return passed(of: plan, before: plan.count - 1) + [.startGrace, .playedOut(last.entry, wasPaused: isPaused)]

    case (.lost(let heard, let time), .active(let plan, let isPaused)):
      let index = plan.firstIndex { $0.generation == heard }
      let position = index == nil ? plan[0].start : time
      let entry = plan[index ?? 0].entry
      become(isPaused ? .dormant(entry, at: position) : .lost(entry, at: position))
      return passed(of: plan, before: index ?? 0) + [isPaused ? .silence : .idleWorker]

    case (.connected, .lost(let entry, let position)):
      return start(entry, from: position)

    case (.refused, .active(let plan, _)):
      become(.dormant(plan[0].entry, at: plan[0].start))
      return [.silence, .startGrace]

    case (.corkRequested, .active(let plan, isPaused: false)):
      become(.active(plan, isPaused: true))
      noteServerPause(true)
      return [.pauseSink, .startGrace]
    case (.uncorkRequested, _) where wasPausedByServer:
      noteServerPause(false)
      return handleRequest(.resume)

    default: return []
    }
  }

  /// The tracks that are over when the one at `index` is heard: not one of which it is the rest.
  private func passed(of plan: [Item], before index: Int) -> [Action] {
    zip(plan[..<index], plan.dropFirst()).compactMap { item, next in next.isRest ? nil : .passed(item.entry) }
  }
}
