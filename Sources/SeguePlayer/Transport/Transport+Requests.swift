internal import SegueSystem

/// What people ask for.
extension Transport {
  mutating func handleRequest(_ event: Event) -> [Action] {
    switch (event, state) {
    case (.play(let entry, let position), .lost):
      become(.lost(entry, at: position))
      return []
    case (.play(let entry, let position), _):
      return start(entry, from: position)

    case (.jump(let entry, let position), .active(_, isPaused: false)):
      return start(entry, from: position)
    case (.jump(let entry, let position), .active(_, isPaused: true)), (.jump(let entry, let position), .dormant):
      let wasActive = !plan.isEmpty
      become(.dormant(entry, at: position))
      return wasActive ? [.silence, .startGrace] : []
    case (.jump(let entry, let position), .lost):
      become(.lost(entry, at: position))
      return []
    case (.jump, .stopped):
      return []

    case (.pause, .active(let plan, isPaused: false)):
      become(.active(plan, isPaused: true))
      return [.pauseSink, .startGrace]
    case (.pause, .lost(let entry, let position)):
      become(.dormant(entry, at: position))
      return [.silence, .startGrace]

    case (.resume, .active(let plan, isPaused: true)):
      become(.active(plan, isPaused: false))
      return [.cancelGrace, .resumeSink]
    case (.resume, .dormant(let entry, let position)):
      return start(entry, from: position)

    case (.stop, .active), (.stop, .dormant), (.stop, .lost):
      become(.stopped)
      return [.silence, .startGrace]

    case (.restored(let entry, let position), .stopped):
      become(.dormant(entry, at: position))
      return []

    default: return []
    }
  }

  /// Keeps what is planned as it should be, cuts off the rest, and plans one more as soon as the last one is known to
  /// open.
  mutating func replan(_ entries: [EntryID], from starts: [Int: MediaTime]) -> [Action] {
    guard case .active(var plan, let isPaused) = state else { return [] }
    var actions: [Action] = []
    let (agreed, heard) = agreement(of: plan, with: entries)
    let wasCut = agreed < plan.count
    plan.removeSubrange(agreed...)
    let last = plan[agreed - 1]
    // One file is opened at a time, so that a folder of broken ones is not opened all at once.
    if let fade = last.fade {
      // What it was mixed into is not heard: the rest of it is, before anything else follows.
      var item = newItem(last.entry, from: fade.from)
      item.isRest = true
      plan[agreed - 1].fade?.into = item.generation
      plan.append(item)
      actions = [.follow(item, after: last.generation)]
    } else if entries.count > heard, last.phase != .opening {
      let item = newItem(entries[heard], from: starts[heard] ?? .zero)
      plan.append(item)
      actions = [.follow(item, after: last.generation)]
    } else if wasCut {
      actions = [.finish(after: last.generation)]
    }
    become(.active(plan, isPaused: isPaused))
    return actions
  }

  /// How many of the plan are as they should be, and how many of `entries` that is.
  private func agreement(of plan: [Item], with entries: [EntryID]) -> (items: Int, entries: Int) {
    var heard = 0
    for index in 1..<plan.count {
      if let fade = plan[index - 1].fade, fade.into != plan[index].generation { return (index, heard) }
      if plan[index].isRest { continue }
      guard heard < entries.count, plan[index].entry == entries[heard] else { return (index, heard) }
      heard += 1
    }
    return (plan.count, heard)
  }
}
