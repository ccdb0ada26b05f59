public import SegueRing
public import SegueWire

/// An event from a worker to the daemon. Each event is one packet; scan results are encoded as binary data after the
/// JSON. The daemon does not trust the worker and limits every value.
public enum WorkerEvent: Equatable, Sendable {
  /// The worker has started and accepts commands. `lacking` are the sandbox mechanisms that the kernel does not
  /// support. If a worker ends before this event, no file is the cause.
  case ready(lacking: Set<SandboxMechanism>)
  /// An event of the decoding of a generation.
  case decoding(Generation, DecodingEvent)
  /// The response to the request with this ticket.
  case response(ticket: UInt32, WorkerResponse)
  /// The fetch process has nothing to do any more, after `commands` commands of the daemon.
  case idle(commands: Int)
  /// The response of the fetch process to `ping`.
  case pong
}

extension WorkerEvent: LinkMessage {
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    switch self {
    case .ready(let lacking):
      json.member("event", "ready")
      json.member("lacking", lacking.map(\.rawValue).sorted())
    case .decoding(let generation, let event):
      json.member("generation", generation.number)
      event.encodeMembers(into: &json)
    case .response(let ticket, let response):
      json.member("ticket", ticket)
      response.encodeMembers(into: &json)
    case .idle(let commands):
      json.member("event", "idle")
      json.member("commands", commands)
    case .pong:
      json.member("event", "pong")
    }
    json.endObject()
  }

  public var binaryData: [UInt8] {
    if case .response(_, let response) = self { response.binaryData } else { [] }
  }

  /// Creates an event. Returns nil if the packet is not a valid event.
  public init?(_ packet: borrowing LinkPacket) {
    guard let json = packet.json, let name = json["event"]?.string else { return nil }
    let event: WorkerEvent?
    if let generation = json.generation("generation") {
      event = DecodingEvent(name, json).map { .decoding(generation, $0) }
    } else if let ticket = json.ticket {
      event = WorkerResponse(name, json, packet).map { .response(ticket: ticket, $0) }
    } else {
      event =
        switch name {
        case "ready": .ready(lacking: Set(json.words("lacking")))
        case "idle": json["commands"]?.int.map { .idle(commands: $0) }
        case "pong": .pong
        default: nil
        }
    }
    guard let event else { return nil }
    self = event
  }
}
