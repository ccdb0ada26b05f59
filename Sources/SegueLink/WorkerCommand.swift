public import SegueRing
public import SegueSystem
public import SegueWire

/// What to open. A file comes as a descriptor beside the order; a stream as a URL.
public struct MediaSource: Equatable, Sendable {
  /// The file's name, as a hint to its format and for messages.
  public var name: String
  /// Set for network streams; then no descriptor comes along.
  public var url: String?
  /// A track of a cue sheet: where it starts in the file and, unless it is the last, ends.
  public var rangeStart: MediaTime
  public var rangeEnd: MediaTime?
  /// How loud it is to be played; of no account where it is only looked into.
  public var level: GainParameters
  /// The rate it is to be brought to, as 32-bit float; nil for its own, as it is.
  public var rate: SampleRate?
  /// How much of its end may sound on under the beginning of what follows; above zero it is played as 32-bit float, with
  /// two channels at least.
  public var fadeOut = MediaTime.zero
  /// How much of the end of what it follows may sound on under its beginning, if that keeps so much back.
  public var fadeIn = MediaTime.zero

  public init(
    name: String, url: String? = nil, rangeStart: MediaTime = .zero, rangeEnd: MediaTime? = nil,
    level: GainParameters = GainParameters(), rate: SampleRate? = nil
  ) {
    self.name = name
    self.url = url
    self.rangeStart = rangeStart
    self.rangeEnd = rangeEnd
    self.level = level
    self.rate = rate
  }

  /// Whether it is all of a file.
  public var isWhole: Bool { rangeStart == .zero && rangeEnd == nil }
}

/// From the daemon to a worker; one packet each.
public enum WorkerCommand: Equatable, Sendable {
  /// The PCM ring: three descriptors (memory, space, data). First, once, and never to a probing worker.
  case ring
  /// Drop everything that is being decoded or waits, and decode this from `start` (of the track or range) on.
  case open(Generation, MediaSource, start: MediaTime)
  /// Decode this from `start` on once `after` has ended, without a gap. If `after` is what is being decoded, this waits
  /// for its end and replaces an earlier `follow`; if `after` has ended already, what is being decoded now is dropped
  /// (its generation gets no `end` mark) and this starts at once.
  case follow(Generation, MediaSource, after: Generation, start: MediaTime = .zero)
  /// Drop everything and wait.
  case halt
  /// Look into a file; answered by `probed` or `failedProbe` of the same ticket, in order.
  case probe(ticket: UInt32, MediaSource)
  /// Tell all of these files that the library files them by; one descriptor each beside the order, `maximumScanFiles` at
  /// most. Answered by `scanned` of the same ticket, in as many packets as it takes.
  case scan(ticket: UInt32, names: [String])
  /// Give the text of the file's lyrics, or of the `.lrc` file that it is by its name; answered by `lyrics` or
  /// `failedProbe`.
  case lyrics(ticket: UInt32, name: String)
  /// Put the file's cover, or the picture that it is, into the memory file beside it (two descriptors: the file, and
  /// one made by `segue_memfd` of `CoverInfo.largest` bytes); answered by `cover` or `failedProbe`.
  case cover(ticket: UInt32, name: String, CoverRequest = CoverRequest())
  /// Measure how loud all of it is, and all that was measured since the last one that was the first, together: an
  /// album; answered by `measured` or `failedProbe`.
  case measure(ticket: UInt32, MediaSource, isFirst: Bool)
  /// Give sort keys to texts that come from elsewhere (cue sheets, names of genres), `maximumCollationTexts` at most; answered
  /// by `collated`. None at all tells which locale's order it is.
  case collate(ticket: UInt32, [CollationInput])
  /// Put a text whose charset nothing names into UTF-8, line by line. Two descriptors: a file with the text,
  /// `maximumTranscodeSize` bytes at most, and a memory file made by `segue_memfd` for the result; answered by `transcoded` or
  /// `failedProbe`.
  case transcode(ticket: UInt32)

