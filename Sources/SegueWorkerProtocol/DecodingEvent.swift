public import SegueRing
public import SegueSystem
public import SegueWire

/// An event of the decoding of a generation.
public enum DecodingEvent: Equatable, Sendable {
  /// The source of the generation is open, and its PCM follows.
  case opened(MediaInfo)
  /// The generation of a `restart` needs an `open`, because its source is not being decoded, has changed, or cannot be
  /// decoded from that position as it is.
  case sourceNeeded
  /// The source cannot be opened, or decoding failed. The generation gets no more PCM and no `end` marker.
  case failed(Failure)
  /// The fetch process has ended while the source was being opened or decoded. The PCM of the generation ends at this
  /// position of the track, without an `end` marker.
  case cutOff(Failure, at: MediaTime)
  /// All of the generation is decoded, and the worker goes on to the following one, although the end of this one is not
  /// in the ring yet: `ended` follows. It is only sent if a speed other than the original one delays `ended`.
  case decoded
  /// All PCM of the generation and its `end` marker are in the ring. `duration` is exact.
  case ended(duration: MediaTime)
  /// A crossfade begins at this position of the track: the worker keeps the rest of the track and mixes it with the
  /// start of `into`. The event is sent right before `ended`, or before `decoded`.
  case faded(from: MediaTime, into: Generation)
  /// The rest of the track cannot be decoded. The event is sent right before `ended`, or before `faded`.
  case incomplete(Failure)
  /// The title of a live stream changes at this position; nil if the stream has none from here on.
  case title(String?, at: MediaTime)
  /// The stream has lost its connection, and the decoder waits for bytes. The fetch process tries to connect again.
  case interrupted
  /// The connection is established again.
  case resumed
}

extension DecodingEvent {
  func encodeMembers(into json: inout JSONWriter) {
    switch self {
    case .opened(let info):
      json.member("event", "opened")
      json.member("info", info)
    case .sourceNeeded: json.member("event", "sourceNeeded")
    case .failed(let failure):
      json.member("event", "failed")
      failure.encodeMembers(into: &json)
    case .cutOff(let failure, let time):
      json.member("event", "cutOff")
      failure.encodeMembers(into: &json)
      json.member("at", time.nanoseconds)
    case .decoded: json.member("event", "decoded")
    case .ended(let duration):
      json.member("event", "ended")
      json.member("duration", duration.nanoseconds)
    case .faded(let time, let next):
      json.member("event", "faded")
      json.member("from", time.nanoseconds)
      json.member("into", next.number)
    case .incomplete(let failure):
      json.member("event", "incomplete")
      failure.encodeMembers(into: &json)
    case .title(let title, let time):
      json.member("event", "title")
      json.member("title", title)
      json.member("at", time.nanoseconds)
    case .interrupted: json.member("event", "interrupted")
    case .resumed: json.member("event", "resumed")
    }
  }

  /// Creates the event with this name and the members of `json`, within its limits. Returns nil if it is not valid.
  init?(_ name: String, _ json: JSON) {
    let event: DecodingEvent? =
      switch name {
      case "opened": json["info"].map { .opened(MediaInfo($0)) }
      case "sourceNeeded": .sourceNeeded
      case "failed": .failed(Failure(worker: json))
      case "cutOff": json.mediaTime("at").map { .cutOff(Failure(worker: json), at: $0) }
      case "decoded": .decoded
      case "ended": json.mediaTime("duration").map { .ended(duration: $0) }
      case "faded":
        json.mediaTime("from").flatMap { time in json.generation("into").map { .faded(from: time, into: $0) } }
      case "incomplete": .incomplete(Failure(worker: json))
      case "title": json.mediaTime("at").map { .title(json.text("title"), at: $0) }
      case "interrupted": .interrupted
      case "resumed": .resumed
      default: nil
      }
    guard let event else { return nil }
    self = event
  }
}

extension JSON {
  /// Returns the position `name`, limited to the maximum duration. A larger value could overflow in later additions.
  fileprivate func mediaTime(_ name: String) -> MediaTime? {
    self[name]?.integer.map { MediaTime(nanoseconds: $0).clamped(to: .zero ... .maximum) }
  }
}
