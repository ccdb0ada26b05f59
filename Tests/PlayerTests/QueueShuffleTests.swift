import SegueWire
import Testing

@testable import SeguePlayer

@Suite struct QueueShuffleTests {
  @Test func theCurrentTrackIsFirstAndNoTrackRepeatsBeforeAllWerePlayed() {
    var queue = PlayQueue.numbered(30)
    queue.setCurrent(queue.id("17"))
    queue.shuffle = .tracks
    #expect(queue.name(queue.current) == "17")
    var last = queue.current
    for round in 0..<20 {
      var played: [EntryID?] = round == 0 ? [last] : []
      while played.count < 30 {
        played.append(queue.advance(.trackEnded).entry)
      }
      #expect(Set(played).count == 30)
      if round > 0 { #expect(played.first != last, "a round must not begin with the last track of the previous one") }
      last = played.last ?? nil
    }
  }

  /// There are 24 orders of four tracks. Of 4,800 shuffles, 200 of each are expected.
  @Test func allOrdersAreEquallyLikely() {
    var seen: [[String?]: Int] = [:]
    for seed in 0..<4800 {
      var queue = PlayQueue.numbered(4, seed: UInt64(seed))
      queue.shuffle = .tracks
      seen[(0..<4).map { _ in queue.name(queue.advance(.next).entry) }, default: 0] += 1
    }
    #expect(seen.count == 24)
    #expect(seen.values.allSatisfy { (140...260).contains($0) })
  }

  @Test func addedTracksHaveTheSameChanceAsTheOthers() {
    var first = 0
    for seed in 0..<1000 {
      var queue = PlayQueue.numbered(10, seed: UInt64(seed))
      queue.shuffle = .tracks
      _ = queue.advance(.next)
      let added = queue.insert((0..<10).map { .track("new\($0)") }, at: .end).ids
      #expect(Set(queue.rest()).isSuperset(of: added))
      // The predicted track stays next; the one after it is any of 18.
      if added.contains(queue.rest()[1]) { first += 1 }
    }
    #expect((480...640).contains(first), "10 of 18 tracks are new, so that 556 of 1000 are expected")
  }

  @Test func tracksInsertedNextArePlayedNextInTheirOrder() throws {
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

  @Test(arguments: [ShuffleMode.tracks, .albums]) func entriesThatAreMovedNextArePlayedNextInTheirOrder(
    mode: ShuffleMode
  ) {
    for seed in 0..<50 {
      var queue = PlayQueue.numbered(20, seed: UInt64(seed))
      queue.shuffle = mode
      for _ in 0..<(seed % 25) { _ = queue.advance(.trackEnded) }
      let current = queue.current
      let played = queue.entries.map(\.id).filter { !queue.rest().contains($0) && $0 != current }
      // Some were played in this round, and some were not.
      let moved = (played.suffix(2) + queue.rest().suffix(3)).filter { $0 != current }
      queue.move(Array(moved), to: .next)
      #expect(queue.current == current)
      #expect(Array(queue.rest().prefix(moved.count)) == Array(moved), "seed \(seed)")
      #expect(Set(queue.rest()).count == queue.rest().count)
      #expect((0..<moved.count).map { _ in queue.advance(.trackEnded).entry } == moved.map(Optional.some))
      for _ in 0..<60 { #expect(queue.advance(.trackEnded).entry != nil) }
    }
  }

  @Test func goingBackAndForthRepeatsTheSameOrder() {
    var queue = PlayQueue.numbered(10)
    queue.shuffle = .tracks
    let way = (0..<15).map { _ in queue.advance(.next).entry }
    for step in way.dropLast().reversed() { #expect(queue.advance(.prev).entry == step) }
    for step in way.dropFirst() { #expect(queue.advance(.next).entry == step) }
  }

  @Test func goingBackBeforeTheFirstTrackPlaysAnotherOneOfThisRound() throws {
    var queue = PlayQueue.numbered(5)
    queue.setCurrent(queue.id("2"))
    queue.shuffle = .tracks
    let before = try #require(queue.advance(.prev).entry)
    #expect(queue.name(before) != "2")
    #expect(queue.name(queue.advance(.next).entry) == "2")
    #expect(Set(queue.rest()).union([before, try #require(queue.current)]).count == 5)
    #expect(!queue.rest().contains(before))
  }

  /// Steps back from the start of the previous round lead through the tracks of this round, each of which is played
  /// once.
  @Test(arguments: [ShuffleMode.tracks, .albums]) func goingBackBeforeThePreviousRoundLeavesNoTrackOut(
    mode: ShuffleMode
  ) {
    for seed in 0..<20 {
      var queue = albums(seed: UInt64(seed))
      queue.shuffle = mode
      let former = (0..<20).map { _ in queue.advance(.next).entry }
      let begun = (0..<3).compactMap { _ in queue.advance(.next).entry }
      for _ in 0..<(3 + 19) { _ = queue.advance(.prev) }
      #expect(queue.current == former[0])
      var before: [EntryID] = []
      while queue.hasPrevious(), before.count < 40 { before += [queue.advance(.prev).entry].compactMap(\.self) }
      #expect(
        Set(before).count == 20 && before.count == 20, "\(before.map(queue.name)), begun \(begun.map(queue.name))")
      for _ in 0..<100 { #expect(queue.advance(.trackEnded).entry != nil) }
    }
  }

  @Test func aJumpLeavesNoTrackOut() throws {
    var queue = PlayQueue.numbered(10)
    queue.setCurrent(queue.id("0"))
    queue.shuffle = .tracks
    let predicted = queue.successor()
    let target = try #require(queue.rest().last)
    queue.setCurrent(target)
    #expect(queue.successor() == predicted)
    #expect(queue.rest().count == 8)
    #expect(queue.advance(.prev).entry == queue.id("0"))
  }

  @Test func theSuccessorIsTheNextEntryAndReadingItChangesNothing() {
    for seed in 0..<50 {
      for mode in ShuffleMode.allCases {
        var queue = PlayQueue.numbered(7, seed: UInt64(seed))
        queue.shuffle = mode
        for _ in 0..<30 {
          let predicted = queue.successor()
          #expect(queue.successor() == predicted)
          let step = queue.advance(.trackEnded)
          #expect(step.entry == predicted?.entry)
          #expect(queue.currentIndex == predicted?.index)
          #expect(step.wraps == predicted?.wraps)
        }
      }
    }
  }

  // MARK: Albums

  /// Returns a queue of the albums a…e with four tracks each, in which no two tracks of an album are adjacent.
  private func albums(seed: UInt64) -> PlayQueue {
    var queue = PlayQueue(version: 0, seed: seed)
    for track in 1...4 {
      queue.insert(
        ["a", "b", "c", "d", "e"].map { (name: String) in .track("\(name)\(track)", album: name, artist: "x") },
        at: .end)
    }
    return queue
  }

  @Test func shuffledAlbumsStayTogether() {
    var orders: Set<[Character?]> = []
    for seed in 0..<60 {
      var queue = albums(seed: UInt64(seed))
      queue.setCurrent(queue.id("c2"))
      queue.shuffle = .albums
      #expect(queue.rest().prefix(2).map(queue.name) == ["c3", "c4"], "the current album continues")
      var lastAlbum: Character?
      for _ in 0..<2 { _ = queue.advance(.trackEnded) }
      for round in 0..<3 {
        let count = round == 0 ? 4 : 5
        let names = (0..<(count * 4)).compactMap { _ in queue.name(queue.advance(.trackEnded).entry) }
        let played = stride(from: 0, to: names.count, by: 4).map { names[$0].first }
        for (index, album) in played.compactMap({ $0 }).enumerated() {
          #expect(names[(index * 4)..<(index * 4 + 4)].elementsEqual((1...4).map { "\(album)\($0)" }))
        }
        #expect(Set(played).count == count)
        if let lastAlbum { #expect(played.first != lastAlbum) }
        lastAlbum = played.last ?? nil
        if round == 0 { orders.insert(played) }
      }
    }
    #expect(orders.count > 15, "most of the 24 orders must occur")
  }

  @Test func anAddedAlbumStaysTogether() {
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

  @Test func aJumpIntoAnAlbumContinuesTheAlbum() {
    var queue = albums(seed: 3)
    queue.setCurrent(queue.id("b2"))
    queue.shuffle = .albums
    queue.setCurrent(queue.id("d3"))
    let names = queue.rest().compactMap(queue.name)
    #expect(names.prefix(3) == ["d4", "b3", "b4"], "the rest of the former album follows")
    #expect(names.count == 15)
    queue.setCurrent(queue.id("d1"))
    #expect(queue.rest().compactMap(queue.name).prefix(3) == ["d2", "d3", "d4"])
  }

  @Test func foldersWithoutTagsAreAlbumsAndStreamsAreNot() {
    var queue = PlayQueue(version: 0, seed: 5)
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
