internal import SegueState
internal import SegueWire

/// The entries that the daemon has added to the queue by itself, from the music folders, and that the user has not
/// requested since.
///
/// A user who adds such music to a queue that was just populated with it does not want it twice. Therefore `claim`
/// returns the entries that are there already. An entry is claimed only once: a user who adds a track again wants it
/// again.
struct InitialPopulation: Sendable {
  /// The origin of the queue, as it is to be saved.
  private(set) var origin: QueueOrigin
  private var isSaved = true
  /// A hash of each entry's URI, in the order of the ids in `origin`. A pass over the hashes of a million entries takes
  /// a millisecond; a dictionary of their URIs would take a hundred times as long to build and to free.
  private var hashes: [UInt32] = []

  /// Creates the population of the queue in `saved`. Linear.
  init(_ saved: SavedState) {
    origin = saved.queueOrigin
    guard case .daemon(let ids) = saved.queueOrigin else { return }
    let entries = saved.entries.filter { ids.contains($0.id) }.sorted { $0.id < $1.id }
    hashes = entries.map { Self.hash($0.uri) }
    setIDs(RangeSet(ascending: entries.map(\.id)))
  }

  /// Whether the daemon may populate the queue, because there has never been a queue.
  var isAllowed: Bool { origin == .none }

  /// Records that the daemon has added these entries.
  mutating func append(_ ids: [EntryID], _ entries: some Collection<NewEntry>) {
    guard let first = ids.first, let last = ids.last else { return }
    var all = RangeSet<UInt64>()
    if case .daemon(let ids) = origin { all = ids }
    all.insert(contentsOf: first.number..<(last.number + 1))
    hashes += entries.lazy.map { Self.hash($0.uri) }
    setIDs(all)
  }

  /// Records that the queue has changed otherwise than by `append`.
  mutating func recordChange() {
    if isAllowed { end() }
  }

  /// Records that the queue is the user's from now on.
  mutating func end() {
    hashes = []
    setIDs(RangeSet())
  }

  /// Returns for each of `new` the entry of `queue` that is claimed for it, or nil if it is to be added. Linear in the
  /// size of the population, so that about a thousand entries should be claimed at a time.
  mutating func claim(_ new: [NewEntry], in queue: PlayQueue) -> [EntryID?] {
    guard case .daemon(let ids) = origin else { return new.map { _ in nil } }
    let found = candidates(for: new, among: ids)
    let places = queue.places(of: found.map { EntryID($0.id) })
    // The candidates that are still in the queue, by URI, the last ones first.
    var unclaimed: [String: [(offset: Int, id: UInt64)]] = [:]
    for (entry, place) in zip(found, places).reversed() {
      if let place { unclaimed[queue.entries[place].uri, default: []].append(entry) }
    }
    let claimed = new.map { unclaimed[$0.uri]?.popLast() }
    let offsets = RangeSet<Int>(ascending: claimed.compactMap { $0?.offset }.sorted())
    guard !offsets.isEmpty else { return claimed.map { _ in nil } }
    hashes.removeSubranges(offsets)
    setIDs(ids.subtracting(RangeSet(ascending: claimed.compactMap { $0?.id }.sorted())))
    return claimed.map { $0.map { EntryID($0.id) } }
  }

  /// Returns the origin of the queue if it has changed since this was called last; the caller saves it.
  mutating func takeUnsaved() -> QueueOrigin? {
    defer { isSaved = true }
    return isSaved ? nil : origin
  }

  /// Returns the entries whose URIs have the hashes of those of `new`, in the order of their ids, with their offsets in
  /// `hashes`.
  private func candidates(for new: [NewEntry], among ids: RangeSet<UInt64>) -> [(offset: Int, id: UInt64)] {
    let wanted = Set(new.map { Self.hash($0.uri) })
    // A table by the upper half of a hash excludes most hashes without a lookup in the set.
    var isLikely = [Bool](repeating: false, count: 1 << 16)
    for hash in wanted { isLikely[Int(hash >> 16)] = true }
    var found: [(offset: Int, id: UInt64)] = []
    var first = 0
    for range in ids.ranges {
      for offset in first..<(first + range.count) {
        let hash = hashes[offset]
        if isLikely[Int(hash >> 16)], wanted.contains(hash) {
          found.append((offset, range.lowerBound + UInt64(offset - first)))
        }
      }
      first += range.count
    }
    return found
  }

  private mutating func setIDs(_ ids: RangeSet<UInt64>) {
    let new = ids.isEmpty ? QueueOrigin.user : .daemon(ids)
    if new != origin { (origin, isSaved) = (new, false) }
  }

  /// Returns a hash that differs in every process, so that nobody can choose file names with equal hashes.
  private static func hash(_ uri: String) -> UInt32 { UInt32(truncatingIfNeeded: uri.hashValue) }
}

extension RangeSet where Bound: FixedWidthInteger {
  /// Creates a set of ascending integers, none of which occurs twice.
  fileprivate init(ascending integers: some Sequence<Bound>) {
    var ranges: [Range<Bound>] = []
    for integer in integers {
      if let last = ranges.last, last.upperBound == integer {
        ranges[ranges.count - 1] = last.lowerBound..<(integer + 1)
      } else {
        ranges.append(integer..<(integer + 1))
      }
    }
    self.init(ranges)
  }
}
