public import SegueSystem

/// The state of the audio output (segue-ipc(7), `Output`).
public struct Output: Equatable, JSONEncodable, JSONDecodable {
  public var state: State
  /// The name of the sink; nil if no stream is open.
  public var device: String?
  /// The sample rate of the sink.
  public var sampleRate: Int?
  public var channels: Int?
  /// The name of the sample format in PulseAudio, such as `s16le` or `float32le`.
  public var format: String?
  /// The time from writing to the loudspeaker.
  public var latency: MediaTime?
  public var underruns: UInt64
  public var reconnects: UInt64
  public var error: LocalizableMessage?
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
    json.errorMembers(error)
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
    error = LocalizableMessage(errorOf: json)
    errorKind = json["errorKind"]?.string.flatMap(ErrorKind.init)
  }
}
