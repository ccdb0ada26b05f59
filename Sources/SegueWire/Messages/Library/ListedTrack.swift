public import SegueSystem

/// A track of the library, of a playlist or of the history, which is not an entry of the queue (segue-ipc(7),
/// `ListedTrack`). On the socket it has every member of a `Track`; its `id` is null.
public struct ListedTrack: Equatable, JSONEncodable, JSONDecodable {
  /// The index in the playlist, from 0; nil in other lists.
  public var index: Int?
  public var uri: String
  public var duration: MediaTime?
  /// The accuracy of `duration`; nil if the file was not probed.
  public var durationKind: DurationKind?
  public var metadata: Metadata
  public var favorite: Bool
  /// The reason why the track cannot be played.
  public var error: LocalizableMessage?
  /// The rating, 0…10; nil without a rating.
  public var rating: Int?
  /// The time at which the track was added; nil if it is not in the library.
  public var added: UnixTime?
  /// The URI of the album, `segue:album/ID`; nil if the track belongs to no album.
  public var album: String?
  /// Whether the folder of the track is not available at the moment.
  public var offline: Bool

  public init(
    index: Int? = nil, uri: String, duration: MediaTime? = nil, durationKind: DurationKind? = nil,
    metadata: Metadata = Metadata(), favorite: Bool = false, error: LocalizableMessage? = nil, rating: Int? = nil,
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

  /// Encodes the members without the braces.
  func encodeMembers(into json: inout JSONWriter) {
    json.member("id", Int?.none)
    json.member("index", index)
    json.member("uri", uri)
    json.member("duration", duration)
    json.member("durationKind", durationKind?.rawValue)
    json.member("metadata", metadata)
    json.member("favorite", favorite)
    json.errorMembers(error)
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
    error = LocalizableMessage(errorOf: json)
    rating = json["rating"]?.int
    added = json["added"]?.unixTime
    album = json["album"]?.string
    offline = json["offline"]?.bool ?? false
  }
}

/// A play of a track in the history.
public struct PlayedTrack: Equatable, JSONEncodable, JSONDecodable {
  /// The time at which half of the track, or four minutes, had been played.
  public var time: UnixTime
  /// The number of plays of the track in the whole history.
  public var plays: Int
  public var track: ListedTrack

  public init(time: UnixTime, plays: Int, track: ListedTrack) {
    self.time = time
    self.plays = plays
    self.track = track
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("time", time)
    json.member("plays", plays)
    json.member("track", track)
    json.endObject()
  }

  public init(_ json: JSON) {
    time = json["time"]?.unixTime ?? UnixTime(nanoseconds: 0)
    plays = json["plays"]?.int ?? 0
    track = ListedTrack(json["track"] ?? json)
  }
}
