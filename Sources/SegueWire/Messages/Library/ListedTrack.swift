public import SegueSystem

/// A track that is listed and not queued (PROTOCOL.md, `Track`): of the library, of a playlist, of what was played.
/// On the socket it has every member of a `Track`, of which `id` is null.
public struct ListedTrack: Equatable, JSONEncodable, JSONDecodable {
  /// Its place in the playlist, from 0; nil in every other list.
  public var index: Int?
  public var uri: String
  public var duration: MediaTime?
  /// nil for what nobody has looked into.
  public var durationKind: DurationKind?
  public var metadata: Metadata
  public var favorite: Bool
  /// Why it cannot be played.
  public var error: String?
  /// 0…10; nil without one.
  public var rating: Int?
  /// When it was found first; nil for what is not in the library.
  public var added: UnixTime?
  /// `segue:album/ID`; nil if it is of none.
  public var album: String?
  /// Its folder cannot be reached at present.
  public var offline: Bool

  public init(
    index: Int? = nil, uri: String, duration: MediaTime? = nil, durationKind: DurationKind? = nil,
    metadata: Metadata = Metadata(), favorite: Bool = false, error: String? = nil, rating: Int? = nil,
    added: UnixTime? = nil, album: String? = nil, offline: Bool = false
  ) {
    self.index = index
    self.uri = uri
    self.duration = duration
    self.durationKind = durationKind
    self.metadata = metadata
    self.favorite = favorite
    self.error = error
    self.rating = rating
    self.added = added
    self.album = album
    self.offline = offline
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    encodeMembers(into: &json)
    json.endObject()
  }

  /// What is between the braces.
  func encodeMembers(into json: inout JSONWriter) {
    json.member("id", Int?.none)
    json.member("index", index)
    json.member("uri", uri)
    json.member("duration", duration)
    json.member("durationKind", durationKind?.rawValue)
    json.member("metadata", metadata)
    json.member("favorite", favorite)
    json.member("error", error)
    json.member("rating", rating)
    json.member("added", added)
    json.member("album", album)
    json.member("offline", offline)
  }

  public init(_ json: JSON) {
    index = json["index"]?.int
    uri = json["uri"]?.string ?? ""
    duration = json["duration"]?.time
    durationKind = json["durationKind"]?.string.flatMap(DurationKind.init)
    metadata = json["metadata"].map(Metadata.init) ?? Metadata()
    favorite = json["favorite"]?.bool ?? false
    error = json["error"]?.string
    rating = json["rating"]?.int
    added = json["added"]?.unixTime
    album = json["album"]?.string
    offline = json["offline"]?.bool ?? false
  }
}
