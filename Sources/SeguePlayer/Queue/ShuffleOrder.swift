internal import SegueState
internal import SegueSystem

/// The playback order of a shuffled queue: the indices that were played, the next ones, and those that are undecided.
///
/// A round is a permutation of the queue. It is decided as late as possible: one track ahead if tracks are shuffled (a
/// Fisher–Yates shuffle, one step at a time), one album ahead if albums are shuffled. Therefore an entry that is added
/// later has the same chance as the others, and the next entry does not change once it was returned. The last entries
/// of the previous round are kept for going back.
///
/// The order holds indices only. The queue passes in the album of each of its entries, in the order of the queue, and
/// reports every index that changes.
struct ShuffleOrder: Sendable {
  let byAlbum: Bool

  /// Indices into the queue: the end of the previous round, if there is one, then the current one. An index occurs once
  /// in a round.
  private var steps: [Int32]
  /// The index in `steps` at which the current round begins.
  private var roundStart = 0
  /// The index in `steps` of the current entry; -1 before the first.
  private var position = -1
  /// The number of `steps` that are in their final order: more than `position`, and at least `roundStart`.
  private var decided = 0
  /// The number of `steps` up to the last that was explicitly inserted ("play next"). These are not decided anew.
  private var pinned = 0
  /// The number of `steps`, from the first one, that are as they were when they were saved.
  private var unchanged = 0
  private var generator: SplitMix64

  /// The number of entries of the previous round that are kept for going back.
  private static let maximumHistory = 10_000

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

  /// The indices of the entries before the current one.
  var preceding: ArraySlice<Int32> { steps[..<max(position, 0)] }

  /// The indices of the entries after the current one, of which not all are in their final order.
  var following: ArraySlice<Int32> { steps[(position + 1)...] }

  /// The indices of the entries of this round that were not played yet.
  var unplayed: ArraySlice<Int32> { steps[max(position + 1, roundStart)...] }

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

