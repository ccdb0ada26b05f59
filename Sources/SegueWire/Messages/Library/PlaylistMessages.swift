public import SegueSystem

/// A playlist of the user.
public struct PlaylistInfo: Equatable, JSONEncodable, JSONDecodable {
  public var name: String
  /// The URI, `segue:playlist/NAME`, percent-encoded.
  public var uri: String
  public var trackCount: Int
  /// The total duration of the entries whose durations the file states; nil if it states none.
  public var duration: MediaTime?
  public var modified: UnixTime

  public init(name: String, uri: String, trackCount: Int, duration: MediaTime?, modified: UnixTime) {
    self.name = name
    self.uri = uri
    self.trackCount = trackCount
    self.duration = duration
    self.modified = modified
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("name", name)
    json.member("uri", uri)
    json.member("trackCount", trackCount)
    json.member("duration", duration)
    json.member("modified", modified)
    json.endObject()
  }

  public init(_ json: JSON) {
    name = json["name"]?.string ?? ""
    uri = json["uri"]?.string ?? ""
    trackCount = json["trackCount"]?.int ?? 0
    duration = json["duration"]?.time
    modified = json["modified"]?.unixTime ?? UnixTime(nanoseconds: 0)
  }
}

/// The result of a method that changes a playlist: its new state, and the URIs that could not be added.
public struct PlaylistResult: Equatable, JSONEncodable, JSONDecodable {
  public var playlist: PlaylistInfo
  public var failed: URIFailureList

  public init(playlist: PlaylistInfo, failed: URIFailureList = URIFailureList()) {
    self.playlist = playlist
    self.failed = failed
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("playlist", playlist)
    var room = ResponseLimits.listBytes
    failed.encodeMembers(into: &json, within: &room)
    json.endObject()
  }

  public init(_ json: JSON) {
    playlist = PlaylistInfo(json["playlist"] ?? json)
    failed = URIFailureList(json)
  }
}
