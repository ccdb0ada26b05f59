public import SegueSystem
public import SegueWire

/// An item of a response, with the address of its stream.
public struct CatalogEntry: Equatable, Sendable {
  public var item: CatalogItem
  /// The URL of the preview or the stream; nil if the item has none. It may expire within hours.
  public var stream: String?

  fileprivate var bounded: CatalogEntry {
    CatalogEntry(
      item: item.bounded, stream: stream.flatMap { $0.utf8.count <= CatalogItem.maximumURLSize ? $0 : nil })
  }
}

/// The parsed content of a response, without duplicates, in the order of the provider unless it was sorted.
///
/// A response may contain a longer part of the list than the query asks for: a chart is requested once for all its
/// pages. `page(_:)` returns the part that is wanted.
public struct CatalogResult: Equatable, Sendable {
  public private(set) var entries: [CatalogEntry] = []
  /// The index of the first entry in the whole list.
  public var offset: Int
  /// The length of the whole list; nil if the provider does not say it.
  public var total: Int?

  /// Creates a result. Items are bounded; those without a title and repeated ones are left out.
  /// - Parameter total: If it is less than the number of entries, it is that number.
  public init(_ entries: some Sequence<CatalogEntry>, offset: Int = 0, total: Int? = nil) {
    self.offset = offset.clamped(to: 0...Self.maximumTotal)
    var known: Set<String> = []
    for entry in entries {
      guard self.entries.count < Self.maximumCount else { break }
      guard !entry.item.title.isEmpty, known.insert(entry.item.uri).inserted else { continue }
      self.entries.append(entry.bounded)
    }
    self.total = total.map { max($0.clamped(to: 0...Self.maximumTotal), self.offset + self.entries.count) }
  }

  /// The maximum number of entries of a result: an item and the maximum number of results of iTunes.
  public static let maximumCount = 201
  /// The maximum length of a list. No provider has more items, and calculations with it do not overflow.
  private static let maximumTotal = 1_000_000_000

  /// Returns the entries of a page of the whole list that are in this result.
  public func entries(of page: PageRequest) -> [CatalogEntry] {
    Array(entries.dropFirst(max(0, page.offset - offset)).prefix(page.offset >= offset ? page.limit : 0))
  }

  /// Sorts the entries by keys, byte by byte. Each entry has a key; entries with equal keys keep their order.
  public mutating func sort(by keys: [[UInt8]]) {
    precondition(keys.count == entries.count)
    entries = zip(keys, entries).enumerated().sorted { left, right in
      left.element.0 == right.element.0
        ? left.offset < right.offset : left.element.0.lexicographicallyPrecedes(right.element.0)
    }.map(\.element.1)
  }

  /// Returns a page for clients.
  /// - Parameters:
  ///   - age: The time since the response was received; nil if it was received for this query.
  ///   - isStale: Whether the result is outdated and the provider could not be reached.
  public func page(
    _ page: PageRequest, of provider: any CatalogProvider, age: MediaTime? = nil, isStale: Bool = false
  ) -> CatalogPage {
    CatalogPage(
      items: entries(of: page).map(\.item), total: total, offset: page.offset, limit: page.limit,
      provider: provider.name, attribution: provider.attribution, stale: isStale, age: age)
  }
}

extension CatalogEntry: JSONEncodable, JSONDecodable {
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("item", item)
    json.member("stream", stream)
    json.endObject()
  }

  public init(_ json: JSON?) { self.init(item: CatalogItem(json?["item"]), stream: json?["stream"]?.string) }
}

extension CatalogResult: JSONEncodable, JSONDecodable {
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.key("entries")
    json.beginArray()
    for entry in entries { entry.encode(into: &json) }
    json.endArray()
    json.member("offset", offset)
    json.member("total", total)
    json.endObject()
  }

  /// Reads a result that may come from a malicious process: it is within the same limits as every other.
  public init(_ json: JSON?) {
    let entries = (json?["entries"]?.elements ?? []).prefix(Self.maximumCount).map(CatalogEntry.init)
    self.init(entries, offset: json?["offset"]?.int ?? 0, total: json?["total"]?.int)
  }
}
