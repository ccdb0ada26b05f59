/// The playback order of a shuffled queue: the indices that were played, the next ones, and those that are undecided.
///
/// A round is a permutation of the queue. It is decided as late as possible: one track ahead if tracks are shuffled (a
/// Fisher–Yates shuffle, one step at a time), all albums at once if albums are shuffled. Therefore an entry that is added
/// later has the same chance as the others, and the next entry does not change once it was returned. The previous round is
/// kept for going back.
///
/// The order holds indices only. The queue passes in the album of each of its entries, in the order of the queue, and
/// reports every index that changes.
struct ShuffleOrder: Sendable {
  let byAlbum: Bool

  /// Indices into the queue: the previous round, if there is one, then the current one. An index occurs once in a round.
  private var steps: [Int32]
  /// The index in `steps` at which the current round begins.
  private var roundStart = 0
  /// The index in `steps` of the current entry; -1 before the first.
  private var position = -1
  /// The number of `steps` that are in their final order: more than `position`, and at least `roundStart`.
  private var decided = 0
  /// The number of `steps` up to the last that was explicitly inserted ("play next"). These are not decided anew.
  private var pinned = 0
  private var generator: SplitMix64

  init(byAlbum: Bool, albums: [AlbumKey], current: Int?, generator: SplitMix64) {
    self.byAlbum = byAlbum
    self.generator = generator
    steps = Array(0..<Int32(albums.count))
    if let current { jump(to: current, albums) } else { decide(albums) }
  }

  /// The index of the current entry; nil before the first.
  var current: Int? { position < 0 ? nil : Int(steps[position]) }

  /// The index of the next entry, which is decided already; nil if the current entry is the last of the round.
  var next: Int? { isAtEnd ? nil : Int(steps[position + 1]) }

  /// Whether the current entry is the last of the round.
  var isAtEnd: Bool { position + 1 >= steps.count }

  /// Begins a new round without a current entry.
  mutating func restart(_ albums: [AlbumKey]) {
    self = ShuffleOrder(byAlbum: byAlbum, albums: albums, current: nil, generator: generator)
  }
}

// MARK: - Steps

extension ShuffleOrder {
  /// Goes to the next entry, and begins a new round at the end if `wraps`. Returns nil at the end otherwise.
  mutating func forward(wraps: Bool, _ albums: [AlbumKey]) -> Int? {
    if isAtEnd {
      guard wraps, !albums.isEmpty else { return nil }
      beginRound(albums)
    }
    position += 1
    decide(albums)
    return current
  }

  /// Goes to the previous entry. From the first one it goes, if `wraps`, to an entry of this round that was not played yet.
  mutating func back(wraps: Bool, _ albums: [AlbumKey]) -> Int? {
    if position > 0 {
      position -= 1
      return current
    }
    guard wraps, position + 1 < steps.count, let last = steps.last else { return nil }
    if byAlbum, position == 0, albums[Int(last)] == albums[Int(steps[0])] {
      // The last album of the round is the current one: go to its end.
      position = steps.count - 1
      decide(albums)
      return current
    }
    let album = albums[Int(last)]
    let before =
      byAlbum
      ? steps[(position + 1)...].filter { albums[Int($0)] == album }.sorted() : [last]
    if byAlbum {
      let moved = Set(before)
      let firstLeft = position + 1
      let tail = steps[firstLeft...].filter { !moved.contains($0) }
      decided -= steps[firstLeft..<decided].count(where: moved.contains)
      pinned = min(pinned, decided)
      steps.replaceSubrange(firstLeft..., with: tail)
    } else {
      steps.removeLast()
      decided = min(decided, steps.count)
      pinned = min(pinned, decided)
    }
    steps.insert(contentsOf: before, at: 0)
    if roundStart > 0 { roundStart += before.count }
    decided += before.count
    if pinned > 0 { pinned += before.count }
    position = before.count - 1
    decide(albums)
    return current
  }

