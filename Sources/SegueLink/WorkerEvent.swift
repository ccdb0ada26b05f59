public import SegueRing
public import SegueSystem
public import SegueWire

/// From a worker to the daemon; one packet each, of what was scanned with the results packed behind the JSON. The daemon
/// reads them as if an enemy wrote them.
public enum WorkerEvent: Equatable, Sendable {
  /// First of all: it has come up, locked in but for what the kernel lacks, and takes orders. One that ends before it
  /// has no file to blame.
  case ready(lacking: Set<SandboxMechanism>)
  /// The file of `generation` is open and its first PCM is coming.
  case opened(Generation, MediaInfo)
  /// It cannot be opened, or broke off: no more PCM, and no `end` mark, will come for it.
  case failed(Generation, Failure)
  /// All of it is in the ring, with its `end` mark: it lasts exactly so long.
  case ended(Generation, duration: MediaTime)
  /// Right before `ended`: not all of it is. From this moment of the track on it is kept, to sound under the beginning of
  /// `into` and nothing else.
  case faded(Generation, from: MediaTime, into: Generation)
  /// Right before `ended`, and before `faded`: the track has more, which cannot be decoded.
  case incomplete(Generation, Failure)
  /// A stream's live title changes to this at `mediaTime`.
  case title(Generation, String, at: MediaTime)
  case probed(ticket: UInt32, MediaInfo)
  case failedProbe(ticket: UInt32, Failure)
  /// The next files of a `scan`, in the order asked; those of one packet are done together, never half.
  case scanned(ticket: UInt32, [ScanResult])
  /// Plain text, or lines of LRC (`[mm:ss.cc]words`) where the file has times; nil if it has none.
  case lyrics(ticket: UInt32, String?)
  /// nil if the file has no picture.
  case cover(ticket: UInt32, CoverInfo?)
  /// The gains and peaks of the track, and of the album as far as it was measured.
  case measured(ticket: UInt32, ReplayGain)
  /// A key for each text asked, and the order they are keys of: keys of another `collation` do not compare with them.
  case collated(ticket: UInt32, [[UInt8]], collation: String)
  /// The text is in the memory file: so many bytes.
  case transcoded(ticket: UInt32, size: Int)

  /// The most of a file's lyrics, in bytes of UTF-8.
  public static let maximumLyricsSize = 48 * 1024
}

extension WorkerEvent {
  /// Whose decoding it is about; nil for what is not about decoding.
  public var generation: Generation? {
    switch self {
    case .opened(let generation, _), .failed(let generation, _), .ended(let generation, _),
      .faded(let generation, _, _), .incomplete(let generation, _), .title(let generation, _, _):
      generation
    case .ready, .probed, .failedProbe, .scanned, .lyrics, .cover, .measured, .collated, .transcoded: nil
    }
  }
}

