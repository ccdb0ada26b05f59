public import SegueSystem
internal import SegueWire

/// A file or stream to open. The descriptor of a file is sent with the command; a stream is given by its URL.
public struct MediaSource: Equatable, Sendable {
  /// The name of the file, as a hint to its format and for messages.
  public var name: String
  /// The URL of a network stream, for which no descriptor is sent.
  public var url: String?
  /// The start of the track in the file. It is positive for the later tracks of a cue sheet.
  public var rangeStart: MediaTime
  /// The end of the track in the file; nil if it is the end of the file.
  public var rangeEnd: MediaTime?
  /// The parameters of the gain. They are ignored by a probe.
  public var gain: GainParameters
  /// The sample rate to which the audio is resampled, as 32-bit float; nil for the original rate and format.
  public var rate: SampleRate?
  /// The maximum duration of a crossfade with the next track. If it is positive, the audio is decoded to 32-bit float
  /// with at least two channels.
  public var fadeOut = MediaTime.zero
  /// The maximum duration of a crossfade with the previous track.
  public var fadeIn = MediaTime.zero
  /// The speed at which the track is played, with its pitch. If it is not the original one, the audio is decoded to
  /// 32-bit float. A live stream, and audio with too many channels, are played at the original speed.
  public var speed = PlaybackSpeed.normal

  public init(
    name: String, url: String? = nil, rangeStart: MediaTime = .zero, rangeEnd: MediaTime? = nil,
    gain: GainParameters = GainParameters(), rate: SampleRate? = nil
  ) {
    self.name = name
    self.url = url
    self.rangeStart = rangeStart
    self.rangeEnd = rangeEnd
    self.gain = gain
    self.rate = rate
  }

  /// Whether the source is a whole file.
  public var isWhole: Bool { rangeStart == .zero && rangeEnd == nil }
}

extension MediaSource {
  func encode(into json: inout JSONWriter) {
    json.member("name", name)
    json.member("url", url)
    json.member("rangeStart", rangeStart.nanoseconds)
    json.member("rangeEnd", rangeEnd?.nanoseconds)
    gain.encode(into: &json)
    if let rate { json.member("rate", rate.hertz) }
    if fadeOut > .zero { json.member("fadeOut", fadeOut.nanoseconds) }
    if fadeIn > .zero { json.member("fadeIn", fadeIn.nanoseconds) }
    if speed != .normal { json.member("speed", speed.hundredths) }
  }

  init(_ json: JSON) {
    name = json["name"]?.string ?? ""
    url = json["url"]?.string
    rangeStart = MediaTime(nanoseconds: json["rangeStart"]?.integer ?? 0)
    rangeEnd = json["rangeEnd"]?.integer.map(MediaTime.init(nanoseconds:))
    gain = GainParameters(json["gain"])
    rate = json["rate"]?.integer.flatMap(UInt32.init(exactly:)).map(SampleRate.init)
    fadeOut = MediaTime(nanoseconds: json["fadeOut"]?.integer ?? 0)
    fadeIn = MediaTime(nanoseconds: json["fadeIn"]?.integer ?? 0)
    speed = json["speed"]?.int.flatMap(PlaybackSpeed.init(hundredths:)) ?? .normal
  }
}
