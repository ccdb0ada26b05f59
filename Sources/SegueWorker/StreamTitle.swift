// Decoding thread only.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueTags
internal import SegueWire

/// The titles that a live stream sends between its packets: ICY metadata over HTTP, the comments of a new Ogg link, or the
/// timed metadata of HLS.
struct StreamTitle {
  /// A change of the title.
  struct Change: Equatable {
    /// The new title; nil if the stream has none from here on.
    let title: String?
  }

  /// The name of the station; nil if it has none.
  let station: String?
  private var last: String?
  /// The ICY metadata and the timed title of the previous call.
  private var lastICY: [UInt8]?
  private var lastTimed: String?
  private var texts: StationTexts
  /// A limit on the changes that are considered. The daemon ends a worker that sends too many events.
  private var allowance = TokenBucket(capacity: 32, perSecond: 4)

  /// - Parameter stationName: The name of the station in an unknown charset.
  init(stationName: [UInt8]? = nil) {
    var texts = StationTexts()
    station = stationName.map { TagText.cleaned(texts.decode($0)) }.flatMap { Self.isName($0) ? $0 : nil }
    self.texts = texts
  }

  /// Returns the change since the previous call, and nil if there is none.
  /// - Parameters:
  ///   - icyMetadata: The last ICY metadata before the current packet; nil if there are none.
  ///   - timed: The last title in the timed metadata of HLS; nil if there is none.
  mutating func poll(_ demuxer: Demuxer, icyMetadata: [UInt8]?, timed: String?) -> Change? {
    guard demuxer.file == nil else { return nil }
    // This is called for every frame. A change for which the limit leaves no room is considered later.
    if let icyMetadata, icyMetadata != lastICY {
      guard allowance.take() else { return nil }
      lastICY = icyMetadata
      if let text = icy(icyMetadata) { return change(to: text) }
    }
    if let timed, timed != lastTimed {
      guard allowance.take() else { return nil }
      lastTimed = timed
      return change(to: timed)
    }
    guard demuxer.hasMetadataUpdate, allowance.take() else { return nil }
    return Self.comments(demuxer).flatMap { change(to: $0) }
  }

  /// Returns the change to the title `text`, which may say that there is no title; nil if it is the previous one.
  mutating func change(to text: String) -> Change? {
    let clean = TagText.cleaned(text)
    let isTitle = Self.isName(clean) && clean.lowercased() != station?.lowercased()
    let title = isTitle ? clean : nil
    guard title != last else { return nil }
    last = title
    return Change(title: title)
  }

  /// Returns whether `text` is a name, and not a placeholder for one.
  private static func isName(_ text: String) -> Bool { !placeholders.contains(text.lowercased()) }

  /// The texts that stand for no name. The last two are the defaults of Icecast.
  private static let placeholders: Set<String> = ["", "-", "no name", "unspecified name"]

  private mutating func icy(_ metadata: [UInt8]) -> String? {
    Self.title(inICY: metadata).map { texts.decode(Array($0)) }
  }

  /// Returns the title in ICY metadata such as `StreamTitle='A - B';StreamUrl='';`; nil if they have none. Quotation marks
  /// in the title are not escaped: the first quotation mark that a semicolon follows ends the title.
  static func title(inICY bytes: [UInt8]) -> ArraySlice<UInt8>? {
    guard let opening = bytes.range(of: "StreamTitle='".utf8) else { return nil }
    let body = bytes[opening.upperBound...]
    var end = body.startIndex
    while end < body.endIndex,
      !(body[end] == UInt8(ascii: "'") && (end + 1 == body.endIndex || body[end + 1] == UInt8(ascii: ";")))
    {
      end += 1
    }
    return body[..<end]
  }

  private static func comments(_ demuxer: Demuxer) -> String? {
    demuxer.acknowledgeMetadataUpdate()
    let metadata = FileTags(demuxer).metadata
    let parts = [metadata.artist, metadata.title].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " - ")
  }
}

/// The texts of a station, whose charset is unknown. A text that is valid UTF-8 is UTF-8. The charset of the others is
/// guessed from all of them so far, because a single title is too short for that.
private struct StationTexts {
  /// The parts of the texts from which the charset is guessed: each begins with its first byte beyond ASCII, because a text
  /// in another script looks like a Western text with accents if much of it is ASCII.
  private var samples: [[UInt8]] = []

  /// The number of texts that are kept.
  private static let maximumSamples = 32

  mutating func decode(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let sample = Array(bytes.drop { $0 < 0x80 })
    if !samples.contains(sample) {
      if samples.count == Self.maximumSamples { samples.removeFirst() }
      samples.append(sample)
    }
    return Charset(guessedFrom: samples).decode(bytes)
  }
}
