public import SegueRing
public import SegueSystem
public import SegueWire

/// An event from a worker to the daemon. Each event is one packet; scan results are encoded as binary data after the
/// JSON. The daemon does not trust the worker and limits every value.
public enum WorkerEvent: Equatable, Sendable {
  /// The worker has started and accepts commands. `lacking` are the sandbox mechanisms that the kernel does not
  /// support. If a worker ends before this event, no file is the cause.
  case ready(lacking: Set<SandboxMechanism>)
  /// The source of the generation is open, and its PCM follows.
  case opened(Generation, MediaInfo)
  /// The generation of a `restart` needs an `open`, because its source is not being decoded, has changed, or cannot be
  /// decoded from that position as it is.
  case sourceNeeded(Generation)
  /// The source cannot be opened, or decoding failed. The generation gets no more PCM and no `end` marker.
  case failed(Generation, Failure)
  /// The fetch process has ended while the source was being opened or decoded. The PCM of the generation ends at this
  /// position of the track, without an `end` marker.
  case cutOff(Generation, Failure, at: MediaTime)
  /// All of the generation is decoded, and the worker goes on to the following one, although the end of this one is not in the
  /// ring yet: `ended` follows. It is only sent if a speed other than the original one delays `ended`.
  case decoded(Generation)
  /// All PCM of the generation and its `end` marker are in the ring. `duration` is exact.
  case ended(Generation, duration: MediaTime)
  /// A crossfade begins at this position of the track: the worker keeps the rest of the track and mixes it with the
  /// start of `into`. The event is sent right before `ended`, or before `decoded`.
  case faded(Generation, from: MediaTime, into: Generation)
  /// The rest of the track cannot be decoded. The event is sent right before `ended`, or before `faded`.
  case incomplete(Generation, Failure)
  /// The title of a live stream changes at this position; nil if the stream has none from here on.
  case title(Generation, String?, at: MediaTime)
  /// The stream has lost its connection, and the decoder waits for bytes. The fetch process tries to connect again.
  case interrupted(Generation)
  /// The connection is established again.
  case resumed(Generation)
  case probed(ticket: UInt32, MediaInfo)
  /// The failure of the request with this ticket. In JSON the event is called `failedProbe`, as in earlier versions: a
  /// daemon that keeps running during an update of Segue starts workers of the new version, and must understand them.
  case requestFailed(ticket: UInt32, Failure)
  /// The results of the next files of a `scan`, in the requested order.
  case scanned(ticket: UInt32, [ScanResult])
  /// The lyrics as plain text, or as lines of LRC (`[mm:ss.cc]words`) if they have timestamps; nil if there are none.
  case lyrics(ticket: UInt32, String?)
  /// The description of the picture; nil if the file has none.
  case cover(ticket: UInt32, CoverInfo?)
  /// The gains and peaks of the track, and of the album as far as it was measured.
  case measured(ticket: UInt32, ReplayGain)
  /// A sort key for each requested text. Keys of different collations cannot be compared.
  case collated(ticket: UInt32, [[UInt8]], collation: String)
  /// The text was written to the memory file; `size` is its number of bytes.
  case transcoded(ticket: UInt32, size: Int)
  /// The fetch process has nothing to do any more, after `commands` commands of the daemon.
  case idle(commands: Int)
  /// The response of the fetch process to `ping`.
  case pong

  /// The maximum size of the lyrics of a file, in bytes of UTF-8.
  public static let maximumLyricsSize = 48 * 1024
}

extension WorkerEvent {
  /// The generation to which the event belongs; nil if it does not belong to decoding.
  public var generation: Generation? {
    switch self {
    case .opened(let generation, _), .sourceNeeded(let generation), .failed(let generation, _),
      .cutOff(let generation, _, _), .decoded(let generation),
      .ended(let generation, _), .faded(let generation, _, _), .incomplete(let generation, _),
      .title(let generation, _, _), .interrupted(let generation), .resumed(let generation):
      generation
    case .ready, .probed, .requestFailed, .scanned, .lyrics, .cover, .measured, .collated, .transcoded, .idle,
      .pong:
      nil
    }
  }
}

