import SeguePlayer
import SegueState
import SegueWire
import Testing

/// Tests of the order of a shuffled queue that was saved and is restored.
@Suite struct QueueShuffleRestartTests {
  /// A queue, and what is saved of it.
  private struct SavedQueue {
    var queue: PlayQueue
    private(set) var order = SavedShuffleOrder()

    init(_ queue: PlayQueue, shuffle: ShuffleMode) {
      self.queue = queue
      self.queue.shuffle = shuffle
      save()
    }

    mutating func save() {
      let hasChanged = queue.hasOrderChange
      guard case .shuffleOrder(let change)? = queue.takeOrderChange()?() else { return #expect(!hasChanged) }
      #expect(hasChanged && !queue.hasOrderChange)
      order.entries.replaceSubrange(change.start..., with: change.entries)
      order.marks = change.marks
    }

    /// Returns the queue of the next daemon, whose current entry is `current` or, by default, the present one.
    func restored(current: EntryID? = nil) -> PlayQueue {
      var state = SavedState()
      for case .replaceEntries(let entries) in queue.changes(for: .all) { state.entries = entries }
      state.modes = queue.savedModes
      state.playhead.entry = (current ?? queue.current)?.number
      state.order = order
      return PlayQueue(state, version: 0, seed: .random(in: .min ... .max))
    }
  }

  /// Returns the entries to which steps back lead, up to the first one that was played.
  private func past(_ queue: PlayQueue) -> [EntryID] {
    var queue = queue
    queue.repeatMode = .off
    var past: [EntryID] = []
    while let current = queue.current, let entry = queue.advance(.prev).entry, entry != current, past.count < 1000 {
      past.append(entry)
    }
    return past
  }

