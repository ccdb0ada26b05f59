public import SegueSystem

/// Whether sound can come out, and where (PROTOCOL.md, `Output`).
public struct Output: Equatable, JSONEncodable, JSONDecodable {
  public enum State: String, Sendable {
    /// Nothing is open.
    case idle
    case open
    /// Asked to play, and no sound can come out: the position stands still until it can.
    case lost
  }

  /// The stable names of what is missing while the state is `lost`.
  public enum ErrorKind: String, Sendable, CaseIterable {
    case noServer = "no_server"
    /// The server hangs.
    case noAnswer = "no_answer"
    /// The server has no output device.
    case noSink = "no_sink"
    /// The server ended the stream, or opens none.
    case noStream = "no_stream"
  }

  public var state: State
  /// The sink's name at the server; nil when nothing is open.
  public var device: String?
  /// What the sink itself runs at.
  public var sampleRate: Int?
  public var channels: Int?
  /// As PulseAudio names it: `s16le`, `float32le`.
  public var format: String?
  /// From write to loudspeaker.
  public var latency: MediaTime?
  public var underruns: UInt64
  public var reconnects: UInt64
  public var error: String?
  /// The kind of the error. It is nil unless the state is `lost`.
  public var errorKind: ErrorKind?

  public init() {
    state = .idle
    underruns = 0
    reconnects = 0
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("state", state.rawValue)
    json.member("device", device)
    json.member("sampleRate", sampleRate)
    json.member("channels", channels)
    json.member("format", format)
    json.member("latency", latency)
    json.member("underruns", underruns)
    json.member("reconnects", reconnects)
    json.member("error", error)
    json.member("errorKind", errorKind?.rawValue)
    json.endObject()
  }

  public init(_ json: JSON) {
    state = json["state"]?.string.flatMap(State.init) ?? .idle
    device = json["device"]?.string
    sampleRate = json["sampleRate"]?.int
    channels = json["channels"]?.int
    format = json["format"]?.string
    latency = json["latency"]?.time
    underruns = UInt64(clamping: json["underruns"]?.integer ?? 0)
    reconnects = UInt64(clamping: json["reconnects"]?.integer ?? 0)
    error = json["error"]?.string
    errorKind = json["errorKind"]?.string.flatMap(ErrorKind.init)
  }
}
