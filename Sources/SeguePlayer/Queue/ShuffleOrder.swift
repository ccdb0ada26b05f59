/// The way through a shuffled queue: which indices were heard in which order, what comes next, and what is still open.
///
/// A round is a permutation of the queue. It is decided as late as can be: one track ahead when tracks are shuffled
/// (a Fisher–Yates shuffle a step at a time), all albums at once when albums are. So an entry that is added later has
/// the same chance as the others, and what was foretold as next stays next. The round before is kept for going back.
/// The walk holds indices only. The queue passes in the album of each of its entries, in the queue's order, and reports
/// every index that moves.
struct ShuffleOrder: Sendable {
  /// Indices into the queue: the round before, if any, then this one. Within a round no index occurs twice.
  var steps: [Int32]
  /// Where this round begins in `steps`.
  var roundStart = 0
  /// What is heard now; -1 before the first.
  var position = -1
  /// How many of `steps` are in the order they will be heard in. More than `position`, at least `roundStart`.
  var decided = 0
  /// How many of `steps` were put there by name ("play next") and stay whatever comes.
  var pinned = 0
  let byAlbum: Bool
  var generator: SplitMix64

  init(byAlbum: Bool, albums: [AlbumKey], current: Int?, generator: SplitMix64) {
    self.byAlbum = byAlbum
    self.generator = generator
    steps = Array(0..<Int32(albums.count))
    if let current { jump(to: current, albums) } else { decide(albums) }
  }

  /// The queue's index at `position`; nil before the first.
  var current: Int? { position < 0 ? nil : Int(steps[position]) }

  /// Whether the round has been heard to its last.
  var isAtEnd: Bool { position + 1 >= steps.count }

  /// Forgets where it is; what was not heard is heard in a new round.
  mutating func restart(_ albums: [AlbumKey]) {
    self = ShuffleOrder(byAlbum: byAlbum, albums: albums, current: nil, generator: generator)
  }

  // MARK: Walking

  /// One step on, into a new round if `wraps`. nil at the end.
  mutating func forward(wraps: Bool, _ albums: [AlbumKey]) -> Int? {
    if isAtEnd {
      guard wraps, !albums.isEmpty else { return nil }
      beginRound(albums)
    }
    position += 1
    decide(albums)
    return current
  }

  /// One step back. Before the first comes, if `wraps`, something of this round that was not heard yet.
  mutating func back(wraps: Bool, _ albums: [AlbumKey]) -> Int? {
    if position > 0 {
      position -= 1
      return current
    }
    guard wraps, position + 1 < steps.count, let last = steps.last else { return nil }
    if byAlbum, position == 0, albums[Int(last)] == albums[Int(steps[0])] {
      // The last album of the round is this very one: to its end.
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

  /// Makes the entry at `index` the current one, wherever it was in this round; under albums the rest of its album
  /// follows it, in the queue's order.
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
    // Its album may have been joined by this entry since it was heard.
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

  // MARK: Deciding

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

  /// Sees to it that what follows `position` in this round is decided.
  mutating func decide(_ albums: [AlbumKey]) {
    decided = max(decided, position + 1)
    if decided == position + 1, decided < steps.count { choose(avoiding: nil, albums) }
  }

  /// Decides what comes at `decided`: not `last`, if there is anything else.
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
}
