internal import SegueSystem
public import SegueWire

/// The form of results in the cache: lines of JSON, so that a page is read without the rest of a long list. The first
/// line has the offset and the total, and each of the others an entry.
extension CatalogResult {
  /// The result as lines.
  public var lines: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("offset", offset)
    json.member("total", total)
    json.endObject()
    var lines = json.bytes
    for entry in entries {
      var json = JSONWriter()
      entry.encode(into: &json)
      lines.append(0x0A)
      lines += json.bytes
    }
    return lines
  }

  /// Reads lines. Returns nil if they are malformed.
  /// - Parameter page: The part of the whole list that is wanted; nil for all entries.
  public init?(lines: [UInt8], page: PageRequest? = nil) {
    let first = lines.prefix { $0 != 0x0A }
    guard let head = try? JSON(parsing: Array(first)), let offset = head["offset"]?.int else { return nil }
    let start = page.map { max(0, $0.offset - offset) } ?? 0
    let count = page.map { $0.offset >= offset ? min($0.limit, Self.maximumCount) : 0 } ?? Self.maximumCount
    var entries: [CatalogEntry] = []
    var rest = lines.dropFirst(first.count + 1)
    var index = 0
    while !rest.isEmpty, index < min(start, Self.maximumCount) + count {
      let line = rest.prefix { $0 != 0x0A }
      if index >= start {
        guard let json = try? JSON(parsing: Array(line)) else { return nil }
        entries.append(CatalogEntry(json))
      }
      rest = rest.dropFirst(line.count + 1)
      index += 1
    }
    self.init(entries, offset: offset + min(start, Self.maximumCount), total: head["total"]?.int)
  }
}
