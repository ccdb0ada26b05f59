internal import SegueRing
internal import SegueWire

/// What the worker says. A generation that is in no plan any more belongs to a track nobody waits for: its news is old.
extension Transport {
  mutating func handleWorker(_ event: Event) -> [Action] {
    guard case .active(var plan, let isPaused) = state else { return [] }
    switch event {
    case .opened(let generation):
      guard let index = plan.firstIndex(where: { $0.generation == generation }), plan[index].phase == .opening else {
        return []
      }
      plan[index].phase = .decoding
      become(.active(plan, isPaused: isPaused))
      return index == plan.count - 1 ? [.plan] : []

    case .ended(let generation):
      guard let index = plan.firstIndex(where: { $0.generation == generation }) else { return [] }
      plan[index].phase = .decoded
      become(.active(plan, isPaused: isPaused))
      // Something else may have been planned while the news of the fade was on its way.
      guard let fade = plan[index].fade else { return [] }
      return plan.dropFirst(index + 1).first?.generation == fade.into ? [] : [.plan]

    case .faded(let generation, let time, let next):
      guard let index = plan.firstIndex(where: { $0.generation == generation }), plan[index].phase != .decoded,
        isKnown(next, after: generation)
      else { return [] }
      plan[index].fade = Fade(from: time, into: next)
      become(.active(plan, isPaused: isPaused))
      return []

    case .failed(let generation, let failure):
      guard let index = plan.firstIndex(where: { $0.generation == generation }) else { return [] }
      return fail(index, of: plan, isPaused: isPaused, failure)

    case .workerDied(let failure):
      // It died of the first track it had not done with; of none, if all are in the ring.
      guard let index = plan.firstIndex(where: { $0.phase != .decoded }) else { return [] }
      return fail(index, of: plan, isPaused: isPaused, failure)

    case .corrupted(let generation, let failure, let isLate):
      guard let index = plan.firstIndex(where: { $0.generation == generation }) else {
        // The worker went over a track that nobody waits for any more: what it had still to decode, another one does.
        guard !isLate, let index = plan.firstIndex(where: { $0.phase != .decoded }) else { return [] }
        return goWithoutWorker(index, of: plan, isPaused: isPaused, mayTryAgain: true)
      }
      guard plan[index].phase == .decoded else { return fail(index, of: plan, isPaused: isPaused, failure) }
      // Written in order, and broken by the one that was being decoded: this one ends here, and the rest is done again.
      become(.active(Array(plan[...index]), isPaused: isPaused))
      // Whoever ended a worker that is gone was blamed then.
      if isLate { return [.plan] }
      let culprit = plan[index...].first { $0.phase != .decoded } ?? plan[index]
      return [.blame(culprit.entry, failure), .plan]

    case .workerNotStarted, .noDecoder:
      guard let index = plan.firstIndex(where: { $0.phase == .opening }) else { return [] }
      return goWithoutWorker(index, of: plan, isPaused: isPaused, mayTryAgain: event == .workerNotStarted)

    default: return []
    }
  }

  /// No track is to blame. What is in the ring is played to its end; what was asked for and has not begun waits.
  private mutating func goWithoutWorker(
    _ index: Int, of plan: [Item], isPaused: Bool, mayTryAgain: Bool
  ) -> [Action] {
    let item = plan[index]
    if index > 0 {
      become(.active(Array(plan[..<index]), isPaused: isPaused))
      return [.finish(after: plan[index - 1].generation)] + (mayTryAgain ? [.plan] : [])
    }
    if mayTryAgain, !isPaused { return start(item.entry, from: item.start) }
    become(.dormant(item.entry, at: item.start))
    return [.silence, .startGrace]
  }

  private mutating func fail(_ index: Int, of plan: [Item], isPaused: Bool, _ failure: Failure) -> [Action] {
    var plan = plan
    let item = plan[index]
    let blame = Action.blame(item.entry, failure)
    switch item.phase {
    case .decoded:
      return []
    case .decoding:
      // Some of it is on its way to the ear: that is played, and the next goes on behind it.
      plan[index].phase = .decoded
      // Who breaks off has said nothing of its end that counts.
      plan[index].fade = nil
      plan.removeSubrange((index + 1)...)
      become(.active(plan, isPaused: isPaused))
      return [blame, .endOfInput(item.generation), .plan]
    case .opening where index == 0:
      become(.stopped)
      return [blame, .silence, .startGrace, .skip(item.entry, wasPaused: isPaused)]
    case .opening:
      plan.removeSubrange(index...)
      // It is not to be had a second time, nor is the rest of a rest.
      if item.isRest || plan[index - 1].isRest { plan[index - 1].fade = nil }
      become(.active(plan, isPaused: isPaused))
      return [blame, .finish(after: plan[index - 1].generation), .plan]
    }
  }
}
