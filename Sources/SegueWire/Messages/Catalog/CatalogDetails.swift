public import SegueSystem

/// An item and a page of the items that belong to it (segue-ipc(7), `CatalogDetails`).
public struct CatalogDetails: Equatable, JSONEncodable, JSONDecodable {
  public var item: Item
  /// The songs of an album, the episodes of a podcast, the albums of an artist, the actors of a film, or the films of an
  /// actor; empty for every other item.
  public var contents: [Item]
  /// The number of all items that belong to the item.
  public var total: Int?
  /// The index of the first element of `contents`.
  public var offset: Int
  /// The maximum length of `contents`.
  public var limit: Int
  /// The attribution that the provider requires for the whole page.
  public var attribution: String?
  /// Whether the details come from an outdated response in the cache, because the provider could not be reached.
  public var stale: Bool
  /// The time since the provider sent the response; nil if it was not in the cache.
  public var age: MediaTime?

  public init(
    item: Item, contents: [Item], total: Int?, offset: Int, limit: Int, attribution: String?, stale: Bool = false,
    age: MediaTime? = nil
  ) {
    self.item = item
    self.contents = contents
    self.total = total
    self.offset = offset
    self.limit = limit
    self.attribution = attribution
    self.stale = stale
    self.age = age
  }

  public func encode(into json: inout JSONWriter) {
    var room = ResponseLimits.listBytes
    json.beginObject()
    json.member("item", item)
    json.member("contents", contents, within: &room)
    json.member("total", total)
    json.member("offset", offset)
    json.member("limit", limit)
    json.member("attribution", attribution)
    json.member("stale", stale)
    json.member("age", age)
    json.endObject()
  }

  public init(_ json: JSON) {
    item = Item(json["item"] ?? json)
    contents = json.list("contents")
    total = json["total"]?.int
    offset = json["offset"]?.int ?? 0
    limit = json["limit"]?.int ?? 0
    attribution = json["attribution"]?.string
    stale = json["stale"]?.bool ?? false
    age = json["age"]?.time
  }
}
