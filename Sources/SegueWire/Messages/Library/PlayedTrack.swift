/// One hearing.
public struct PlayedTrack: Equatable, JSONEncodable, JSONDecodable {
  /// When half of it, or four minutes, had been heard.
  public var time: UnixTime
  public var track: ListedTrack

  public init(time: UnixTime, track: ListedTrack) {
    self.time = time
    self.track = track
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("time", time)
    json.member("track", track)
    json.endObject()
  }

  public init(_ json: JSON) {
    time = json["time"]?.unixTime ?? UnixTime(nanoseconds: 0)
    track = ListedTrack(json["track"] ?? json)
  }
}
