extension ShuffledWalk {
  /// Orders all that is undecided: albums in random order, the tracks of each in the queue's. The album of `last` does
  /// not come first, if there is another. O(n).
  mutating func permuteAlbums(avoiding last: Int32?, _ entries: [QueueEntry]) {
    let open = inQueueOrder(steps[decided...], count: entries.count)
    // Albums mostly lie in one piece, so the dictionary is asked once a run, not once a track.
    var numbers: [AlbumKey: Int] = [:]
    var sizes: [Int] = []
    var albumOf: [Int] = []
    albumOf.reserveCapacity(open.count)
    var run: (key: AlbumKey, number: Int)?
    for index in open {
      let key = entries[Int(index)].album
      if run?.key != key {
        let number = numbers[key] ?? sizes.count
        if number == sizes.count {
          numbers[key] = number
          sizes.append(0)
        }
        run = (key, number)
      }
      let number = run?.number ?? 0
      sizes[number] += 1
      albumOf.append(number)
    }

    var order = Array(sizes.indices)
    order.shuffle(using: &generator)
    if let last, order.count > 1, order.first == numbers[entries[Int(last)].album] {
      order.swapAt(0, Int.random(in: 1..<order.count, using: &generator))
    }
    var place = [Int](repeating: 0, count: sizes.count)
    var next = decided
    for number in order {
      place[number] = next
      next += sizes[number]
    }
    for (index, number) in zip(open, albumOf) {
      steps[place[number]] = index
      place[number] += 1
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
  mutating func reopenAlbums(_ entries: [QueueEntry]) {
    guard byAlbum else { return }
    var keep = max(position + 1, pinned, roundStart)
    // The rest of the album that is being heard, or, when its last track is, the one that was foretold.
    if keep < decided {
      let key = entries[Int(steps[keep])].album
      while keep < decided, entries[Int(steps[keep])].album == key { keep += 1 }
    }
    decided = min(decided, keep)
  }
}