  /// Goes to the previous entry. From the first one it goes, if `wraps`, to an entry of this round that was not played
  /// yet.
  mutating func back(wraps: Bool, _ albums: [AlbumKey]) -> Int? {
    if position > 0 {
      position -= 1
      return current
    }
    guard wraps, let last = unplayed.last else { return nil }
    let album = albums[Int(last)]
    if byAlbum, position == 0, roundStart == 0, steps.allSatisfy({ albums[Int($0)] == album }) {
      // The only album is the current one: go to its end.
      position = steps.count - 1
      decide(albums)
      return current
    }
    unchanged = 0
    let before =
      byAlbum
      ? unplayed.filter { albums[Int($0)] == album }.sorted() : [last]
    if byAlbum {
      let firstLeft = unplayed.startIndex
      let tail = steps[firstLeft...].filter { albums[Int($0)] != album }
      decided -= steps[firstLeft..<decided].count { albums[Int($0)] == album }
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
    var firstMoved = steps.count
    for slot in roundStart..<steps.count {
      let step = steps[slot]
      if byAlbum ? albums[Int(step)] == album : Int(step) == index {
        if byAlbum { members.append(step) }
        firstMoved = min(firstMoved, slot)
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
    unchanged = min(unchanged, firstMoved, slot)
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

  /// Inserts the entries that were inserted into the queue at `range`. `albums` has one element for each entry of the
  /// queue after the insertion.
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
      pin(Array(new), at: slot)
    } else {
      steps.append(contentsOf: new)
    }
    decide(albums)
  }

  /// Inserts entries into the order, which are not decided anew.
  private mutating func pin(_ new: [Int32], at slot: Int) {
    steps.insert(contentsOf: new, at: slot)
    if slot < roundStart { roundStart += new.count }
    unchanged = min(unchanged, slot)
    decided = max(decided, slot) + new.count
    pinned = max(pinned, slot) + new.count
  }

  /// Removes entries other than the current one. `newIndex`: the new index of each of the former entries, -1 for those
  /// that were removed.
  mutating func remove(newIndex: [Int32], _ albums: [AlbumKey]) {
    renumber(newIndex)
    decide(albums)
  }

  /// Adapts the order after entries other than the current one were removed, entries were moved, and entries were
  /// inserted at the indices `inserted`, which are played some time in this round. `newIndex`: as for `remove`.
  mutating func rearrange(newIndex: [Int32], inserted: AscendingRanges<Int>, _ albums: [AlbumKey]) {
    renumber(newIndex)
    for range in inserted.ranges { steps.append(contentsOf: Int32(range.lowerBound)..<Int32(range.upperBound)) }
    decide(albums)
  }

  /// Replaces the indices by new ones, and removes those whose new index is -1.
  private mutating func renumber(_ newIndex: [Int32]) {
    var kept: [Int32] = []
    kept.reserveCapacity(steps.count)
    var (newPosition, newStart, newDecided, newPinned) = (-1, 0, 0, 0)
    for (slot, step) in steps.enumerated() {
      let index = newIndex[Int(step)]
      guard index >= 0 else {
        unchanged = min(unchanged, slot)
        continue
      }
      kept.append(index)
      if slot <= position { newPosition += 1 }
      if slot < roundStart { newStart += 1 }
      if slot < decided { newDecided += 1 }
      if slot < pinned { newPinned += 1 }
    }
    (steps, position, roundStart, decided, pinned) = (kept, newPosition, newStart, newDecided, newPinned)
  }

  /// Adapts the indices after entries were moved in the queue; the order remains. `newIndex`: the new index of each
  /// entry.
  mutating func move(newIndex: [Int32]) {
    for slot in steps.indices { steps[slot] = newIndex[Int(steps[slot])] }
  }

  /// Makes the entries at these indices of the queue the next ones of this round, wherever they were in it. The current
  /// entry stays.
  mutating func playNext(_ range: Range<Int>) {
    var kept = Array(steps[..<roundStart])
    kept.reserveCapacity(steps.count)
    let current = current
    var (newPosition, newDecided, newPinned) = (position, decided, pinned)
    for slot in roundStart..<steps.count {
      guard slot != position, range.contains(Int(steps[slot])) else {
        kept.append(steps[slot])
        continue
      }
      unchanged = min(unchanged, slot)
      if slot < position { newPosition -= 1 }
      if slot < decided { newDecided -= 1 }
      if slot < pinned { newPinned -= 1 }
    }
    (steps, position, decided, pinned) = (kept, newPosition, newDecided, newPinned)
    pin(range.filter { $0 != current }.map(Int32.init), at: max(position + 1, roundStart))
  }
}

// MARK: - Decisions

extension ShuffleOrder {
  private mutating func beginRound(_ albums: [AlbumKey]) {
    let last = steps.last
    let forgotten = max(roundStart, steps.count - Self.maximumHistory)
    if forgotten > 0 { unchanged = 0 }
    steps.removeFirst(forgotten)
    position -= forgotten
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

  /// Decides the entry at `decided`: not `last`, if there is another. If albums are shuffled, it decides all tracks of
  /// its album.
  private mutating func choose(avoiding last: Int32?, _ albums: [AlbumKey]) {
    unchanged = min(unchanged, decided)
    if byAlbum { return chooseAlbum(avoiding: last, albums) }
    var end = steps.count
    if let last, end - decided > 1, let same = steps[decided...].firstIndex(of: last) {
      end -= 1
      steps.swapAt(same, end)
    }
    steps.swapAt(decided, Int.random(in: decided..<end, using: &generator))
    decided += 1
  }

  /// Decides one of the albums of which tracks are undecided, each with the same chance: all of these tracks, in the
  /// order of the queue. It is not the album of `last`, if there is another. Two passes over the undecided entries.
  private mutating func chooseAlbum(avoiding last: Int32?, _ albums: [AlbumKey]) {
    let avoided = last.map { albums[Int($0)] }
    let salt = generator.next()
    // Every album has a random number, which is the same for all of its tracks. The album with the smallest one is
    // chosen.
    var chosen: (album: AlbumKey, number: UInt64)?
    for step in steps[decided...] {
      let album = albums[Int(step)]
      let number = album == avoided ? .max : SplitMix64.mix(album.value ^ salt)
      if chosen.map({ number < $0.number }) ?? true { chosen = (album, number) }
    }
    var members: [Int32] = []
    var others: [Int32] = []
    others.reserveCapacity(steps.count - decided)
    for step in steps[decided...] {
      if albums[Int(step)] == chosen?.album { members.append(step) } else { others.append(step) }
    }
    members.sort()
    steps.replaceSubrange(decided..., with: members + others)
    decided += members.count
  }
}

// MARK: - Saving

extension ShuffleOrder {
  /// The part of the order that is saved: its length, and its marks.
  struct SavedPart: Equatable {
    var length = 0
    var marks = SavedShuffleOrder.Marks()
  }

  private var marks: SavedShuffleOrder.Marks {
    SavedShuffleOrder.Marks(position: position, roundStart: roundStart, pinned: pinned)
  }

  /// Creates the order that was saved. Entries that were not saved are undecided.
  /// - Parameters:
  ///   - saved: The indices of the saved entries; nil for those that are not in the queue any more.
  ///   - marks: The marks in `saved`, which may have any values.
  init(
    byAlbum: Bool, albums: [AlbumKey], saved: [Int?], _ marks: SavedShuffleOrder.Marks, generator: SplitMix64
  ) {
    self.byAlbum = byAlbum
    self.generator = generator
    steps = []
    var isInRound = [Bool](repeating: false, count: albums.count)
    let start = marks.roundStart.clamped(to: 0...saved.count)
    for slot in 0...saved.count {
      if slot == start {
        roundStart = steps.count
      }
      guard slot < saved.count, let index = saved[slot], !isInRound[index] else { continue }
      if slot == steps.count { unchanged = slot + 1 }
      if slot >= start { isInRound[index] = true }
      steps.append(Int32(index))
      if slot <= marks.position { position += 1 }
      if slot < marks.pinned { pinned += 1 }
    }
    decided = steps.count
    for index in albums.indices where !isInRound[index] { steps.append(Int32(index)) }
    decide(albums)
  }

  /// Makes the entry at `index` the current one; nil for none. It may be the entry before or after the saved one,
  /// because the playhead is saved more often than the order.
  mutating func resume(at index: Int?, _ albums: [AlbumKey]) {
    if index == current { return }
    guard let index else { return restart(albums) }
    if index == next {
      _ = forward(wraps: false, albums)
    } else if position > 0, Int(steps[position - 1]) == index {
      position -= 1
    } else {
      jump(to: index, albums)
    }
  }

  /// Returns whether something has changed since `saved` was saved.
  func hasChanged(since saved: SavedPart) -> Bool { unchanged < saved.length || nextPart(after: saved) != saved }

  /// Returns the indices by which the saved ones are replaced from the index `start` on; nil if nothing has changed.
  /// - Parameter saved: The part that is saved, which is updated.
  mutating func takeChange(since saved: inout SavedPart) -> (start: Int, indices: ArraySlice<Int32>)? {
    guard hasChanged(since: saved) else { return nil }
    let start = min(unchanged, saved.length)
    saved = nextPart(after: saved)
    unchanged = saved.length
    return (start, steps[start..<saved.length])
  }

  /// Returns the part that is saved next if `saved` was saved last.
  private func nextPart(after saved: SavedPart) -> SavedPart {
    SavedPart(length: max(min(unchanged, saved.length), decided), marks: marks)
  }

  /// Returns the indices of the part that is saved.
  var saved: (indices: ArraySlice<Int32>, marks: SavedShuffleOrder.Marks) { (steps[..<decided], marks) }
}
