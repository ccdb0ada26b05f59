extension ShuffleOrder {
  /// Orders all that is undecided: albums in random order, the tracks of each in the queue's. The album of `last` does
  /// not come first, if there is another. O(n).
  mutating func permuteAlbums(avoiding last: Int32?, _ albums: [AlbumKey]) {
    let open = inQueueOrder(steps[decided...], count: albums.count)
    // Albums mostly lie in one piece, so an album is looked up once for each run of its tracks.
    var numbers = AlbumNumbers(capacity: open.count + 1, using: &generator)
    var sizes: [Int] = []
    var albumOf: [Int32] = []
    albumOf.reserveCapacity(open.count)
    var run: (key: AlbumKey, number: Int)?
    for index in open {
      let key = albums[Int(index)]
      if run?.key != key {
        let number = numbers.number(of: key)
        if number == sizes.count { sizes.append(0) }
        run = (key, number)
      }
      let number = run?.number ?? 0
      sizes[number] += 1
      albumOf.append(Int32(number))
    }

    var order = Array(sizes.indices)
    order.shuffle(using: &generator)
    if let last, order.count > 1, order.first == numbers.number(of: albums[Int(last)]) {
      order.swapAt(0, Int.random(in: 1..<order.count, using: &generator))
    }
    var place = [Int](repeating: 0, count: sizes.count)
    var next = decided
    for number in order {
      place[number] = next
      next += sizes[number]
    }
    for (index, number) in zip(open, albumOf) {
      steps[place[Int(number)]] = index
      place[Int(number)] += 1
    }
    decided = steps.count
  }

  /// The same indices, ascending. They are distinct and below `count`, so marking beats sorting.
  private func inQueueOrder(_ indices: ArraySlice<Int32>, count: Int) -> [Int32] {
    var present = [Bool](repeating: false, count: count)
    for index in indices { present[Int(index)] = true }
    return (0..<Int32(count)).filter { present[Int($0)] }
  }

  /// Opens again what comes after the album that is heard, and after the next one if it was foretold, so that newcomers
  /// get their chance.
  mutating func reopenAlbums(_ albums: [AlbumKey]) {
    guard byAlbum else { return }
    var keep = max(position + 1, pinned, roundStart)
    // The rest of the album that is being heard, or, when its last track is, the one that was foretold.
    if keep < decided {
      let key = albums[Int(steps[keep])]
      while keep < decided, albums[Int(steps[keep])] == key { keep += 1 }
    }
    decided = min(decided, keep)
  }
}