extension WorkerEvent: LinkMessage {
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    switch self {
    case .ready(let lacking):
      json.member("event", "ready")
      json.member("lacking", lacking.map(\.rawValue).sorted())
    case .opened(let generation, let info):
      json.member("event", "opened")
      json.member("generation", generation.number)
      json.member("info", info)
    case .sourceNeeded(let generation):
      json.member("event", "sourceNeeded")
      json.member("generation", generation.number)
    case .failed(let generation, let failure):
      json.member("event", "failed")
      json.member("generation", generation.number)
      failure.encodeMembers(into: &json)
    case .cutOff(let generation, let failure, let time):
      json.member("event", "cutOff")
      json.member("generation", generation.number)
      failure.encodeMembers(into: &json)
      json.member("at", time.nanoseconds)
    case .decoded(let generation):
      json.member("event", "decoded")
      json.member("generation", generation.number)
    case .ended(let generation, let duration):
      json.member("event", "ended")
      json.member("generation", generation.number)
      json.member("duration", duration.nanoseconds)
    case .faded(let generation, let time, let next):
      json.member("event", "faded")
      json.member("generation", generation.number)
      json.member("from", time.nanoseconds)
      json.member("into", next.number)
    case .incomplete(let generation, let failure):
      json.member("event", "incomplete")
      json.member("generation", generation.number)
      failure.encodeMembers(into: &json)
    case .title(let generation, let title, let time):
      json.member("event", "title")
      json.member("generation", generation.number)
      json.member("title", title)
      json.member("at", time.nanoseconds)
    case .interrupted(let generation):
      json.member("event", "interrupted")
      json.member("generation", generation.number)
    case .resumed(let generation):
      json.member("event", "resumed")
      json.member("generation", generation.number)
    case .probed(let ticket, let info):
      json.member("event", "probed")
      json.member("ticket", ticket)
      json.member("info", info)
    case .requestFailed(let ticket, let failure):
      json.member("event", "failedProbe")
      json.member("ticket", ticket)
      failure.encodeMembers(into: &json)
    case .scanned(let ticket, _):
      json.member("event", "scanned")
      json.member("ticket", ticket)
    case .lyrics(let ticket, let text):
      json.member("event", "lyrics")
      json.member("ticket", ticket)
      json.member("text", text)
    case .cover(let ticket, let cover):
      json.member("event", "cover")
      json.member("ticket", ticket)
      json.member("cover", cover)
    case .measured(let ticket, let gain):
      json.member("event", "measured")
      json.member("ticket", ticket)
      json.member("gain", gain)
    case .transcoded(let ticket, let size):
      json.member("event", "transcoded")
      json.member("ticket", ticket)
      json.member("size", size)
    case .idle(let commands):
      json.member("event", "idle")
      json.member("commands", commands)
    case .pong:
      json.member("event", "pong")
    case .collated(let ticket, let keys, let collation):
      json.member("event", "collated")
      json.member("ticket", ticket)
      json.member("collation", collation)
      json.key("keys")
      json.beginArray()
      for key in keys { json.hexadecimal(key) }
      json.endArray()
    }
    json.endObject()
  }

  public var binaryData: [UInt8] {
    guard case .scanned(_, let results) = self else { return [] }
    var encoder = BinaryEncoder()
    var count = results.count
    encoder.code(&count)
    for var result in results { result.code(with: &encoder) }
    return encoder.bytes
  }

  /// Creates an event. Returns nil if the packet is not a valid event.
  public init?(_ packet: borrowing LinkPacket) {
    guard let json = packet.json else { return nil }
    let ticket = json["ticket"]?.integer.flatMap(UInt32.init(exactly:))
    switch json["event"]?.string {
    case "ready":
      let lacking = json["lacking"]?.elements?.compactMap { $0.string.flatMap(SandboxMechanism.init) } ?? []
      self = .ready(lacking: Set(lacking))
    case "opened":
      guard let generation = json.generation, let info = json["info"] else { return nil }
      self = .opened(generation, MediaInfo(info))
    case "sourceNeeded":
      guard let generation = json.generation else { return nil }
      self = .sourceNeeded(generation)
    case "failed":
      guard let generation = json.generation else { return nil }
      self = .failed(generation, Failure(worker: json))
    case "cutOff":
      guard let generation = json.generation, let time = json.mediaTime("at") else { return nil }
      self = .cutOff(generation, Failure(worker: json), at: time)
    case "decoded":
      guard let generation = json.generation else { return nil }
      self = .decoded(generation)
    case "ended":
      guard let generation = json.generation, let duration = json.mediaTime("duration") else { return nil }
      self = .ended(generation, duration: duration)
    case "faded":
      guard let generation = json.generation, let time = json.mediaTime("from"), let next = json.generation("into")
      else { return nil }
      self = .faded(generation, from: time, into: next)
    case "incomplete":
      guard let generation = json.generation else { return nil }
      self = .incomplete(generation, Failure(worker: json))
    case "title":
      guard let generation = json.generation, let time = json.mediaTime("at") else { return nil }
      self = .title(generation, json.text("title"), at: time)
    case "interrupted":
      guard let generation = json.generation else { return nil }
      self = .interrupted(generation)
    case "resumed":
      guard let generation = json.generation else { return nil }
      self = .resumed(generation)
    case "probed":
      guard let ticket, let info = json["info"] else { return nil }
      self = .probed(ticket: ticket, MediaInfo(info))
    case "failedProbe":
      guard let ticket else { return nil }
      self = .requestFailed(ticket: ticket, Failure(worker: json))
    case "scanned":
      guard let ticket, let results = packet.withBinaryData(Self.decodeResults) else { return nil }
      self = .scanned(ticket: ticket, results)
    case "lyrics":
      guard let ticket else { return nil }
      self = .lyrics(ticket: ticket, json["text"]?.string?.truncated(to: Self.maximumLyricsSize))
    case "cover":
      guard let ticket else { return nil }
      self = .cover(ticket: ticket, json.member("cover"))
    case "measured":
      guard let ticket, let gain = json["gain"] else { return nil }
      self = .measured(ticket: ticket, ReplayGain(gain))
    case "transcoded":
      guard let ticket, let size = json["size"]?.int, size >= 0 else { return nil }
      self = .transcoded(ticket: ticket, size: size)
    case "idle":
      guard let commands = json["commands"]?.int else { return nil }
      self = .idle(commands: commands)
    case "pong": self = .pong
    case "collated":
      guard let ticket, let collation = json.text("collation") else { return nil }
      let keys = json["keys"]?.elements?.prefix(WorkerCommand.maximumCollationTexts).map { $0.hexadecimal ?? [] }
      self = .collated(ticket: ticket, keys ?? [], collation: collation)
    default: return nil
    }
  }
}

extension WorkerEvent {
  private static func decodeResults(_ data: UnsafeRawBufferPointer) -> [ScanResult]? {
    var decoder = BinaryDecoder(data)
    var count = 0
    decoder.code(&count)
    var results: [ScanResult] = []
    for _ in 0..<max(0, min(count, WorkerCommand.maximumScanFiles)) {
      var result = ScanResult.facts(.empty)
      result.code(with: &decoder)
      results.append(result.bounded)
    }
    return decoder.isValid ? results : nil
  }
}

extension JSON {
  /// Returns the text `name`, truncated to the maximum size of a tag.
  fileprivate func text(_ name: String) -> String? { self[name]?.string?.truncated(to: Metadata.maximumTextSize) }

  /// Returns the position `name`, limited to the maximum duration. A larger value could overflow in later additions.
  fileprivate func mediaTime(_ name: String) -> MediaTime? {
    self[name]?.integer.map { MediaTime(nanoseconds: $0).clamped(to: .zero ... .maximum) }
  }
}