  /// As many files as one `scan` may name.
  public static let maximumScanFiles = 16
  /// As many texts as one `collate` may have: they fit one packet, whatever they hold.
  public static let maximumCollationTexts = 24
  /// The greatest number of bytes in one `transcode`.
  public static let maximumTranscodeSize = 16 << 20
}

extension WorkerCommand: LinkMessage {
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    switch self {
    case .ring:
      json.member("order", "ring")
    case .open(let generation, let source, let start):
      json.member("order", "open")
      json.member("generation", generation.number)
      json.member("start", start.nanoseconds)
      source.encode(into: &json)
    case .follow(let generation, let source, let after, let start):
      json.member("order", "follow")
      json.member("generation", generation.number)
      json.member("after", after.number)
      json.member("start", start.nanoseconds)
      source.encode(into: &json)
    case .halt:
      json.member("order", "halt")
    case .probe(let ticket, let source):
      json.member("order", "probe")
      json.member("ticket", ticket)
      source.encode(into: &json)
    case .scan(let ticket, let names):
      json.member("order", "scan")
      json.member("ticket", ticket)
      json.member("names", names)
    case .lyrics(let ticket, let name):
      json.member("order", "lyrics")
      json.member("ticket", ticket)
      json.member("name", name)
    case .cover(let ticket, let name, let wish):
      json.member("order", "cover")
      json.member("ticket", ticket)
      json.member("name", name)
      wish.encode(into: &json)
    case .measure(let ticket, let source, let isFirst):
      json.member("order", "measure")
      json.member("ticket", ticket)
      json.member("isFirst", isFirst)
      source.encode(into: &json)
    case .collate(let ticket, let texts):
      json.member("order", "collate")
      json.member("ticket", ticket)
      json.member("texts", texts)
    case .transcode(let ticket):
      json.member("order", "transcode")
      json.member("ticket", ticket)
    }
    json.endObject()
  }

  /// nil for what no daemon of this version sends.
  public init?(_ json: JSON) {
    let ticket = json["ticket"]?.integer.flatMap(UInt32.init(exactly:))
    let name = json["name"]?.string ?? ""
    switch json["order"]?.string {
    case "ring": self = .ring
    case "halt": self = .halt
    case "open":
      guard let generation = json.generation, let start = json["start"]?.integer else { return nil }
      self = .open(generation, MediaSource(json), start: MediaTime(nanoseconds: start))
    case "follow":
      guard let generation = json.generation, let after = json.generation("after"), let start = json["start"]?.integer
      else { return nil }
      self = .follow(generation, MediaSource(json), after: after, start: MediaTime(nanoseconds: start))
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
    level.encode(into: &json)
    if let rate { json.member("rate", rate.hertz) }
    if fadeOut > .zero { json.member("fadeOut", fadeOut.nanoseconds) }
    if fadeIn > .zero { json.member("fadeIn", fadeIn.nanoseconds) }
  }

  fileprivate init(_ json: JSON) {
    name = json["name"]?.string ?? ""
    url = json["url"]?.string
    rangeStart = MediaTime(nanoseconds: json["rangeStart"]?.integer ?? 0)
    rangeEnd = json["rangeEnd"]?.integer.map(MediaTime.init(nanoseconds:))
    level = GainParameters(json["level"])
    rate = json["rate"]?.integer.flatMap(UInt32.init(exactly:)).map(SampleRate.init)
    fadeOut = MediaTime(nanoseconds: json["fadeOut"]?.integer ?? 0)
    fadeIn = MediaTime(nanoseconds: json["fadeIn"]?.integer ?? 0)
  }
}

extension JSON {
  var generation: Generation? { generation("generation") }

  func generation(_ name: String) -> Generation? {
    self[name]?.integer.flatMap(UInt32.init(exactly:)).flatMap { $0 == 0 ? nil : Generation($0) }
  }
}