extension WorkerEvent: LinkMessage {
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    switch self {
    case .ready(let lacking):
      json.member("report", "ready")
      json.member("lacking", lacking.map(\.rawValue).sorted())
    case .opened(let generation, let info):
      json.member("report", "opened")
      json.member("generation", generation.number)
      json.member("info", info)
    case .failed(let generation, let failure):
      json.member("report", "failed")
      json.member("generation", generation.number)
      json.member("kind", failure.kind.rawValue)
      json.member("message", failure.message)
    case .ended(let generation, let duration):
      json.member("report", "ended")
      json.member("generation", generation.number)
      json.member("duration", duration.nanoseconds)
    case .faded(let generation, let time, let next):
      json.member("report", "faded")
      json.member("generation", generation.number)
      json.member("from", time.nanoseconds)
      json.member("into", next.number)
    case .incomplete(let generation, let failure):
      json.member("report", "incomplete")
      json.member("generation", generation.number)
      json.member("kind", failure.kind.rawValue)
      json.member("message", failure.message)
    case .title(let generation, let title, let time):
      json.member("report", "title")
      json.member("generation", generation.number)
      json.member("title", title)
      json.member("at", time.nanoseconds)
    case .probed(let ticket, let info):
      json.member("report", "probed")
      json.member("ticket", ticket)
      json.member("info", info)
    case .failedProbe(let ticket, let failure):
      json.member("report", "failedProbe")
      json.member("ticket", ticket)
      json.member("kind", failure.kind.rawValue)
      json.member("message", failure.message)
    case .scanned(let ticket, _):
      json.member("report", "scanned")
      json.member("ticket", ticket)
    case .lyrics(let ticket, let text):
      json.member("report", "lyrics")
      json.member("ticket", ticket)
      json.member("text", text)
    case .cover(let ticket, let cover):
      json.member("report", "cover")
      json.member("ticket", ticket)
      json.member("cover", cover)
    case .measured(let ticket, let gain):
      json.member("report", "measured")
      json.member("ticket", ticket)
      json.member("gain", gain)
    case .transcoded(let ticket, let size):
      json.member("report", "transcoded")
      json.member("ticket", ticket)
      json.member("size", size)
    case .collated(let ticket, let keys, let collation):
      json.member("report", "collated")
      json.member("ticket", ticket)
      json.member("collation", collation)
      json.key("keys")
      json.beginArray()
      for key in keys { json.hexadecimal(key) }
      json.endArray()
    }
    json.endObject()
  }

  public var packed: [UInt8] {
    guard case .scanned(_, let results) = self else { return [] }
    var pack = BinaryEncoder()
    var count = results.count
    pack.pass(&count)
    for var result in results { result.pass(through: &pack) }
    return pack.bytes
  }

  /// nil for what no honest worker sends.
  public init?(_ packet: borrowing LinkPacket) {
    guard let json = packet.json else { return nil }
    let ticket = json["ticket"]?.integer.flatMap(UInt32.init(exactly:))
    switch json["report"]?.string {
    case "ready":
      let lacking = json["lacking"]?.elements?.compactMap { $0.string.flatMap(SandboxMechanism.init) } ?? []
      self = .ready(lacking: Set(lacking))
    case "opened":
      guard let generation = json.generation, let info = json["info"] else { return nil }
      self = .opened(generation, MediaInfo(info))
    case "failed":
      guard let generation = json.generation else { return nil }
      self = .failed(generation, Failure(worker: json))
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
      guard let generation = json.generation, let title = json.text("title"), let time = json.mediaTime("at") else {
        return nil
      }
      self = .title(generation, title, at: time)
    case "probed":
      guard let ticket, let info = json["info"] else { return nil }
      self = .probed(ticket: ticket, MediaInfo(info))
    case "failedProbe":
      guard let ticket else { return nil }
      self = .failedProbe(ticket: ticket, Failure(worker: json))
    case "scanned":
      guard let ticket, let results = packet.withPacked(Self.results) else { return nil }
      self = .scanned(ticket: ticket, results)
    case "lyrics":
      guard let ticket else { return nil }
      self = .lyrics(ticket: ticket, json["text"]?.string?.cut(to: Self.maximumLyricsSize))
    case "cover":
      guard let ticket else { return nil }
      self = .cover(ticket: ticket, json.member("cover"))
    case "measured":
      guard let ticket, let gain = json["gain"] else { return nil }
      self = .measured(ticket: ticket, ReplayGain(gain))
    case "transcoded":
      guard let ticket, let size = json["size"]?.int, size >= 0 else { return nil }
      self = .transcoded(ticket: ticket, size: size)
    case "collated":
      guard let ticket, let collation = json.text("collation") else { return nil }
      let keys = json["keys"]?.elements?.prefix(WorkerCommand.maximumCollationTexts).map { $0.hexadecimal ?? [] }
      self = .collated(ticket: ticket, keys ?? [], collation: collation)
    default: return nil
    }
  }
}

extension WorkerEvent {
  private static func results(_ packed: UnsafeRawBufferPointer) -> [ScanResult]? {
    var pack = BinaryDecoder(packed)
    var count = 0
    pack.pass(&count)
    var results: [ScanResult] = []
    for _ in 0..<max(0, min(count, WorkerCommand.maximumScanFiles)) {
      var result = ScanResult.facts(.empty)
      result.pass(through: &pack)
      results.append(result.bounded)
    }
    return pack.isSound ? results : nil
  }
}

extension JSON {
  /// A text that somebody keeps: no longer than one of a tag.
  fileprivate func text(_ name: String) -> String? { self[name]?.string?.cut(to: Metadata.longestText) }

  /// A moment in a track, in nanoseconds. What no track has would overflow where it is added to another.
  fileprivate func mediaTime(_ name: String) -> MediaTime? {
    self[name]?.integer.map { MediaTime(nanoseconds: $0).clamped(to: .zero ... .maximum) }
  }
}
