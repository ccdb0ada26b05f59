public import SegueSystem

/// The state of the stream that is the current track (segue-ipc(7), `Stream`).
public struct StreamStatus: Equatable, JSONEncodable, JSONDecodable {
  /// The state; nil while a recording plays, and while nothing plays.
  public var state: State?
  /// The length of the audio that is ready to be played.
  public var buffered: MediaTime
  /// The name of the station; nil if the stream has none, or was not opened.
  public var station: String?

  public init(state: State?, buffered: MediaTime, station: String?) {
    self.state = state
    self.buffered = buffered
    self.station = station
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("state", state?.rawValue)
    json.member("buffered", buffered)
    json.member("station", station)
    json.endObject()
  }

  public init(_ json: JSON) {
    state = json["state"]?.string.flatMap(State.init)
    buffered = json["buffered"]?.time ?? .zero
    station = json["station"]?.string
  }
}
