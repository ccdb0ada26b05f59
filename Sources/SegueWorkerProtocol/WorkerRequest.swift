public import SegueWire

/// A request to a decoder about files or texts. Each has one response, with the ticket of the request.
public enum WorkerRequest: Equatable, Sendable {
  /// Probes a file. The response is `probed`.
  case probe(MediaSource)
  /// Reads the facts about these files for the library. One descriptor per file is sent with the request, at most
  /// `maximumScanFiles`. The response is `scanned`, in one or more packets.
  case scan(names: [String])
  /// Reads the lyrics of a file, or of an `.lrc` file, which is recognized by its name. The response is `lyrics`.
  case lyrics(name: String)
  /// Writes the cover of a file, or the picture that the file is, to a memory file. Two descriptors are sent: the file,
  /// and a memory file of `CoverInfo.maximumSize` bytes, created by `segue_memfd`. The response is `cover`.
  case cover(name: String, CoverRequest = CoverRequest())
  /// Measures the loudness of a track, and of the album that consists of all tracks since the last one with `isFirst`.
  /// The response is `measured`.
  case measure(MediaSource, isFirst: Bool)
  /// Returns the sort keys of texts that do not come from tags (cue sheets, genres), at most `maximumCollationTexts`.
  /// The response is `collated`. Without texts, it only states the collation.
  case collate([CollationInput])
  /// Converts a text in an unknown charset to UTF-8, line by line. Two descriptors are sent: a file with the text, at
  /// most `maximumTranscodeSize` bytes, and a memory file for the result, created by `segue_memfd`. The response is
  /// `transcoded`.
  case transcode

  /// The maximum number of files of one `scan`.
  public static let maximumScanFiles = 16
  /// The maximum number of texts of one `collate`. They fit into one packet whatever their lengths.
  public static let maximumCollationTexts = 24
  /// The maximum number of bytes of one `transcode`.
  public static let maximumTranscodeSize = 16 << 20
}

extension WorkerRequest {
  func encodeMembers(into json: inout JSONWriter) {
    switch self {
    case .probe(let source):
      json.member("command", "probe")
      source.encode(into: &json)
    case .scan(let names):
      json.member("command", "scan")
      json.member("names", names)
    case .lyrics(let name):
      json.member("command", "lyrics")
      json.member("name", name)
    case .cover(let name, let request):
      json.member("command", "cover")
      json.member("name", name)
      request.encode(into: &json)
    case .measure(let source, let isFirst):
      json.member("command", "measure")
      json.member("isFirst", isFirst)
      source.encode(into: &json)
    case .collate(let texts):
      json.member("command", "collate")
      json.member("texts", texts)
    case .transcode:
      json.member("command", "transcode")
    }
  }

  /// Creates the request with this name and the members of `json`. Returns nil if there is none.
  init?(_ request: String, _ json: JSON) {
    let name = json["name"]?.string ?? ""
    switch request {
    case "probe": self = .probe(MediaSource(json))
    case "scan": self = .scan(names: json["names"]?.elements?.map { $0.string ?? "" } ?? [])
    case "lyrics": self = .lyrics(name: name)
    case "cover": self = .cover(name: name, CoverRequest(json))
    case "measure": self = .measure(MediaSource(json), isFirst: json["isFirst"]?.bool ?? true)
    case "collate": self = .collate(json.list("texts"))
    case "transcode": self = .transcode
    default: return nil
    }
  }
}

/// The response of a decoder to a `WorkerRequest`.
public enum WorkerResponse: Equatable, Sendable {
  case probed(MediaInfo)
  /// The results of the next files of a `scan`, in the requested order.
  case scanned([ScanResult])
  /// The lyrics as plain text, or as lines of LRC (`[mm:ss.cc]words`) if they have timestamps; nil if there are none.
  case lyrics(String?)
  /// The description of the picture; nil if the file has none.
  case cover(CoverInfo?)
  /// The gains and peaks of the track, and of the album as far as it was measured.
  case measured(ReplayGain)
  /// A sort key for each requested text. Keys of different collations cannot be compared.
  case collated([[UInt8]], collation: String)
  /// The text was written to the memory file; `size` is its number of bytes.
  case transcoded(size: Int)
  /// The request failed.
  case failed(Failure)

  /// The maximum size of the lyrics of a file, in bytes of UTF-8.
  public static let maximumLyricsSize = 48 * 1024
}

extension WorkerResponse {
  func encodeMembers(into json: inout JSONWriter) {
    switch self {
    case .probed(let info):
      json.member("event", "probed")
      json.member("info", info)
    case .scanned:
      json.member("event", "scanned")
    case .lyrics(let text):
      json.member("event", "lyrics")
      json.member("text", text)
    case .cover(let cover):
      json.member("event", "cover")
      json.member("cover", cover)
    case .measured(let gain):
      json.member("event", "measured")
      json.member("gain", gain)
    case .collated(let keys, let collation):
      json.member("event", "collated")
      json.member("collation", collation)
      json.key("keys")
      json.beginArray()
      for key in keys { json.hexadecimal(key) }
      json.endArray()
    case .transcoded(let size):
      json.member("event", "transcoded")
      json.member("size", size)
    case .failed(let failure):
      json.member("event", "requestFailed")
      failure.encodeMembers(into: &json)
    }
  }

  /// The results of a scan, which follow the JSON; empty for other responses.
  var binaryData: [UInt8] {
    guard case .scanned(let results) = self else { return [] }
    var encoder = BinaryEncoder()
    var count = results.count
    encoder.code(&count)
    for var result in results { result.code(with: &encoder) }
    return encoder.bytes
  }

  /// Creates the response with this name and the members of `json`, within its limits. Returns nil if it is not valid.
  init?(_ name: String, _ json: JSON, _ packet: borrowing LinkPacket) {
    let response: WorkerResponse? =
      switch name {
      case "probed": json["info"].map { .probed(MediaInfo($0)) }
      case "scanned": packet.withBinaryData(Self.decodeResults).map { .scanned($0) }
      case "lyrics": .lyrics(json["text"]?.string?.truncated(to: Self.maximumLyricsSize))
      case "cover": .cover(json.member("cover"))
      case "measured": json["gain"].map { .measured(ReplayGain($0)) }
      case "collated": json.text("collation").map { .collated(Self.keys(json["keys"]), collation: $0) }
      case "transcoded": json["size"]?.int.flatMap { $0 >= 0 ? .transcoded(size: $0) : nil }
      case "requestFailed": .failed(Failure(worker: json))
      default: nil
      }
    guard let response else { return nil }
    self = response
  }

  private static func keys(_ json: JSON?) -> [[UInt8]] {
    json?.elements?.prefix(WorkerRequest.maximumCollationTexts).map { $0.hexadecimal ?? [] } ?? []
  }

  private static func decodeResults(_ data: UnsafeRawBufferPointer) -> [ScanResult]? {
    var decoder = BinaryDecoder(data)
    var count = 0
    decoder.code(&count)
    var results: [ScanResult] = []
    for _ in 0..<max(0, min(count, WorkerRequest.maximumScanFiles)) {
      var result = ScanResult.facts(.empty)
      result.code(with: &decoder)
      results.append(result.bounded)
    }
    return decoder.isValid ? results : nil
  }
}

extension JSON {
  /// Returns the text `name`, truncated to the maximum size of a tag.
  func text(_ name: String) -> String? { self[name]?.string?.truncated(to: Metadata.maximumTextSize) }
}
