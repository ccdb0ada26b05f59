/// What the current track is made of (PROTOCOL.md, `Audio`).
public struct Audio: Equatable, JSONEncodable, JSONDecodable {
  /// How its ends are known.
  public enum Gapless: String, Sendable {
    /// Delay and padding are stated, or the codec has none.
    case exact
    case approximate
  }

  /// FFmpeg's short names: `flac`, `mp3`, `aac`.
  public var codec: String
  public var container: String
  /// The source's, in hertz.
  public var sampleRate: Int
  public var channels: Int
  /// Bits of a source sample; nil for codecs that have none.
  public var bitDepth: Int?
  /// Bits per second; nil when unknown.
  public var bitRate: Int?
  public var lossless: Bool
  public var gapless: Gapless

  public init(
    codec: String, container: String, sampleRate: Int, channels: Int, bitDepth: Int?, bitRate: Int?, lossless: Bool,
    gapless: Gapless
  ) {
    self.codec = codec
    self.container = container
    self.sampleRate = sampleRate
    self.channels = channels
    self.bitDepth = bitDepth
    self.bitRate = bitRate
    self.lossless = lossless
    self.gapless = gapless
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("codec", codec)
    json.member("container", container)
    json.member("sampleRate", sampleRate)
    json.member("channels", channels)
    json.member("bitDepth", bitDepth)
    json.member("bitRate", bitRate)
    json.member("lossless", lossless)
    json.member("gapless", gapless.rawValue)
    json.endObject()
  }

  public init(_ json: JSON) {
    codec = json["codec"]?.string ?? ""
    container = json["container"]?.string ?? ""
    sampleRate = json["sampleRate"]?.int ?? 0
    channels = json["channels"]?.int ?? 0
    bitDepth = json["bitDepth"]?.int
    bitRate = json["bitRate"]?.int
    lossless = json["lossless"]?.bool ?? false
    gapless = json["gapless"]?.string.flatMap(Gapless.init) ?? .approximate
  }
}
