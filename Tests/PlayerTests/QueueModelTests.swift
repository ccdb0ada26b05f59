import SegueWire
import Testing

@testable import SeguePlayer

/// Tests of the queue with a naive model: random changes, after each of which both must agree.
@Suite struct QueueModelTests {
  @Test(arguments: 0..<25) func theQueueAgreesWithTheModelAfterRandomChanges(seed: Int) {
    var dice = SplitMix64(seed: UInt64(seed) &* 7919)
    var queue = PlayQueue(version: 0, seed: UInt64(seed))
    var model = Model()
    for _ in 0..<400 {
      model.step(&queue, &dice)
      model.check(queue)
    }
  }

  private struct Model {
    var order: [EntryID] = []
    var current: EntryID?
    var everGiven: Set<EntryID> = []
    /// The rows of the database.
    var rows: [EntryID: PlayQueue.Entry] = [:]
    /// The entries that were played since shuffle was turned on. All others must still come.
    var played: Set<EntryID> = []
    /// The entries that were unplayable once. They may have been skipped in this round.
    var everBroken: Set<EntryID> = []
    /// Whether the queue may have gone back to the previous round, whose entries come again in this one.
    var retraces = false
    var version: UInt64 = 0

    mutating func step(_ queue: inout PlayQueue, _ dice: inout SplitMix64) {
      func some(_ count: Int) -> [EntryID] {
        (0..<count).compactMap { _ in order.randomElement(using: &dice) }
      }
      switch Int.random(in: 0..<16, using: &dice) {
      case 0...2: insert(&queue, &dice, after: some(1).first)
      case 3:
        let ids = some(Int.random(in: 1...30, using: &dice))
        let gone = Set(ids)
        let removal = queue.remove(ids)
        #expect(Set(removal.removed) == gone)
        #expect(removal.currentChanged == current.map(gone.contains) ?? false)
        if let next = removal.current { #expect(!gone.contains(next)) }
        order.removeAll(where: gone.contains)
        apply(removal.change, queue)
      case 4...5:
        let ids = some(Int.random(in: 1...20, using: &dice))
        let to = Int.random(in: -2...(order.count + 2), using: &dice)
        var unique: [EntryID] = []
        for id in ids where !unique.contains(id) { unique.append(id) }
        order.removeAll(where: unique.contains)
        order.insert(contentsOf: unique, at: min(max(to, 0), order.count))
        apply(queue.move(ids, to: .index(to)).change, queue)
        #expect(queue.current == current)
      case 6:
        let target = some(1).first
        if target != current { retraces = false }
        queue.setCurrent(target)
      case 7:
        let before = queue.shuffle
        queue.shuffle = ShuffleMode.allCases.randomElement(using: &dice) ?? .off
        #expect(queue.current == current)
        if queue.shuffle != before { (played, retraces) = ([], false) }
      case 8: queue.repeatMode = RepeatMode.allCases.randomElement(using: &dice) ?? .off
      case 9: queue.consume = Bool.random(using: &dice)
      case 10:
        if let id = some(1).first {
          var metadata = Metadata()
          metadata.album = "album \(Int.random(in: 0..<4, using: &dice))"
          let broken = Int.random(in: 0..<4, using: &dice) == 0
          if broken { everBroken.insert(id) }
          apply(
            queue.update(id, EntryInfo(metadata: metadata, failure: broken ? Failure(.unplayable, "broken") : nil)),
            queue)
        }
      case 11 where Int.random(in: 0..<10, using: &dice) == 0:
        order = []
        apply(queue.clear().change, queue)
      default: advance(&queue, &dice)
      }
      current = queue.current
      if let current { played.insert(current) }
      if current == nil { played = [] }
      #expect(queue.version >= version)
      version = queue.version
    }

    private mutating func insert(_ queue: inout PlayQueue, _ dice: inout SplitMix64, after: EntryID?) {
      let new = (0..<Int.random(in: 0...12, using: &dice)).map { _ in
        NewEntry.track(
          "\(Int.random(in: 0..<1000, using: &dice))", album: ["x", "y", nil].randomElement(using: &dice) ?? nil)
      }
      let index = Int.random(in: 0...order.count, using: &dice)
      let (point, place): (InsertionPoint, Int) =
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: (.end, order.count)
        case 1: (.next, current.flatMap(order.firstIndex).map { $0 + 1 } ?? 0)
        case 2: (.index(index), index)
        default:
          (after.map(InsertionPoint.after) ?? .end, after.flatMap(order.firstIndex).map { $0 + 1 } ?? order.count)
        }
      let insertion = queue.insert(new, at: point)
      #expect(insertion.ids.count == new.count)
      #expect(everGiven.isDisjoint(with: insertion.ids))
      everGiven.formUnion(insertion.ids)
      order.insert(contentsOf: insertion.ids, at: place)
      apply(insertion.change, queue)
      #expect(queue.current == current)
    }

    private mutating func advance(_ queue: inout PlayQueue, _ dice: inout SplitMix64) {
      let reason = [PlayQueue.Reason.trackEnded, .trackEnded, .next, .prev].randomElement(using: &dice) ?? .next
      if reason == .prev { retraces = true }
      let before = queue
      let predicted = queue.successor { _ in true }
      let step = queue.advance(reason) { _ in true }
      if reason == .trackEnded { #expect(step.entry == predicted?.entry) }
      if let id = step.entry { #expect(before.entry(id)?.failure == nil) }
      #expect(
        step.nothingPlayable
          == (step.entry == nil && !before.isEmpty && before.entries.allSatisfy { $0.failure != nil }))
      if case .rows(_, let removed) = step.change {
        #expect(before.consume)
        #expect(removed == [before.current].compactMap { $0 })
        order.removeAll(where: removed.contains)
      }
      apply(step.change, queue)
      if before.shuffle == .off, before.repeatMode == .all, reason == .next, let current,
        let index = order.firstIndex(of: current),
        let id = step.entry, before.entries.allSatisfy({ $0.failure == nil })
      {
        #expect(order[(index + 1) % order.count] == id)
      }
    }

    private mutating func apply(_ change: QueueChange, _ queue: PlayQueue) {
      switch change {
      case .none: break
      case .all: rows = Dictionary(uniqueKeysWithValues: queue.entries.map { ($0.id, $0) })
      case .rows(let upserted, let removed):
        for id in removed { rows[id] = nil }
        for entry in upserted.ranges.flatMap({ queue.entries[$0] }) { rows[entry.id] = entry }
      }
    }

    func check(_ queue: PlayQueue) {
      #expect(queue.entries.map(\.id) == order)
      #expect(queue.currentIndex.map { order[$0] } == queue.current)
      for (index, id) in order.enumerated() where index % 7 == 0 { #expect(queue.index(of: id) == index) }
      // The rows of the database, ordered by rank, are the queue.
      #expect(rows.values.sorted { $0.rank < $1.rank }.map(\.id) == order)
      #expect(Set(rows.values.map(\.rank)).count == order.count)
      #expect(queue.entries.allSatisfy { rows[$0.id]?.info == $0.info })
      guard queue.shuffle != .off else { return }
      let rest = queue.rest()
      #expect(retraces || Set(rest).count == rest.count, "an entry must not come twice in a round")
      // If albums are shuffled, a jump into an album skips the tracks before.
      guard queue.shuffle == .tracks else { return }
      #expect(played.union(rest).union(everBroken).isSuperset(of: order), "every entry must come")
    }
  }
}
