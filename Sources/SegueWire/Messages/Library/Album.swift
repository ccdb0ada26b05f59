public import SegueSystem

/// An album: tracks that belong together by their tags and folders (segue-ipc(7), `Album`).
public struct Album: Equatable, JSONEncodable, JSONDecodable {
  /// The id. It does not change when a scan finds the album again, and it is never reused.
  public var id: Int64
  /// The URI, `segue:album/ID`.
  public var uri: String
  public var title: String
  /// The album artist; nil for a compilation of several artists.
  public var albumArtist: String?
  public var year: Int?
  public var trackCount: Int
  public var discCount: Int
  public var duration: MediaTime
  /// The `file://` URI of the cover.
  public var art: String?
  public var compilation: Bool
  public var favorite: Bool

  public init(
    id: Int64, uri: String, title: String, albumArtist: String?, year: Int?, trackCount: Int, discCount: Int,
    duration: MediaTime, art: String?, compilation: Bool, favorite: Bool
  ) {
    self.id = id
    self.uri = uri
    self.title = title
    self.albumArtist = albumArtist
    self.year = year
    self.trackCount = trackCount
    self.discCount = discCount
    self.duration = duration
    self.art = art
    self.compilation = compilation
    self.favorite = favorite
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("id", id)
    json.member("uri", uri)
    json.member("title", title)
    json.member("albumArtist", albumArtist)
    json.member("year", year)
    json.member("trackCount", trackCount)
    json.member("discCount", discCount)
    json.member("duration", duration)
    json.member("art", art)
    json.member("compilation", compilation)
    json.member("favorite", favorite)
    json.endObject()
  }

  public init(_ json: JSON) {
    id = json["id"]?.integer ?? 0
    uri = json["uri"]?.string ?? ""
    title = json["title"]?.string ?? ""
    albumArtist = json["albumArtist"]?.string
    year = json["year"]?.int
    trackCount = json["trackCount"]?.int ?? 0
    discCount = json["discCount"]?.int ?? 0
    duration = json["duration"]?.time ?? .zero
    art = json["art"]?.string
    compilation = json["compilation"]?.bool ?? false
    favorite = json["favorite"]?.bool ?? false
  }
}
