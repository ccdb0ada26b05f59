internal import SegueSystem
public import SegueWire

/// The play queue: what is in it, which entry is current, and what comes next. A value: no I/O, no thread.
///
/// Every change answers what the store must do to keep in step. Looking up by id is a scan of a dense column of numbers
/// (30 µs in 100,000 entries); changes are linear at worst.
public struct PlayQueue: Sendable {
  /// The most entries that a queue holds.
  public static let capacity = 1_000_000

  var table = EntryTable()
  /// Grows by one with every change of what the queue holds or knows of it.
  public internal(set) var version: UInt64 = 0
  /// Where the current entry is; nil without one.
  public internal(set) var currentIndex: Int?
  /// `one` repeats a track that ended; by hand it wraps round as `all` does.
  public var repeatMode: RepeatMode = .all
  /// Under consume an entry leaves the queue once it was played to its end or skipped with `next`.
  public var consume = false
  /// The next id that will be given out; to be stored with the rows, so that none is used twice.
  public internal(set) var nextID: UInt64 = 1
  var walk: ShuffleOrder?
  var generator: SplitMix64

  /// `seed` fixes every shuffle.
  public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  public var entries: [QueueEntry] { table.entries }
  public var count: Int { table.count }
  public var isEmpty: Bool { entries.isEmpty }

  public var current: EntryID? { currentIndex.map { table[$0].id } }
  public var currentEntry: QueueEntry? { currentIndex.map { table[$0] } }

  /// Where `id` is; nil if it is not in the queue.
  public func index(of id: EntryID) -> Int? {
    if let currentIndex, table.ids[currentIndex] == id.number { return currentIndex }
    return table.ids.firstIndex(of: id.number)
  }

  /// The same, quick where `id` is at `guess` or little beyond.
  func index(of id: EntryID, near guess: Int) -> Int? {
    let near = table.ids[guess.clamped(to: 0...count)...].prefix(Self.near)
    return near.firstIndex(of: id.number) ?? index(of: id)
  }

  private static let near = 64

  /// Where each of `wanted` is, in their order; nil for one that is not in the queue.
  func places(of wanted: [EntryID]) -> [Int?] {
    // A scan an id while they are few; beyond, one table for all.
    if wanted.count <= 16 { return wanted.map { index(of: $0) } }
    let ids = table.ids
    guard var low = wanted.min()?.number, var high = wanted.max()?.number else { return [] }
    // The numbers of a queue lie close together: a table by number, unless it were mostly holes.
    let most = 16 * UInt64(count) + 4096
    if high - low >= most, let first = ids.min(), let last = ids.max() {
      (low, high) = (max(low, first), max(low, min(high, last)))
    }
    guard high - low < most else {
      let places = Dictionary(uniqueKeysWithValues: zip(ids, 0...))
      return wanted.map { places[$0.number] }
    }
    var places = [Int32](repeating: -1, count: Int(high - low) + 1)
    for (index, id) in ids.enumerated() where low <= id && id <= high { places[Int(id - low)] = Int32(index) }
    return wanted.map { id in
      guard low <= id.number, id.number <= high else { return nil }
      let place = places[Int(id.number - low)]
      return place >= 0 ? Int(place) : nil
    }
  }

  public func entry(_ id: EntryID) -> QueueEntry? { index(of: id).map { table[$0] } }

  /// Up to `limit` entries from index `offset` on; their indices are the queue's.
  public func page(offset: Int, limit: Int) -> ArraySlice<QueueEntry> {
    let start = offset.clamped(to: 0...count)
    return entries[start..<(start + limit.clamped(to: 0...(count - start)))]
  }

  /// Makes `id` the current one. False if it is not in the queue.
  @discardableResult
  public mutating func setCurrent(_ id: EntryID?) -> Bool {
    guard let id else {
      currentIndex = nil
      walk?.restart(table.albums)
      return true
    }
    guard let index = index(of: id) else { return false }
    if index != currentIndex { walk?.jump(to: index, table.albums) }
    currentIndex = index
    return true
  }

  /// Shuffled or not. The current entry stays current, and is the first of the round that begins.
  public var shuffle: ShuffleMode {
    get { walk.map { $0.byAlbum ? .albums : .tracks } ?? .off }
    set {
      guard newValue != shuffle else { return }
      // Another seed for every walk, or switching off and on would repeat the order.
      walk =
        newValue == .off
        ? nil
        : ShuffleOrder(
          byAlbum: newValue == .albums, albums: table.albums, current: currentIndex,
          generator: SplitMix64(seed: generator.next()))
    }
  }

  /// What became known of `id`. Its place under album shuffle is settled when its round or the queue changes next.
  public mutating func update(_ id: EntryID, _ info: EntryInfo) -> QueueChange {
    index(of: id).map { update(at: $0, info) } ?? .none
  }

  /// The same of the entry at `index`.
  mutating func update(at index: Int, _ info: EntryInfo) -> QueueChange {
    guard table[index].info != info else { return .none }
    table.update(at: index, info)
    version += 1
    return .upserted(index..<(index + 1))
  }
}
