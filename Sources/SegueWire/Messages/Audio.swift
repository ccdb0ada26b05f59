/// The audio properties of a track (segue-ipc(7), `Audio`).
public struct Audio: Equatable, JSONEncodable, JSONDecodable {
  /// The short name of the codec in FFmpeg, such as `flac`, `mp3` or `aac`.
  public var codec: String
  public var container: String
  /// The sample rate of the source, in hertz.
  public var sampleRate: Int
  public var channels: Int
  /// The bits of a source sample; nil for codecs without a bit depth.
  public var bitDepth: Int?
  /// The bit rate in bits per second; nil if unknown.
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
