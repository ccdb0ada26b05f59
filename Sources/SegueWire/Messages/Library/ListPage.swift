/// An element of a `ListPage`.
public protocol ListItem: JSONEncodable, JSONDecodable {
  /// The name of the page's member that contains the elements.
  static var listName: StaticString { get }
}

extension ListedTrack: ListItem { public static var listName: StaticString { "tracks" } }
extension Album: ListItem { public static var listName: StaticString { "albums" } }
extension Artist: ListItem { public static var listName: StaticString { "artists" } }
extension Genre: ListItem { public static var listName: StaticString { "genres" } }
extension TagValue: ListItem { public static var listName: StaticString { "values" } }
extension PlayedTrack: ListItem { public static var listName: StaticString { "plays" } }
extension PlaylistInfo: ListItem { public static var listName: StaticString { "playlists" } }
extension URIFailure: ListItem { public static var listName: StaticString { "failures" } }

/// A request for a page of a list.
public struct PageRequest: Hashable, Sendable {
  /// At least 0, like `limit`.
  public var offset: Int
  public var limit: Int

  public init(offset: Int = 0, limit: Int = 1000) {
    self.offset = max(0, offset)
    self.limit = max(0, limit)
  }
}

/// A page of a long list: `{tracks[] | albums[] | …, total, offset}`.
public struct ListPage<Item: ListItem>: JSONEncodable, JSONDecodable {
  public var items: [Item]
  /// The length of the whole list.
  public var total: Int
  public var offset: Int

  public init(items: [Item], total: Int, offset: Int) {
    self.items = items
    self.total = total
    self.offset = offset
  }

  public func encode(into json: inout JSONWriter) {
    var room = ResponseLimits.listBytes
    json.beginObject()
    json.member(Item.listName, items, within: &room)
    json.member("total", total)
    json.member("offset", offset)
    json.endObject()
  }

  public init(_ json: JSON?) {
    items = json?.list("\(Item.listName)") ?? []
    total = json?["total"]?.int ?? 0
    offset = json?["offset"]?.int ?? 0
  }
}

extension ListPage: Equatable where Item: Equatable {}

/// The limits that keep every response and event below 4 MiB, whatever the library, the queue and the playlists
/// contain.
///
/// A response repeats the id of its request, which may take 1 MiB. The lists of a response take at most 2 MiB. The
/// rest takes less than 1 MiB, including the first element of each list, which is written even if it exceeds the limit.
public enum ResponseLimits {
  /// The maximum number of bytes of all lists of a response together. A page that reaches it ends early.
  public static let listBytes = 2 << 20
  /// The maximum number of elements of a list without pages; a member `…Total` states the number of all elements.
  public static let listLength = 1_000
}
