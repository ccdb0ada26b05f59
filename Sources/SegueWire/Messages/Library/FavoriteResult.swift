/// The result of `favorites.add` and `favorites.remove`.
public struct FavoriteResult: Equatable, JSONEncodable, JSONDecodable {
  /// The URIs that were added or removed, in the form in which they are stored.
  public var uris: [String]
  /// The number of all these URIs; `uris` may contain only the first ones.
  public var urisTotal: Int
  /// The URIs that cannot be favourites.
  public var failed: URIFailureList
  /// The number of all favourites after the change.
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

/// The result of `rating.set`.
public struct Rating: Equatable, JSONEncodable, JSONDecodable {
  public var uri: String
  /// The rating, 0…10; nil without a rating.
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