  /// Makes the entry at `index` the current one, wherever it was in this round. If albums are shuffled, the rest of its
  /// album follows, in the order of the queue.
  mutating func jump(to index: Int, _ albums: [AlbumKey]) {
    let album = albums[index]
    var members: [Int32] = byAlbum ? [] : [Int32(index)]
    var kept = Array(steps[..<roundStart])
    kept.reserveCapacity(steps.count)
    var keptPosition = min(position, roundStart - 1)
    var keptDecided = roundStart
    for slot in roundStart..<steps.count {
      let step = steps[slot]
      if byAlbum ? albums[Int(step)] == album : Int(step) == index {
        if byAlbum { members.append(step) }
        continue
      }
      kept.append(step)
      if slot <= position { keptPosition += 1 }
      if slot < decided { keptDecided += 1 }
    }
    // The entry may have become part of its album after the album was played.
    if !members.contains(Int32(index)) { members.append(Int32(index)) }
    members.sort()
    let slot = max(keptPosition + 1, roundStart)
    kept.insert(contentsOf: members, at: slot)
    steps = kept
    position = slot + (members.firstIndex(of: Int32(index)) ?? 0)
    decided = max(keptDecided, slot) + members.count
    pinned = min(max(pinned, slot) + members.count, decided)
    decide(albums)
  }
}

// MARK: - Changes of the queue

extension ShuffleOrder {
  /// The place of new entries in the order.
  enum Place {
    case afterCurrent
    /// Right after the entry at this index before the insertion, if that entry is about to be played.
    case after(Int)
    case anywhere
  }

  /// Inserts the entries that were inserted into the queue at `range`. `albums` has one element for each entry of the queue
  /// after the insertion.
  mutating func insert(_ range: Range<Int>, _ place: Place, _ albums: [AlbumKey]) {
    let slot: Int? =
      switch place {
      case .afterCurrent: position + 1
      case .after(let index):
        steps[max(position, 0)..<max(decided, position + 1, 0)].firstIndex(of: Int32(index)).map { $0 + 1 }
      case .anywhere: nil
      }
    let start = Int32(range.lowerBound)
    let count = Int32(range.count)
    for index in steps.indices where steps[index] >= start { steps[index] += count }
    let new = start..<(start + count)
    if let slot {
      steps.insert(contentsOf: new, at: slot)
      if slot < roundStart { roundStart += new.count }
      decided = max(decided, slot) + new.count
      pinned = max(pinned, slot) + new.count
    } else {
      steps.append(contentsOf: new)
      reopenAlbums(albums)
    }
    decide(albums)
  }

  /// Removes entries other than the current one. `newIndex`: the new index of each of the former entries, -1 for those that
  /// were removed.
  mutating func remove(newIndex: [Int32], _ albums: [AlbumKey]) {
    renumber(newIndex)
    decide(albums)
  }

  /// Adapts the order after entries other than the current one were removed, entries were moved, and entries were inserted at
  /// the indices `inserted`, which are played some time in this round. `newIndex`: as for `remove`.
  mutating func rearrange(newIndex: [Int32], inserted: RangeSet<Int>, _ albums: [AlbumKey]) {
    renumber(newIndex)
    for range in inserted.ranges { steps.append(contentsOf: Int32(range.lowerBound)..<Int32(range.upperBound)) }
    if !inserted.isEmpty { reopenAlbums(albums) }
    decide(albums)
  }

  /// Replaces the indices by new ones, and removes those whose new index is -1.
  private mutating func renumber(_ newIndex: [Int32]) {
    var kept: [Int32] = []
    kept.reserveCapacity(steps.count)
    var (newPosition, newStart, newDecided, newPinned) = (-1, 0, 0, 0)
    for (slot, step) in steps.enumerated() {
      let index = newIndex[Int(step)]
      guard index >= 0 else { continue }
      kept.append(index)
      if slot <= position { newPosition += 1 }
      if slot < roundStart { newStart += 1 }
      if slot < decided { newDecided += 1 }
      if slot < pinned { newPinned += 1 }
    }
    (steps, position, roundStart, decided, pinned) = (kept, newPosition, newStart, newDecided, newPinned)
  }

