public import SegueRing
public import SegueSystem
public import SegueWire

/// A command from the daemon to a decoder (`segue-worker`). Each command is one packet.
public enum WorkerCommand: Equatable, Sendable {
  /// Adopts the PCM ring, whose three descriptors (memory, space, data) are sent with the command. It is sent once,
  /// before all other commands, and never to a worker that only carries out requests.
  case ring
  /// Discards all decode jobs and decodes the source from `start`, which is relative to the start of the track.
  case open(Generation, MediaSource, start: MediaTime)
  /// Decodes the source from `start` after the end of `after`, without a gap. If `after` is being decoded, the source
  /// waits for its end and replaces an earlier `follow`. If `after` has ended already, the current decode job is
  /// discarded (its generation gets no `end` marker) and the source starts at once.
  case follow(Generation, MediaSource, after: Generation, start: MediaTime = .zero)
  /// Discards all decode jobs and decodes the source of `of`, which is being decoded, from `start`. The gain, rate,
  /// fades and speed are those of the source in the command. If the source must be opened again for that, the response
  /// is `sourceNeeded`.
  case restart(Generation, MediaSource, of: Generation, start: MediaTime)
  /// Discards all decode jobs.
  case halt
  /// Carries out a request. The response has the same ticket; responses come in order.
  case request(ticket: UInt32, WorkerRequest)

  /// Whether the command makes the source that is being decoded obsolete.
  public var replacesSource: Bool {
    switch self {
    case .open, .restart, .halt: true
    case .ring, .follow, .request: false
    }
  }
}

extension WorkerCommand: LinkMessage {
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    switch self {
    case .ring:
      json.member("command", "ring")
    case .open(let generation, let source, let start):
      json.member("command", "open")
      Self.encode(generation, source, start: start, into: &json)
    case .follow(let generation, let source, let after, let start):
      json.member("command", "follow")
      json.member("after", after.number)
      Self.encode(generation, source, start: start, into: &json)
    case .restart(let generation, let source, let previous, let start):
      json.member("command", "restart")
      json.member("of", previous.number)
      Self.encode(generation, source, start: start, into: &json)
    case .halt:
      json.member("command", "halt")
    case .request(let ticket, let request):
      json.member("ticket", ticket)
      request.encodeMembers(into: &json)
    }
    json.endObject()
  }

  private static func encode(
    _ generation: Generation, _ source: MediaSource, start: MediaTime, into json: inout JSONWriter
  ) {
    json.member("generation", generation.number)
    json.member("start", start.nanoseconds)
    source.encode(into: &json)
  }

  /// Creates a command. Returns nil if it is not a command of this version.
  public init?(_ json: JSON) {
    guard let name = json["command"]?.string else { return nil }
    let command: WorkerCommand?
    if let ticket = json.ticket {
      command = WorkerRequest(name, json).map { .request(ticket: ticket, $0) }
    } else if let generation = json.generation("generation"), let start = json["start"]?.integer {
      let (source, start) = (MediaSource(json), MediaTime(nanoseconds: start))
      command =
        switch name {
        case "open": .open(generation, source, start: start)
        case "follow": json.generation("after").map { .follow(generation, source, after: $0, start: start) }
        case "restart": json.generation("of").map { .restart(generation, source, of: $0, start: start) }
        default: nil
        }
    } else {
      command = name == "ring" ? .ring : name == "halt" ? .halt : nil
    }
    guard let command else { return nil }
    self = command
  }
}

extension JSON {
  var ticket: UInt32? { self["ticket"]?.integer.flatMap(UInt32.init(exactly:)) }

  func generation(_ name: String) -> Generation? {
    self[name]?.integer.flatMap(UInt32.init(exactly:)).flatMap { $0 == 0 ? nil : Generation($0) }
  }
}
