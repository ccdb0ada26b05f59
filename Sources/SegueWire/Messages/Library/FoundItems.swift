/// The result of `favorites.list`, and a part of the result of `library.search`: the items of each requested kind, best
/// or first item first.
public struct FoundItems: Equatable, JSONEncodable, JSONDecodable {
  public var tracks: [ListedTrack]
  public var albums: [Album]
  public var artists: [Artist]
  /// The number of items of all requested kinds.
  public var total: Int
  public var offset: Int

  public init(
    tracks: [ListedTrack] = [], albums: [Album] = [], artists: [Artist] = [], total: Int = 0, offset: Int = 0
  ) {
    self.tracks = tracks
    self.albums = albums
    self.artists = artists
    self.total = total
    self.offset = offset
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    encodeMembers(into: &json)
    json.endObject()
  }

  func encodeMembers(into json: inout JSONWriter) {
    var room = ResponseLimits.listBytes
    json.member("tracks", tracks, within: &room)
    json.member("albums", albums, within: &room)
    json.member("artists", artists, within: &room)
    json.member("total", total)
    json.member("offset", offset)
  }

  public init(_ json: JSON) {
    tracks = json.list("tracks")
    albums = json.list("albums")
    artists = json.list("artists")
    total = json["total"]?.int ?? 0
    offset = json["offset"]?.int ?? 0
  }
}

/// The result of `library.search`.
public struct SearchAnswer: Equatable, JSONEncodable, JSONDecodable {
  public var found: FoundItems
  /// Whether `total` is exact; otherwise there are more matches.
  public var exact: Bool
  /// The query that was used instead, because nothing matches the original one.
  public var correction: String?

  public init(found: FoundItems, exact: Bool, correction: String?) {
    self.found = found
    self.exact = exact
    self.correction = correction
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    found.encodeMembers(into: &json)
    json.member("exact", exact)
    json.member("correction", correction)
    json.endObject()
  }

  public init(_ json: JSON) {
    found = FoundItems(json)
    exact = json["exact"]?.bool ?? true
    correction = json["correction"]?.string
  }
}
