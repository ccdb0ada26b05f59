import SegueState
import SegueWire
import Testing

@testable import SeguePlayer

@Suite struct QueueTests {
  @Test func entriesAreInsertedAtEveryInsertionPoint() throws {
    var queue = PlayQueue.numbered(3)
    #expect(queue.current == nil)
    queue.insert([.track("front")], at: .next)
    #expect(queue.names == ["front", "0", "1", "2"])
    queue.setCurrent(queue.id("0"))
    queue.insert([.track("a"), .track("b")], at: .next)
    queue.insert([.track("end")], at: .index(99))
    queue.insert([.track("start")], at: .index(-1))
    queue.insert([.track("late")], at: .after(try #require(queue.id("b"))))
    queue.insert([.track("lost")], at: .after(EntryID(999)))
    #expect(queue.names == ["start", "front", "0", "a", "b", "late", "1", "2", "end", "lost"])
    #expect(queue.name(queue.current) == "0")
    #expect(queue.version == 7)
    #expect(Set(queue.entries.map(\.id)).count == 10)
  }

  @Test func pagesAreClamped() {
    let queue = PlayQueue.numbered(5)
    #expect(queue.page(offset: 3, limit: 10).map(\.id.number) == [4, 5])
    #expect(queue.page(offset: 9, limit: 10).isEmpty)
    #expect(queue.page(offset: -1, limit: -1).isEmpty)
    #expect(queue.page(offset: 1, limit: .max).count == 4)
  }

  @Test func removingTheCurrentEntryMakesItsSuccessorCurrent() throws {
    var queue = PlayQueue.numbered(4)
    queue.setCurrent(queue.id("1"))
    let others = queue.remove([try #require(queue.id("0"))])
    #expect(!others.currentChanged)
    #expect(queue.name(others.current) == "1")
    let two = queue.remove([try #require(queue.id("1")), try #require(queue.id("2"))])
    #expect(two.currentChanged)
    #expect(queue.name(two.current) == "3")
    queue.repeatMode = .off
    let last = queue.remove([try #require(queue.id("3")), EntryID(77)])
    #expect(last.currentChanged)
    #expect(last.current == nil)
    #expect(queue.isEmpty)
    #expect(queue.insert([.track("new")], at: .end).ids == [EntryID(5)], "ids must not be reused")
  }

  @Test func removingTheLastEntryWrapsAroundUnderRepeatAll() throws {
    var queue = PlayQueue.numbered(3)
    queue.setCurrent(queue.id("2"))
    #expect(queue.name(queue.remove([try #require(queue.id("2"))]).current) == "0")
  }

  @Test func movedEntriesAreInTheRequestedOrder() {
    var queue = PlayQueue.numbered(6)
    queue.setCurrent(queue.id("4"))
    let ids = ["5", "1"].compactMap(queue.id)
    guard case .rows(let upserted, let removed) = queue.move(ids + ids, to: .index(2)).change else {
      Issue.record("a move must write the moved rows")
      return
    }
    #expect(queue.names == ["0", "2", "5", "1", "3", "4"])
    #expect(upserted.ranges.flatMap { queue.entries[$0] }.map(\.id) == ids)
    #expect(removed.isEmpty)
    #expect(queue.currentIndex == 5)
    queue.move(ids, to: .index(99))
    #expect(queue.names == ["0", "2", "3", "4", "5", "1"])
    let version = queue.version
    queue.move(ids, to: .index(4))
    #expect(queue.version == version, "no entry was moved")
  }

  @Test func entriesAreMovedAfterTheCurrentOneOrToTheEnd() {
    var queue = PlayQueue.numbered(6)
    queue.setCurrent(queue.id("3"))
    queue.move(["5", "1"].compactMap(queue.id), to: .next)
    #expect(queue.names == ["0", "2", "3", "5", "1", "4"])
    queue.move(["0", "5"].compactMap(queue.id), to: .end)
    #expect(queue.names == ["2", "3", "1", "4", "0", "5"])
    queue.move(["3", "5"].compactMap(queue.id), to: .next)
    #expect(queue.names == ["2", "3", "5", "1", "4", "0"], "the current entry stays, even if it is moved as well")
    #expect(queue.name(queue.current) == "3")
    var idle = PlayQueue.numbered(3)
    idle.move(["2"].compactMap(idle.id), to: .next)
    #expect(idle.names == ["2", "0", "1"], "without a current entry, the first place is the next one")
  }

  @Test func replacingTheQueueKeepsThePlayingTrack() throws {
    var queue = PlayQueue.numbered(3)
    let playing = try #require(queue.id("1"))
    queue.setCurrent(playing)
    _ = queue.update(playing, EntryInfo(probed: true))
    let kept = queue.replaceAll([.track("x"), .track("1"), .track("y")])
    #expect(!kept.removal.currentChanged)
    #expect(queue.current == playing)
    #expect(queue.currentIndex == 1)
    #expect(queue.currentEntry?.probed == true)
    #expect(kept.insertion.ids == queue.entries.map(\.id))
    #expect(kept.removal.removed.count == 2)
    let gone = queue.replaceAll([.track("z")])
    #expect(gone.removal.currentChanged)
    #expect(gone.removal.current == nil)
    #expect(queue.replaceAll([]).removal.removed.count == 1)
    #expect(queue.isEmpty)
  }

  /// The ids are farther from each other than any two of the queue, or the ids of the queue are.
  @Test(arguments: [[], [0], [.max], [0, .max], [1 << 40]] as [[UInt64]], [false, true])
  func removingManyEntriesIgnoresIdsThatAreFarAway(others: [UInt64], isQueueWide: Bool) throws {
    var saved = SavedState()
    saved.entries = (1...60 as ClosedRange<UInt64>).map { number in
      let id = isQueueWide && number > 30 ? 1 << 50 + number : number
      return SavedEntry(id: id, rank: Int64(number), uri: "\(number)")
    }
    var queue = PlayQueue(saved, version: 0, seed: 1)
    let removed = Array(queue.entries.prefix(50).map(\.id).dropFirst(10))
    #expect(queue.remove(others.map(EntryID.init) + removed.reversed()).removed == removed)
    #expect(queue.names == (Array(1...10) + Array(51...60)).map(String.init))
  }

  @Test func entriesBeyondTheCapacityAreRefusedInTheirOrder() {
    let tracks = Array(repeating: NewEntry.track("x"), count: PlayQueue.capacity - 1)
    var queue = PlayQueue(version: 0, seed: 1)
    queue.insert(tracks, at: .end)
    #expect(queue.insert([.track("1"), .track("2"), .track("3")], at: .next).refused.map(\.uri.last) == ["2", "3"])
    #expect(queue.count == PlayQueue.capacity)
    #expect(queue.names[0] == "1")
    let full = queue.insert([.track("4")], at: .index(7))
    #expect(full.ids.isEmpty)
    #expect(full.refused.map(\.uri.last) == ["4"])
    #expect(queue.count == PlayQueue.capacity)
    // The playing entry is not kept if it is among the entries beyond the capacity.
    queue.setCurrent(queue.id("1"))
    var replacement = QueueReplacement()
    #expect(queue.prepare(tracks + [.track("y"), .track("1")], for: &replacement).map(\.uri.last) == ["1"])
    let removal = queue.replaceAll(replacement).removal
    #expect(queue.count == PlayQueue.capacity)
    #expect(removal.currentChanged)
  }

  @Test func aSavedQueueIsRestored() throws {
    var queue = PlayQueue.numbered(5)
    queue.setCurrent(queue.id("3"))
    queue.consume = true
    queue.shuffle = .tracks
    queue.repeatMode = .off
    let removal = queue.remove([try #require(queue.id("4"))])
    #expect(queue.changes(for: removal.change) == [.removeEntries([5])])
    var saved = SavedState()
    for order in queue.changes(for: .all) {
      if case .replaceEntries(let entries) = order { saved.entries = entries }
      if case .nextID(let id) = order { saved.nextID = id }
    }
    saved.modes = queue.savedModes
    saved.playhead.entry = queue.current?.number
    var restored = PlayQueue(saved, version: 0, seed: 9)
    #expect(restored.names == queue.names)
    #expect(restored.current == queue.current)
    #expect(restored.savedModes == queue.savedModes)
    #expect(restored.rest().count == 3, "a new round begins with the current entry")
    #expect(restored.insert([.track("new")], at: .end).ids == [EntryID(6)])
    saved.nextID = 0
    var outdated = PlayQueue(saved, version: 0, seed: 9)
    #expect(outdated.insert([.track("new")], at: .end).ids == [EntryID(5)], "the id must be new")
  }

  /// There is so little space at one place that other entries must get new ranks from time to time.
  @Test(arguments: [1, 100]) func insertionsAtOnePlaceGiveFewOthersNewRanks(count: Int) throws {
    var queue = PlayQueue.numbered(1000)
    queue.setCurrent(queue.id("500"))
    var last: EntryID?
    var written = 0
    for number in 0..<1000 {
      // The batches of an addition follow one another; those of different additions precede the former ones.
      let point = last.map(InsertionPoint.after) ?? .next
      let insertion = queue.insert((0..<count).map { .track("n\(number)/\($0)") }, at: point)
      guard case .rows(let upserted, _) = insertion.change else {
        Issue.record("all entries got new ranks")
        return
      }
      written += upserted.ranges.reduce(0) { $0 + $1.count }
      last = number % 20 == 19 ? nil : insertion.ids.last
    }
    #expect(zip(queue.entries, queue.entries.dropFirst()).allSatisfy { $0.rank < $1.rank })
    #expect(written < 1000 * count * 3, "\(written) rows were written for \(1000 * count) entries")
  }
}
