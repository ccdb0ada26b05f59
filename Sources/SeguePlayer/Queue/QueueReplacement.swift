/// The entries that replace the queue, once all of them were found. They are prepared in batches, so that replacing the
/// queue by a million entries takes no time for each of them.
public struct QueueReplacement: Sendable {
  private(set) var rows = EntryRows()
  /// A hash of each entry's URI. A pass over the URIs would follow a reference to the heap for each.
  private var hashes: [Int32] = []

  public init() {}

  public var isEmpty: Bool { rows.isEmpty }
  var count: Int { rows.count }

  /// The ids of the prepared entries.
  var ids: AscendingRanges<UInt64> { AscendingRanges(ascending: rows.ids) }

  /// Appends the rows of `entries`.
  mutating func append(_ new: EntryRows, _ entries: ArraySlice<NewEntry>) {
    rows.insert(new, at: rows.count)
    hashes += entries.map { Self.hash($0.uri) }
  }

  /// Returns the index of the first entry with this URI; nil if there is none. `readURI` returns the URI of an id.
  func firstIndex(of uri: String, _ readURI: (UInt64) -> String) -> Int? {
    let hash = Self.hash(uri)
    return hashes.indices.first { hashes[$0] == hash && readURI(rows.ids[$0]) == uri }
  }

  private static func hash(_ uri: String) -> Int32 { Int32(truncatingIfNeeded: uri.hashValue) }
}
