public import SegueRing
public import SegueSystem
public import SegueWire

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
  /// The speed at which the track is played, with its pitch. If it is not the original one, the audio is decoded to 32-bit
  /// float. A live stream, and audio with too many channels, are played at the original speed.
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

/// A command from the daemon to a worker. Each command is one packet.
public enum WorkerCommand: Equatable, Sendable {
  /// Adopts the PCM ring, whose three descriptors (memory, space, data) are sent with the command. It is sent once,
  /// before all other commands, and never to a worker that only probes.
  case ring
  /// Discards all decode jobs and decodes the source from `start`, which is relative to the start of the track.
  case open(Generation, MediaSource, start: MediaTime)
  /// Decodes the source from `start` after the end of `after`, without a gap. If `after` is being decoded, the source
  /// waits for its end and replaces an earlier `follow`. If `after` has ended already, the current decode job is
  /// discarded (its generation gets no `end` marker) and the source starts at once.
  case follow(Generation, MediaSource, after: Generation, start: MediaTime = .zero)
  /// Discards all decode jobs and decodes the source of `of`, which is being decoded, from `start`. The gain, rate, fades
  /// and speed are those of the source in the command. If the source must be opened again for that, the response is `sourceNeeded`.
  case restart(Generation, MediaSource, of: Generation, start: MediaTime)
  /// Discards all decode jobs.
  case halt
  /// Probes a file. The response is `probed` or `requestFailed` with the same ticket; responses come in order.
  case probe(ticket: UInt32, MediaSource)
  /// Reads the facts about these files for the library. One descriptor per file is sent with the command, at most
  /// `maximumScanFiles`. The response is `scanned` with the same ticket, in one or more packets.
  case scan(ticket: UInt32, names: [String])
  /// Reads the lyrics of a file, or of an `.lrc` file, which is recognized by its name. The response is `lyrics` or
  /// `requestFailed`.
  case lyrics(ticket: UInt32, name: String)
  /// Writes the cover of a file, or the picture that the file is, to a memory file. Two descriptors are sent: the file,
  /// and a memory file of `CoverInfo.maximumSize` bytes, created by `segue_memfd`. The response is `cover` or
  /// `requestFailed`.
  case cover(ticket: UInt32, name: String, CoverRequest = CoverRequest())
  /// Measures the loudness of a track, and of the album that consists of all tracks since the last one with `isFirst`.
  /// The response is `measured` or `requestFailed`.
  case measure(ticket: UInt32, MediaSource, isFirst: Bool)
  /// Returns the sort keys of texts that do not come from tags (cue sheets, genres), at most `maximumCollationTexts`.
  /// The response is `collated`. Without texts, it only states the collation.
  case collate(ticket: UInt32, [CollationInput])
  /// Converts a text in an unknown charset to UTF-8, line by line. Two descriptors are sent: a file with the text, at
  /// most `maximumTranscodeSize` bytes, and a memory file for the result, created by `segue_memfd`. The response is
  /// `transcoded` or `requestFailed`.
  case transcode(ticket: UInt32)
  /// Serves the requests of a decoding worker for the stream at the URL. `namedBy` is the scope of the server that named
  /// the URL; nil if a user named it. The descriptor of the channel (`FetchRequest`, `FetchResponse`) is sent with the
  /// command. Only for the fetch process.
  case serve(url: String, namedBy: AddressScope? = nil)
  /// Serves the requests of the daemon for online catalogues. The descriptor of the channel (`CatalogFetchRequest`,
  /// `CatalogFetchResponse`) is sent with the command. Only for the fetch process.
  case serveCatalogs
  /// Trusts the certificate authorities in a file, in PEM, in addition to those of the system, and no others any more. The
  /// descriptor of the file is sent with the command. Only for the fetch process.
  case trust
  /// Asks whether the process responds. The response is `pong`. Only for the fetch process.
  case ping

  /// The maximum number of files of one `scan`.
  public static let maximumScanFiles = 16
  /// The maximum number of texts of one `collate`. They fit into one packet whatever their lengths.
  public static let maximumCollationTexts = 24
  /// The maximum number of bytes of one `transcode`.
  public static let maximumTranscodeSize = 16 << 20
  /// The maximum number of bytes of the certificates of one `trust`.
  public static let maximumTrustSize = 4 << 20
}