  private func expectSameRound(_ restored: PlayQueue, _ queue: PlayQueue, _ after: String) {
    #expect(restored.current == queue.current, "after \(after)")
    #expect(past(restored) == past(queue), "after \(after)")
    // At the end of a round, the next one is decided as soon as it begins.
    if let next = queue.successor(), !next.wraps { #expect(restored.successor() == next, "after \(after)") }
    #expect(Set(restored.rest()) == Set(queue.rest()), "after \(after)")
    #expect(restored.rest().count == queue.rest().count, "after \(after)")
  }

  @Test(arguments: [ShuffleMode.tracks, .albums]) func aRoundContinuesAfterAnyChangeOfTheQueue(mode: ShuffleMode) {
    var random = SplitMix64(seed: 7)
    for seed in 0..<40 {
      var queue = PlayQueue(version: 0, seed: UInt64(seed))
      queue.insert((0..<24).map { .track("\($0)", album: "\($0 % 5)", artist: "x") }, at: .end)
      var saved = SavedQueue(queue, shuffle: mode)
      var undo: [QueueDifference] = []
      for step in 0..<60 {
        let some = saved.queue.entries.shuffled(using: &random).map(\.id)
        let name: String
        switch Int.random(in: 0..<14, using: &random) {
        case 0..<5: (name, _) = ("next", saved.queue.advance(.next))
        case 5: (name, _) = ("prev", saved.queue.advance(.prev))
        case 6: (name, _) = ("prev", saved.queue.advance(.prev))
        case 7: (name, _) = ("jump", saved.queue.setCurrent(some[0]))
        case 8:
          let added = saved.queue.insert([.track("\(seed)-\(step)", album: "\(step % 7)", artist: "x")], at: .end)
          (name, undo) = ("add", [added.reverse])
        case 9:
          let added = saved.queue.insert(["a", "b"].map { .track("\($0)\(step)", album: "n", artist: "x") }, at: .next)
          (name, undo) = ("add next", [added.reverse])
        case 10:
          let added = saved.queue.insert([.track("\(seed)-\(step)", album: "f", artist: "x")], at: .index(0))
          (name, undo) = ("add first", [added.reverse])
        case 11 where some.count > 8:
          let removal = saved.queue.remove(Array(some.prefix(2)))
          (name, undo) = ("remove", [removal.reverse])
        case 12:
          let move = saved.queue.move(Array(some.prefix(3)), to: step.isMultiple(of: 2) ? .index(2) : .next)
          (name, undo) = ("move", [move.reverse])
        default:
          if let difference = undo.popLast() { saved.queue.apply(difference) }
          name = "undo"
        }
        saved.save()
        expectSameRound(saved.restored(), saved.queue, "\(name), step \(step) of \(seed)")
      }
    }
  }

  @Test func consumedEntriesLeaveTheSavedOrder() {
    var saved = SavedQueue(.numbered(200), shuffle: .tracks)
    saved.queue.consume = true
    for _ in 0..<150 {
      _ = saved.queue.advance(.trackEnded)
      saved.save()
      #expect(saved.order.entries.count < 4)
      #expect(Set(saved.restored().rest()) == Set(saved.queue.rest()))
    }
  }

  /// While an order is saved, playback may have gone on.
  @Test(arguments: [ShuffleMode.tracks, .albums]) func aPlayheadThatIsNewerThanTheOrderContinuesTheRound(
    mode: ShuffleMode
  ) {
    var saved = SavedQueue(.numbered(20), shuffle: mode)
    for _ in 0..<30 { _ = saved.queue.advance(.trackEnded) }
    saved.save()
    let before = saved
    _ = saved.queue.advance(.trackEnded)
    let ahead = before.restored(current: saved.queue.current)
    #expect(past(ahead) == past(saved.queue))
    #expect(Set(ahead.rest()) == Set(saved.queue.rest()))
    _ = saved.queue.advance(.prev)
    _ = saved.queue.advance(.prev)
    let restored = before.restored(current: saved.queue.current)
    #expect(past(restored) == past(saved.queue))
    #expect(restored.rest().first == before.queue.current)
  }

  @Test func anotherModeBeginsAnotherRound() {
    var saved = SavedQueue(.numbered(20), shuffle: .tracks)
    for _ in 0..<10 { _ = saved.queue.advance(.trackEnded) }
    saved.save()
    saved.queue.shuffle = .off
    saved.save()
    #expect(saved.order == SavedShuffleOrder())
    saved.queue.shuffle = .albums
    saved.save()
    expectSameRound(saved.restored(), saved.queue, "another mode")
    #expect(saved.order.marks.roundStart == 0)
  }

  /// A file may be damaged, or may have been edited.
  @Test func anOrderThatWasNotWrittenBySegueLeavesNoTrackOut() {
    let marks = [
      SavedShuffleOrder.Marks(position: 3, roundStart: 2, pinned: 2),
      .init(position: .max, roundStart: .max, pinned: .max),
      .init(position: .min, roundStart: .min, pinned: .min), .init(position: 0, roundStart: 5, pinned: 9),
      .init(position: 6, roundStart: 7, pinned: 7),
    ]
    for entries: [UInt64] in [[], [1, 1, 2, 99, 3, 3, 0], [.max, 7, 7, 7, 6, 5, 4]] {
      for marks in marks {
        for mode in [ShuffleMode.tracks, .albums] {
          for current in [nil, 3] as [UInt64?] {
            var state = SavedState()
            for case .replaceEntries(let rows) in PlayQueue.numbered(9).changes(for: .all) { state.entries = rows }
            state.modes.shuffle = mode
            state.playhead.entry = current
            state.order = SavedShuffleOrder(entries: entries, marks: marks)
            var queue = PlayQueue(state, version: 0, seed: 1)
            queue.repeatMode = .all
            while queue.successor()?.wraps == false { _ = queue.advance(.trackEnded) }
            let round = (0..<9).map { _ in queue.advance(.trackEnded).entry }
            #expect(Set(round).count == 9)
          }
        }
      }
    }
  }

  /// Each track of a round, and each step back, changes only the end of the saved order.
  @Test func aStepChangesOnlyTheEndOfTheSavedOrder() {
    var saved = SavedQueue(.numbered(20_000), shuffle: .tracks)
    for _ in 0..<15_000 { _ = saved.queue.advance(.trackEnded) }
    saved.save()
    for reason in [PlayQueue.Reason.trackEnded, .next, .prev, .next, .next] {
      _ = saved.queue.advance(reason)
      guard case .shuffleOrder(let change)? = saved.queue.takeOrderChange()?() else {
        Issue.record("nothing was saved")
        continue
      }
      #expect(change.entries.count <= 1)
    }
    // The last ten thousand tracks of the previous round are kept.
    for _ in 0..<6_000 { _ = saved.queue.advance(.next) }
    saved.save()
    #expect((10_000..<20_000).contains(saved.order.entries.count))
  }
}
