// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueTags
internal import SegueWire

/// The titles that a live stream sends: its tags at the beginning, and between its packets ICY metadata over HTTP, the
/// comments of a new Ogg link, or the timed metadata of HLS.
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
  /// The title at the beginning of the stream until it is reported.
  private var first: String?
  private var texts: StationTexts
  /// A limit on the changes that are considered. The daemon ends a worker that sends too many events.
  private var allowance = TokenBucket(capacity: 32, perSecond: 4)

  /// - Parameter stationName: The name of the station in an unknown charset.
  init(stationName: [UInt8]? = nil) {
    var texts = StationTexts()
    station = stationName.map { TagText.cleaned(texts.decode($0)) }.flatMap { Self.isName($0) ? $0 : nil }
    self.texts = texts
  }

  /// Takes the title, the artist and all else that tags state of the first song out of those of a live stream, because
  /// they do not describe the others. Returns the tags of the stream itself.
  mutating func take(_ metadata: Metadata) -> Metadata {
    first = metadata.stream ?? Self.title(metadata)
    var result = Metadata()
    result.title = station
    result.genre = metadata.genre
    return result
  }

  /// Returns the change since the previous call, and nil if there is none.
  /// - Parameters:
  ///   - icyMetadata: The last ICY metadata before the current packet; nil if there are none.
  ///   - timed: The last title in the timed metadata of HLS; nil if there is none.
  ///   - links: The comments of the links of an Ogg stream.
  mutating func poll(
    _ demuxer: Demuxer, icyMetadata: [UInt8]?, timed: String?, links: inout LinkComments
  ) -> Change? {
    guard demuxer.file == nil else { return nil }
    if let first {
      self.first = nil
      if icyMetadata == nil, timed == nil, let change = change(to: first) { return change }
    }
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
    if let metadata = links.next {
      guard allowance.take() else { return nil }
      links.removeFirst()
      return change(to: Self.title(metadata) ?? "")
    }
    // The tags of other containers.
    guard demuxer.formatName != "ogg", demuxer.hasMetadataUpdate, allowance.take() else { return nil }
    demuxer.acknowledgeMetadataUpdate()
    return Self.title(FileTags(demuxer).metadata).flatMap { change(to: $0) }
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
    Self.title(inICY: metadata).map { title in
      // Some servers add the byte order mark of a file, and write titles for web pages.
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      return texts.decode(Array(title.starts(with: mark) ? title.dropFirst(mark.count) : title)).decodingEntities
    }
  }

  /// Returns the title in ICY metadata such as `StreamTitle='A - B';StreamUrl='';`; nil if they have none. Quotation
  /// marks in the title are not escaped: the first quotation mark that a semicolon follows ends the title.
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

  /// Returns the title of a song with its artist; nil if the tags state neither.
  private static func title(_ metadata: Metadata) -> String? {
    let parts = [metadata.artist, metadata.title].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " - ")
  }
}

/// The texts of a station, whose charset is unknown. A text that is valid UTF-8 is UTF-8. The charset of the others is
/// guessed from all of them so far, because a single title is too short for that.
private struct StationTexts {
  /// The parts of the texts from which the charset is guessed: each begins with its first word with a byte beyond
  /// ASCII, because a text in another script looks like a Western text with accents if much of it is ASCII.
  private var samples: [[UInt8]] = []

  /// The number of texts that are kept.
  private static let maximumSamples = 32

  mutating func decode(_ bytes: [UInt8]) -> String {
    if let text = Charset.utf8(bytes) { return text }
    let sample = Array(bytes.fromFirstForeignWord)
    if !samples.contains(sample) {
      if samples.count == Self.maximumSamples { samples.removeFirst() }
      samples.append(sample)
    }
    return Charset(guessedFrom: samples).decode(bytes)
  }
}

extension String {
  /// The text with characters in place of the entities of XML and of numeric ones, which are frequent in titles. Others
  /// stay.
  fileprivate var decodingEntities: String {
    var result = ""
    var rest = self[...]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[start...].dropFirst()
      let name = rest.prefix(Self.maximumEntitySize).prefix { $0 != ";" }
      if rest[name.endIndex...].first == ";", let character = Self.character(of: name) {
        result.append(character)
        rest = rest[name.endIndex...].dropFirst()
      } else {
        result.append("&")
      }
    }
    return result + rest
  }

  private static let entities: [Substring: Character] = ["amp": "&", "quot": "\"", "apos": "'", "lt": "<", "gt": ">"]
  /// The number of characters between "&" and ";" in the longest numeric entity.
  private static let maximumEntitySize = 8

  /// Returns the character of the entity with this name, such as "amp", "#39" or "#x27"; nil if there is none.
  private static func character(of name: Substring) -> Character? {
    guard name.first == "#" else { return entities[name] }
    let digits = name.dropFirst()
    let value = digits.first?.lowercased() == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return value.flatMap(Unicode.Scalar.init).map(Character.init)
  }
}
