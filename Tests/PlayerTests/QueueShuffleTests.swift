import SeguePlayer
import SegueWire
import Testing

@Suite struct QueueShuffleTests {
  @Test func currentIsFirstAndNothingRepeatsBeforeAllWereHeard() {
    var queue = PlayQueue.numbered(30)
    queue.setCurrent(queue.id("17"))
    queue.shuffle = .tracks
    #expect(queue.name(queue.current) == "17")
    var last = queue.current
    for round in 0..<20 {
      var heard: [EntryID?] = round == 0 ? [last] : []
      while heard.count < 30 {
        heard.append(queue.advance(.trackEnded).entry)
      }
      #expect(Set(heard).count == 30)
      if round > 0 { #expect(heard.first != last, "a round does not begin with what was just heard") }
      last = heard.last ?? nil
    }
  }

  /// Every order of four is as likely as any other: 24 orders, 4,800 shuffles, 200 expected of each.
  @Test func ordersAreEquallyLikely() {
    var seen: [[String?]: Int] = [:]
    for seed in 0..<4800 {
      var queue = PlayQueue.numbered(4, seed: UInt64(seed))
      queue.shuffle = .tracks
      seen[(0..<4).map { _ in queue.name(queue.advance(.next).entry) }, default: 0] += 1
    }
    #expect(seen.count == 24)
    #expect(seen.values.allSatisfy { (140...260).contains($0) })
  }

  @Test func latecomersHaveTheirChance() {
    var first = 0
    for seed in 0..<1000 {
      var queue = PlayQueue.numbered(10, seed: UInt64(seed))
      queue.shuffle = .tracks
      _ = queue.advance(.next)
      let added = queue.insert((0..<10).map { .track("new\($0)") }, at: .end).ids
      #expect(Set(queue.rest()).isSuperset(of: added))
      // What was foretold stays next; the one after it is any of 18.
      if added.contains(queue.rest()[1]) { first += 1 }
    }
    #expect((480...640).contains(first), "10 of 18 are new: 556 of 1000")
  }

  @Test func nextMeansNextAndKeepsItsOrder() throws {
    for mode in [ShuffleMode.tracks, .albums] {
      var queue = PlayQueue.numbered(50)
      queue.setCurrent(queue.id("20"))
      queue.shuffle = mode
      let batch = queue.insert([.track("a"), .track("b")], at: .next).ids
      queue.insert([.track("c")], at: .after(try #require(batch.last)))
      queue.insert([.track("x")], at: .end)
      #expect(queue.names[21...23] == ["a", "b", "c"])
      #expect(queue.rest().prefix(3).map(queue.name) == ["a", "b", "c"])
      #expect(Set(queue.rest()).count == queue.rest().count)
    }
  }

  @Test func goingBackRetracesTheWayAndForthAgain() {
    var queue = PlayQueue.numbered(10)
    queue.shuffle = .tracks
    let way = (0..<15).map { _ in queue.advance(.next).entry }
    for step in way.dropLast().reversed() { #expect(queue.advance(.prev).entry == step) }
    for step in way.dropFirst() { #expect(queue.advance(.next).entry == step) }
  }

  @Test func goingBackBeforeTheFirstTakesSomethingOfThisRound() throws {
    var queue = PlayQueue.numbered(5)
    queue.setCurrent(queue.id("2"))
    queue.shuffle = .tracks
    let before = try #require(queue.advance(.prev).entry)
    #expect(queue.name(before) != "2")
    #expect(queue.name(queue.advance(.next).entry) == "2")
    #expect(Set(queue.rest()).union([before, try #require(queue.current)]).count == 5)
    #expect(!queue.rest().contains(before))
  }

  @Test func jumpingLeavesNothingOut() throws {
    var queue = PlayQueue.numbered(10)
    queue.setCurrent(queue.id("0"))
    queue.shuffle = .tracks
    let foretold = queue.successor()
    let target = try #require(queue.rest().last)
    queue.setCurrent(target)
    #expect(queue.successor() == foretold)
    #expect(queue.rest().count == 8)
    #expect(queue.advance(.prev).entry == queue.id("0"))
  }

  @Test func foretellingChangesNothingAndHolds() {
    for seed in 0..<50 {
      for mode in ShuffleMode.allCases {
        var queue = PlayQueue.numbered(7, seed: UInt64(seed))
        queue.shuffle = mode
        for _ in 0..<30 {
          let foretold = queue.successor()
          #expect(queue.successor() == foretold)
          #expect(queue.advance(.trackEnded).entry == foretold)
        }
      }
    }
  }

  // MARK: Albums

  /// Albums a…e of four tracks each, the queue's order mixed so that no album lies in one piece.
  private func albums(seed: UInt64) -> PlayQueue {
    var queue = PlayQueue(seed: seed)
    for track in 1...4 {
      queue.insert(
        ["a", "b", "c", "d", "e"].map { (name: String) in .track("\(name)\(track)", album: name, artist: "x") },
        at: .end)
    }
    return queue
  }

  @Test func albumsStayWhole() {
    var orders: Set<[Character?]> = []
    for seed in 0..<60 {
      var queue = albums(seed: UInt64(seed))
      queue.setCurrent(queue.id("c2"))
      queue.shuffle = .albums
      #expect(queue.rest().prefix(2).map(queue.name) == ["c3", "c4"], "the album that plays goes on")
      var lastAlbum: Character?
      for _ in 0..<2 { _ = queue.advance(.trackEnded) }
      for round in 0..<3 {
        let count = round == 0 ? 4 : 5
        let names = (0..<(count * 4)).compactMap { _ in queue.name(queue.advance(.trackEnded).entry) }
        let heard = stride(from: 0, to: names.count, by: 4).map { names[$0].first }
        for (index, album) in heard.compactMap({ $0 }).enumerated() {
          #expect(names[(index * 4)..<(index * 4 + 4)].elementsEqual((1...4).map { "\(album)\($0)" }))
        }
        #expect(Set(heard).count == count)
        if let lastAlbum { #expect(heard.first != lastAlbum) }
        lastAlbum = heard.last ?? nil
        if round == 0 { orders.insert(heard) }
      }
    }
    #expect(orders.count > 15, "of 24 orders")
  }

  @Test func anAlbumThatIsAddedGetsItsTurnWhole() {
    var places: Set<Int> = []
    for seed in 0..<60 {
      var queue = albums(seed: UInt64(seed))
      queue.setCurrent(queue.id("a1"))
      queue.shuffle = .albums
      queue.insert((1...4).map { .track("f\($0)", album: "f", artist: "x") }, at: .end)
      let names = queue.rest().compactMap(queue.name)
      #expect(names.count == 23)
      let place = names.firstIndex(of: "f1") ?? -1
      #expect(names[place..<(place + 4)] == ["f1", "f2", "f3", "f4"])
      places.insert((place - 3) / 4)
    }
    #expect(places == [0, 1, 2, 3, 4])
  }

  @Test func jumpingToAnAlbumPlaysItOn() {
    var queue = albums(seed: 3)
    queue.setCurrent(queue.id("b2"))
    queue.shuffle = .albums
    queue.setCurrent(queue.id("d3"))
    let names = queue.rest().compactMap(queue.name)
    #expect(names.prefix(3) == ["d4", "b3", "b4"], "then what was left of the other")
    #expect(names.count == 15)
    queue.setCurrent(queue.id("d1"))
    #expect(queue.rest().compactMap(queue.name).prefix(3) == ["d2", "d3", "d4"])
  }

  @Test func foldersAndStreamsWithoutTags() {
    var queue = PlayQueue(seed: 5)
    for track in 1...3 {
      queue.insert(["p", "q"].map { NewEntry(uri: "file:///\($0)/\(track)") }, at: .end)
      queue.insert([NewEntry(uri: "http://radio/\(track)")], at: .end)
    }
    queue.shuffle = .albums
    let uris = queue.rest().compactMap { queue.entry($0)?.uri }
    for folder in ["p", "q"] {
      let places = uris.indices.filter { uris[$0].hasPrefix("file:///\(folder)/") }
      #expect(places.last.map { $0 - (places.first ?? 0) } == 2)
    }
    #expect(Set(uris).count == 9)
  }
}