extension WorkerCommand: LinkMessage {
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    switch self {
    case .ring:
      json.member("command", "ring")
    case .open(let generation, let source, let start):
      json.member("command", "open")
      json.member("generation", generation.number)
      json.member("start", start.nanoseconds)
      source.encode(into: &json)
    case .follow(let generation, let source, let after, let start):
      json.member("command", "follow")
      json.member("generation", generation.number)
      json.member("after", after.number)
      json.member("start", start.nanoseconds)
      source.encode(into: &json)
    case .restart(let generation, let source, let previous, let start):
      json.member("command", "restart")
      json.member("generation", generation.number)
      json.member("of", previous.number)
      json.member("start", start.nanoseconds)
      source.encode(into: &json)
    case .halt:
      json.member("command", "halt")
    case .probe(let ticket, let source):
      json.member("command", "probe")
      json.member("ticket", ticket)
      source.encode(into: &json)
    case .scan(let ticket, let names):
      json.member("command", "scan")
      json.member("ticket", ticket)
      json.member("names", names)
    case .lyrics(let ticket, let name):
      json.member("command", "lyrics")
      json.member("ticket", ticket)
      json.member("name", name)
    case .cover(let ticket, let name, let request):
      json.member("command", "cover")
      json.member("ticket", ticket)
      json.member("name", name)
      request.encode(into: &json)
    case .measure(let ticket, let source, let isFirst):
      json.member("command", "measure")
      json.member("ticket", ticket)
      json.member("isFirst", isFirst)
      source.encode(into: &json)
    case .collate(let ticket, let texts):
      json.member("command", "collate")
      json.member("ticket", ticket)
      json.member("texts", texts)
    case .transcode(let ticket):
      json.member("command", "transcode")
      json.member("ticket", ticket)
    case .serve(let url, let scope):
      json.member("command", "serve")
      json.member("url", url)
      json.member("namedBy", scope?.rawValue)
    case .serveCatalogs:
      json.member("command", "serveCatalogs")
    case .trust:
      json.member("command", "trust")
    case .ping:
      json.member("command", "ping")
    }
    json.endObject()
  }

  /// Creates a command. Returns nil if it is not a command of this version.
  public init?(_ json: JSON) {
    let ticket = json["ticket"]?.integer.flatMap(UInt32.init(exactly:))
    let name = json["name"]?.string ?? ""
    switch json["command"]?.string {
    case "ring": self = .ring
    case "halt": self = .halt
    case "open":
      guard let generation = json.generation, let start = json["start"]?.integer else { return nil }
      self = .open(generation, MediaSource(json), start: MediaTime(nanoseconds: start))
    case "follow":
      guard let generation = json.generation, let after = json.generation("after"), let start = json["start"]?.integer
      else { return nil }
      self = .follow(generation, MediaSource(json), after: after, start: MediaTime(nanoseconds: start))
    case "restart":
      guard let generation = json.generation, let previous = json.generation("of"), let start = json["start"]?.integer
      else { return nil }
      self = .restart(generation, MediaSource(json), of: previous, start: MediaTime(nanoseconds: start))
    case "probe":
      guard let ticket else { return nil }
      self = .probe(ticket: ticket, MediaSource(json))
    case "scan":
      guard let ticket else { return nil }
      self = .scan(ticket: ticket, names: json["names"]?.elements?.map { $0.string ?? "" } ?? [])
    case "lyrics":
      guard let ticket else { return nil }
      self = .lyrics(ticket: ticket, name: name)
    case "cover":
      guard let ticket else { return nil }
      self = .cover(ticket: ticket, name: name, CoverRequest(json))
    case "measure":
      guard let ticket else { return nil }
      self = .measure(ticket: ticket, MediaSource(json), isFirst: json["isFirst"]?.bool ?? true)
    case "collate":
      guard let ticket else { return nil }
      self = .collate(ticket: ticket, json["texts"]?.elements?.map(CollationInput.init) ?? [])
    case "transcode":
      guard let ticket else { return nil }
      self = .transcode(ticket: ticket)
    case "serve":
      guard let url = json["url"]?.string else { return nil }
      self = .serve(url: url, namedBy: json["namedBy"]?.int.flatMap(AddressScope.init))
    case "serveCatalogs": self = .serveCatalogs
    case "trust": self = .trust
    case "ping": self = .ping
    default: return nil
    }
  }
}

extension MediaSource {
  fileprivate func encode(into json: inout JSONWriter) {
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

  fileprivate init(_ json: JSON) {
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

extension JSON {
  var generation: Generation? { generation("generation") }

  func generation(_ name: String) -> Generation? {
    self[name]?.integer.flatMap(UInt32.init(exactly:)).flatMap { $0 == 0 ? nil : Generation($0) }
  }
}
