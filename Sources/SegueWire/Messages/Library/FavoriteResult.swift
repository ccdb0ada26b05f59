/// The result of `favorites.add` and `favorites.remove`.
public struct FavoriteResult: Equatable, JSONEncodable, JSONDecodable {
  /// The URIs that were added or removed, in the form in which they are stored.
  public var uris: [String]
  /// The number of all these URIs; `uris` may contain only the first ones.
  public var urisTotal: Int
  /// The number of those among them that were favorites already, or were none.
  public var unchanged: Int
  /// The URIs that cannot be favorites.
  public var failed: URIFailureList
  /// The number of all favorites after the change.
  public var total: Int

  public init(uris: [String], unchanged: Int = 0, failed: URIFailureList, total: Int) {
    self.uris = uris
    self.unchanged = unchanged
    urisTotal = uris.count
    self.failed = failed
    self.total = total
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    var room = ResponseLimits.listBytes
    json.member("uris", uris.prefix(ResponseLimits.listLength), within: &room)
    json.member("urisTotal", urisTotal)
    json.member("unchanged", unchanged)
    failed.encodeMembers(into: &json, within: &room)
    json.member("total", total)
    json.endObject()
  }

  public init(_ json: JSON) {
    uris = json.strings("uris")
    urisTotal = json["urisTotal"]?.int ?? uris.count
    unchanged = json["unchanged"]?.int ?? 0
    failed = URIFailureList(json)
    total = json["total"]?.int ?? 0
  }
}

/// The result of `rating.set` and `rating.get`.
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
