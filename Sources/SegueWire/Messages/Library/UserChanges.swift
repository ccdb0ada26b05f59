/// The answer of `favorites.add` and `favorites.remove`.
public struct FavoriteResult: Equatable, JSONEncodable, JSONDecodable {
  /// Those that are favourites now, or are none any more: as they are kept.
  public var uris: [String]
  /// The number of all these URIs: `uris` may be the first of them only.
  public var urisTotal: Int
  /// What cannot be one, and why.
  public var failed: URIFailureList
  /// How many favourites there are now.
  public var total: Int

  public init(uris: [String], failed: URIFailureList, total: Int) {
    self.uris = uris
    urisTotal = uris.count
    self.failed = failed
    self.total = total
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    var room = ResponseLimits.listBytes
    json.member("uris", uris.prefix(ResponseLimits.listLength), within: &room)
    json.member("urisTotal", urisTotal)
    failed.encodeMembers(into: &json, within: &room)
    json.member("total", total)
    json.endObject()
  }

  public init(_ json: JSON) {
    uris = json.strings("uris")
    urisTotal = json["urisTotal"]?.int ?? uris.count
    failed = URIFailureList(json)
    total = json["total"]?.int ?? 0
  }
}

/// The answer of `rating.set`.
public struct Rating: Equatable, JSONEncodable, JSONDecodable {
  public var uri: String
  /// 0…10; nil without one.
  public var rating: Int?

  public init(uri: String, rating: Int?) {
    self.uri = uri
    self.rating = rating
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("uri", uri)
    json.member("rating", rating)
    json.endObject()
  }

  public init(_ json: JSON) {
    uri = json["uri"]?.string ?? ""
    rating = json["rating"]?.int
  }
}
