public import SegueWire

/// The facts about a file that a worker reads for the library.
public struct FileFacts: Equatable, Sendable {
  /// The version of these facts. The library reads files again whose facts have an older version. Increase it when the
  /// same file yields different tags, another duration or another digest than before, and add a migration to
  /// `LibrarySchema` that forgets the folders that were scanned.
  public static let version: Int64 = 4

  /// The properties as playback would report them, except that a duration that only decoding could determine is
  /// `estimated`. Its `chapters` are empty.
  public var info: MediaInfo
  public var details: TagDetails
  public var sortKeys: SortKeys
  /// Whether the file contains a picture, which `WorkerRequest.cover` extracts.
  public var hasCover: Bool
  /// Whether the file contains lyrics, which `WorkerRequest.lyrics` extracts.
  public var hasLyrics: Bool
  /// The chapters, ordered by time; empty if there are fewer than two.
  public var chapters: [Chapter]
  /// The cue sheet in the tags, at most `maximumCueSheetSize` bytes; nil if there is none.
  public var cueSheet: String?
  /// A digest of the encoded audio without the tags; nil if there is none.
  public var audioDigest: UInt64?

  /// The maximum size of a cue sheet in tags, in bytes: several times that of a disc with 99 tracks.
  public static let maximumCueSheetSize = 40 * 1024

  public init(
    info: MediaInfo, details: TagDetails, sortKeys: SortKeys, hasCover: Bool, hasLyrics: Bool, chapters: [Chapter],
    cueSheet: String? = nil, audioDigest: UInt64? = nil
  ) {
    self.info = info
    self.info.chapters = []
    self.details = details
    self.sortKeys = sortKeys
    self.hasCover = hasCover
    self.hasLyrics = hasLyrics
    self.chapters = chapters
    self.cueSheet = cueSheet
    self.audioDigest = audioDigest
  }

  /// The facts, limited to plausible values.
  var bounded: FileFacts {
    var bounded = self
    bounded.info = info.bounded
    bounded.details = details.bounded
    bounded.sortKeys = sortKeys.bounded
    bounded.chapters = Chapter.bounded(chapters)
    bounded.cueSheet = cueSheet.flatMap { $0.utf8.count <= Self.maximumCueSheetSize ? $0 : nil }
    return bounded
  }
}

/// The result of scanning one file.
public enum ScanResult: Equatable, Sendable {
  case facts(FileFacts)
  case failed(Failure)

  /// The result, limited to plausible values.
  var bounded: ScanResult {
    switch self {
    case .facts(let facts): .facts(facts.bounded)
    case .failed(let failure):
      .failed(Failure(failure.kind, failure.localizableMessage.bounded(to: Metadata.maximumTextSize)))
    }
  }
}

extension Failure {
  /// Creates a failure from the event of a worker, which is not trusted.
  package init(worker json: JSON) {
    let text = json["message"]?.string?.truncated(to: Metadata.maximumTextSize)
    self.init(
      json["kind"]?.string.flatMap(Kind.init) ?? .unplayable,
      text.map { LocalizableMessage(json, text: $0) } ?? LocalizableMessage("cannot be decoded"),
      retryAfter: json["retryAfter"]?.time)
  }

  /// Writes the members of an event that `init(worker:)` reads.
  package func encodeMembers(into json: inout JSONWriter) {
    json.member("kind", kind.rawValue)
    json.member("message", message)
    localizableMessage.encodeTemplate(into: &json)
    if retryAfter != nil { json.member("retryAfter", retryAfter) }
  }
}
