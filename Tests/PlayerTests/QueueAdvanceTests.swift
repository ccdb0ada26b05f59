import SegueWire
import Testing

@testable import SeguePlayer

@Suite struct QueueAdvanceTests {
  private func walk(_ queue: inout PlayQueue, _ reason: PlayQueue.Reason, _ count: Int) -> [String?] {
    (0..<count).map { _ in queue.name(queue.advance(reason).entry) }
  }

  @Test func repeatAllWrapsAround() {
    var queue = PlayQueue.numbered(3)
    #expect(walk(&queue, .trackEnded, 4) == ["0", "1", "2", "0"])
    #expect(walk(&queue, .prev, 2) == ["2", "1"])
  }

  @Test func repeatOffStopsAtTheEnd() {
    var queue = PlayQueue.numbered(2)
    queue.repeatMode = .off
    #expect(walk(&queue, .trackEnded, 3) == ["0", "1", nil])
    #expect(queue.current == nil)
    #expect(walk(&queue, .next, 1) == ["0"], "the queue begins anew")
    #expect(walk(&queue, .prev, 1) == ["0"], "the first entry stays current")
  }

  @Test func repeatOneRepeatsATrackUnlessTheUserSkipsIt() {
    var queue = PlayQueue.numbered(2)
    queue.repeatMode = .one
    queue.setCurrent(queue.id("1"))
    #expect(queue.name(queue.successor()?.entry) == "1")
    #expect(walk(&queue, .trackEnded, 2) == ["1", "1"])
    #expect(walk(&queue, .next, 2) == ["0", "1"])
    #expect(walk(&queue, .prev, 1) == ["0"])
  }

  @Test func consumeRemovesTracksThatWerePlayedOrSkipped() {
    var queue = PlayQueue.numbered(4)
    queue.consume = true
    #expect(walk(&queue, .next, 2) == ["0", "1"])
    #expect(queue.names == ["1", "2", "3"])
    let step = queue.advance(.trackEnded)
    guard case .rows(_, let removed) = step.change else {
      Issue.record("a consumed entry must be removed from the database")
      return
    }
    #expect(removed == [EntryID(2)])
    #expect(walk(&queue, .prev, 1) == ["3"], "going back must not remove an entry")
    #expect(queue.names == ["2", "3"])
    #expect(walk(&queue, .trackEnded, 2) == ["2", nil])
    #expect(queue.isEmpty)
  }

  @Test func consumeKeepsRepeatedAndFailedTracks() throws {
    var queue = PlayQueue.numbered(2)
    queue.consume = true
    queue.repeatMode = .one
    queue.setCurrent(queue.id("0"))
    #expect(walk(&queue, .trackEnded, 2) == ["0", "0"])
    _ = queue.update(try #require(queue.current), EntryInfo(failure: Failure(.unplayable, "broken")))
    #expect(queue.name(queue.advance(.trackEnded) { _ in true }.entry) == "1")
    #expect(queue.names == ["0", "1"])
  }

  @Test(arguments: ShuffleMode.allCases) func unplayableTracksAreSkipped(_ shuffle: ShuffleMode) throws {
    var queue = PlayQueue.numbered(20)
    for index in 0..<19 {
      _ = queue.update(queue.entries[index].id, EntryInfo(failure: Failure(.unplayable, "broken")))
    }
    queue.setCurrent(queue.id("19"))
    queue.shuffle = shuffle
    for _ in 0..<5 {
      #expect(queue.name(queue.successor { _ in true }?.entry) == "19")
      #expect(queue.name(queue.advance(.trackEnded) { _ in true }.entry) == "19")
      #expect(queue.name(queue.advance(.prev) { _ in true }.entry) == "19")
    }
    _ = queue.update(try #require(queue.id("19")), EntryInfo(failure: Failure(.unplayable, "broken")))
    let end = queue.advance(.trackEnded) { _ in true }
    #expect(end.entry == nil)
    #expect(end.nothingPlayable)
    #expect(queue.name(queue.current) == "19", "the current entry keeps its error")
    #expect(queue.count == 20)
  }

  @Test(arguments: ShuffleMode.allCases) func truncatedTracksAndThoseThatTheCallerWantsAreNotSkipped(
    _ shuffle: ShuffleMode
  ) throws {
    var queue = PlayQueue.numbered(20)
    for entry in queue.entries {
      let kind: Failure.Kind = queue.name(entry.id) == "7" ? .decodingStopped : .unplayable
      _ = queue.update(entry.id, EntryInfo(failure: Failure(kind, "broken")))
    }
    queue.setCurrent(queue.id("19"))
    queue.shuffle = shuffle
    #expect(queue.hasNext { _ in true } && queue.hasPrevious { _ in true })
    #expect(queue.name(queue.successor { _ in true }?.entry) == "7")
    #expect(queue.name(queue.advance(.next) { _ in true }.entry) == "7")
    let wanted = try #require(queue.id("3"))
    #expect(queue.advance(.next) { $0 != wanted }.entry == wanted)
  }

  /// A step back from the first entry leads to that entry, and does not count.
  @Test func stepsAreAvailableIfTheyLeadToAnEntry() {
    var random = SplitMix64(seed: 3)
    for seed in 0..<3000 {
      var queue = PlayQueue(version: 0, seed: UInt64(seed))
      let count = Int.random(in: 0...5, using: &random)
      let failing = Int.random(in: 0...3, using: &random)
      queue.insert((0..<count).map { .track("\($0)", error: $0 % 4 < failing ? "x" : nil) }, at: .end)
      queue.repeatMode = RepeatMode.allCases.randomElement(using: &random) ?? .off
      queue.shuffle = ShuffleMode.allCases.randomElement(using: &random) ?? .off
      queue.consume = Bool.random(using: &random)
      for _ in 0..<8 {
        let refused: (EntryID) -> Bool = { _ in true }
        var (next, previous) = (queue, queue)
        #expect(queue.hasNext(skipping: refused) == (next.advance(.next, skipping: refused).entry != nil), "\(seed)")
        let back = previous.advance(.prev, skipping: refused).entry
        #expect(queue.hasPrevious(skipping: refused) == (back != nil && back != queue.current), "\(seed)")
        _ = queue.advance(Bool.random(using: &random) ? .next : .prev, skipping: refused)
      }
    }
  }

  @Test func anEmptyQueueHasNoNextEntry() {
    for shuffle in ShuffleMode.allCases {
      var queue = PlayQueue(version: 0, seed: 1)
      queue.shuffle = shuffle
      #expect(queue.successor() == nil)
      for reason in [PlayQueue.Reason.trackEnded, .next, .prev] {
        let step = queue.advance(reason)
        #expect(step.entry == nil)
        #expect(!step.nothingPlayable)
      }
      queue.insert([.track("only")], at: .next)
      #expect(queue.name(queue.advance(.next).entry) == "only")
    }
  }
}