  /// Adapts the indices after entries were moved in the queue; the order remains. `newIndex`: the new index of each entry.
  mutating func move(newIndex: [Int32]) {
    for slot in steps.indices { steps[slot] = newIndex[Int(steps[slot])] }
  }
}

// MARK: - Decisions

extension ShuffleOrder {
  private mutating func beginRound(_ albums: [AlbumKey]) {
    let last = steps.last
    steps.removeFirst(roundStart)
    position -= roundStart
    roundStart = steps.count
    decided = roundStart
    pinned = 0
    steps.append(contentsOf: 0..<Int32(albums.count))
    choose(avoiding: last, albums)
  }

  /// Decides the entry after `position` in this round, if it is undecided.
  private mutating func decide(_ albums: [AlbumKey]) {
    decided = max(decided, position + 1)
    if decided == position + 1, decided < steps.count { choose(avoiding: nil, albums) }
  }

  /// Decides the entry at `decided`: not `last`, if there is another.
  private mutating func choose(avoiding last: Int32?, _ albums: [AlbumKey]) {
    if byAlbum { return permuteAlbums(avoiding: last, albums) }
    var end = steps.count
    if let last, end - decided > 1, let same = steps[decided...].firstIndex(of: last) {
      end -= 1
      steps.swapAt(same, end)
    }
    steps.swapAt(decided, Int.random(in: decided..<end, using: &generator))
    decided += 1
  }

  /// Decides all undecided entries: albums in random order, the tracks of each in the order of the queue. The album of
  /// `last` is not the first one, if there is another. O(n).
  private mutating func permuteAlbums(avoiding last: Int32?, _ albums: [AlbumKey]) {
    let open = inQueueOrder(steps[decided...], count: albums.count)
    // The tracks of most albums are adjacent, so that an album is looked up once for each run of its tracks.
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

  /// Returns the same indices in ascending order. They are distinct and below `count`, so that a table is faster than
  /// sorting.
  private func inQueueOrder(_ indices: ArraySlice<Int32>, count: Int) -> [Int32] {
    var present = [Bool](repeating: false, count: count)
    for index in indices { present[Int(index)] = true }
    return (0..<Int32(count)).filter { present[Int($0)] }
  }

  /// Makes the albums after the current one, and after the next one if that was returned already, undecided again, so that
  /// new albums have the same chance.
  private mutating func reopenAlbums(_ albums: [AlbumKey]) {
    guard byAlbum else { return }
    var keep = max(position + 1, pinned, roundStart)
    // The rest of the current album, or, at its last track, the next album.
    if keep < decided {
      let key = albums[Int(steps[keep])]
      while keep < decided, albums[Int(steps[keep])] == key { keep += 1 }
    }
    decided = min(decided, keep)
  }
}

/// A hash table that numbers albums from 0, in the order in which they are first looked up.
///
/// An album's key is a hash already, so that a lookup is one multiplication and, mostly, one comparison. A `Dictionary`
/// would hash the key once more, which takes most of the time of shuffling a long queue.
private struct AlbumNumbers {
  /// The albums' numbers by hash, with linear probing; -1 for a free slot. At most half of the slots are used.
  private var slots: [Int32]
  /// The keys by number.
  private var keys: [AlbumKey] = []
  /// An odd random number, so that nobody can choose keys with the same slots.
  private let multiplier: UInt64
  private let shift: Int

  /// Creates a table for at most `capacity` lookups.
  init(capacity: Int, using generator: inout SplitMix64) {
    let bits = max(4, Int.bitWidth - (2 * capacity).leadingZeroBitCount)
    slots = [Int32](repeating: -1, count: 1 << bits)
    shift = UInt64.bitWidth - bits
    multiplier = generator.next() | 1
  }

  /// Returns the number of the album with `key`: the next free one if the album is new.
  mutating func number(of key: AlbumKey) -> Int {
    var slot = Int((key.value &* multiplier) >> shift)
    while slots[slot] >= 0 {
      let number = Int(slots[slot])
      if keys[number] == key { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(keys.count)
    keys.append(key)
    return keys.count - 1
  }
}

/// A random number generator: Steele, Lea and Flood's SplitMix64 (OOPSLA 2014). Its seed determines the sequence.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
