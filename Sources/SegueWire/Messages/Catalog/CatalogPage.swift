public import SegueSystem

/// A page of items of a provider (segue-ipc(7), `CatalogPage`).
public struct CatalogPage: Equatable, JSONEncodable, JSONDecodable {
  public var items: [Item]
  /// The number of all items; nil if the provider does not say it.
  public var total: Int?
  public var offset: Int
  /// The maximum number of items of the page. The page may have fewer items although there are more.
  public var limit: Int
  /// The name of the provider.
  public var provider: String
  /// The attribution that the provider requires for the whole list.
  public var attribution: String?
  /// Whether the items come from an outdated response in the cache, because the provider could not be reached.
  public var stale: Bool
  /// The time since the provider sent the response; nil if it was not in the cache.
  public var age: MediaTime?

  public init(
    items: [Item], total: Int?, offset: Int, limit: Int, provider: String, attribution: String?, stale: Bool = false,
    age: MediaTime? = nil
  ) {
    self.items = items
    self.total = total
    self.offset = offset
    self.limit = limit
    self.provider = provider
    self.attribution = attribution
    self.stale = stale
    self.age = age
  }

  public func encode(into json: inout JSONWriter) {
    var room = ResponseLimits.listBytes
    json.beginObject()
    json.member("items", items, within: &room)
    json.member("total", total)
    json.member("offset", offset)
    json.member("limit", limit)
    json.member("provider", provider)
    json.member("attribution", attribution)
    json.member("stale", stale)
    json.member("age", age)
    json.endObject()
  }

  public init(_ json: JSON) {
    items = json.list("items")
    total = json["total"]?.int
    offset = json["offset"]?.int ?? 0
    limit = json["limit"]?.int ?? 0
    provider = json["provider"]?.string ?? ""
    attribution = json["attribution"]?.string
    stale = json["stale"]?.bool ?? false
    age = json["age"]?.time
  }
}
