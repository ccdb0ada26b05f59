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

  public init(name: String, url: String? = nil, rangeStart: MediaTime = .zero, rangeEnd: MediaTime? = nil) {
    self.name = name
    self.url = url
    self.rangeStart = rangeStart
    self.rangeEnd = rangeEnd
  }
}

/// From the daemon to a worker; one packet each.
public enum WorkerOrder: Equatable, Sendable {
  /// The PCM ring: three descriptors (memory, space, data). First, once, and never to a probing worker.
  case ring
  /// Drop everything that is being decoded or waits, and decode this from `start` (of the track or range) on.
  case open(Generation, MediaSource, start: MediaTime)
  /// Decode this from its start once `after` has ended, without a gap. If `after` is what is being decoded, this waits
  /// for its end and replaces an earlier `follow`; if `after` has ended already, what is being decoded now is dropped
  /// (its generation gets no `end` mark) and this starts at once.
  case follow(Generation, MediaSource, after: Generation)
  /// Drop everything and wait.
  case halt
  /// Look into a file; answered by `probed` or `failedProbe` of the same ticket, in order.
  case probe(ticket: UInt32, MediaSource)
}

extension WorkerOrder: JSONEncodable {
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
    case .follow(let generation, let source, let after):
      json.member("order", "follow")
      json.member("generation", generation.number)
      json.member("after", after.number)
      source.encode(into: &json)
    case .halt:
      json.member("order", "halt")
    case .probe(let ticket, let source):
      json.member("order", "probe")
      json.member("ticket", ticket)
      source.encode(into: &json)
    }
    json.endObject()
  }

  /// nil for what no daemon of this version sends.
  public init?(_ json: JSON) {
    switch json["order"]?.string {
    case "ring": self = .ring
    case "halt": self = .halt
    case "open":
      guard let generation = json.generation, let start = json["start"]?.integer else { return nil }
      self = .open(generation, MediaSource(json), start: MediaTime(nanoseconds: start))
    case "follow":
      guard let generation = json.generation, let after = json.generation("after") else { return nil }
      self = .follow(generation, MediaSource(json), after: after)
    case "probe":
      guard let ticket = json["ticket"]?.integer.flatMap(UInt32.init(exactly:)) else { return nil }
      self = .probe(ticket: ticket, MediaSource(json))
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
  }

  fileprivate init(_ json: JSON) {
    name = json["name"]?.string ?? ""
    url = json["url"]?.string
    rangeStart = MediaTime(nanoseconds: json["rangeStart"]?.integer ?? 0)
    rangeEnd = json["rangeEnd"]?.integer.map(MediaTime.init(nanoseconds:))
  }
}

extension JSON {
  var generation: Generation? { generation("generation") }

  func generation(_ name: String) -> Generation? {
    self[name]?.integer.flatMap(UInt32.init(exactly:)).flatMap { $0 == 0 ? nil : Generation($0) }
  }
}
