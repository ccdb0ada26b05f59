import SeguePlayer
import SegueWire
import Testing

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
    #expect(queue.name(queue.advance(.trackEnded) { $0.failure != nil }.entry) == "1")
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
      #expect(queue.name(queue.successor { $0.failure != nil }?.entry) == "19")
      #expect(queue.name(queue.advance(.trackEnded) { $0.failure != nil }.entry) == "19")
      #expect(queue.name(queue.advance(.prev) { $0.failure != nil }.entry) == "19")
    }
    _ = queue.update(try #require(queue.id("19")), EntryInfo(failure: Failure(.unplayable, "broken")))
    let end = queue.advance(.trackEnded) { $0.failure != nil }
    #expect(end.entry == nil)
    #expect(end.nothingPlayable)
    #expect(queue.name(queue.current) == "19", "the current entry keeps its error")
    #expect(queue.count == 20)
  }

  @Test func anEmptyQueueHasNoNextEntry() {
    for shuffle in ShuffleMode.allCases {
      var queue = PlayQueue(seed: 1)
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
