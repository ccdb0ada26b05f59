/// An artist in the library (segue-ipc(7), `Artist`).
public struct Artist: Equatable, JSONEncodable, JSONDecodable {
  public var id: Int64
  /// The URI, `segue:artist/ID`.
  public var uri: String
  public var name: String
  /// The number of albums that contain the artist.
  public var albumCount: Int
  public var trackCount: Int
  public var favorite: Bool

  public init(id: Int64, uri: String, name: String, albumCount: Int, trackCount: Int, favorite: Bool) {
    self.id = id
    self.uri = uri
    self.name = name
    self.albumCount = albumCount
    self.trackCount = trackCount
    self.favorite = favorite
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("id", id)
    json.member("uri", uri)
    json.member("name", name)
    json.member("albumCount", albumCount)
    json.member("trackCount", trackCount)
    json.member("favorite", favorite)
    json.endObject()
  }

  public init(_ json: JSON) {
    id = json["id"]?.integer ?? 0
    uri = json["uri"]?.string ?? ""
    name = json["name"]?.string ?? ""
    albumCount = json["albumCount"]?.int ?? 0
    trackCount = json["trackCount"]?.int ?? 0
    favorite = json["favorite"]?.bool ?? false
  }
}
