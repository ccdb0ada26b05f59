internal import SegueSystem
internal import SegueWire
// Decoding thread only.
internal import SegueWorkerProtocol

/// The values of a file's tags by field.
struct TagValues {
  enum Value {
    case text(String)
    /// Bytes in an unknown charset.
    case bytes([UInt8])

    init(_ value: UnsafeRawBufferPointer) {
      let text = String(validating: value, as: UTF8.self)
      self = text.map(Value.text) ?? .bytes(Array(value))
    }

    init(_ value: [UInt8], isBytes: Bool) {
      let text = isBytes ? nil : String(validating: value, as: UTF8.self)
      self = text.map(Value.text) ?? .bytes(value)
    }

    /// The text; nil if its charset is unknown.
    var decodedText: String? {
      switch self {
      case .text(let text): text
      case .bytes: nil
      }
    }

    fileprivate var isBlank: Bool {
      switch self {
      case .text(let text): text.utf8.allSatisfy { $0 <= 0x20 }
      case .bytes(let bytes): bytes.allSatisfy { $0 <= 0x20 }
      }
    }
  }

  private struct Entry {
    var values: [Value] = []
    var rank = Int.max
  }

  private var entries = [Entry](repeating: Entry(), count: TagField.allCases.count)
  /// The Vorbis comments `CHAPTER001`, `CHAPTER001NAME` and so on (Xiph's wiki, "Chapter Extension"), with the keys in
  /// upper case.
  private var chapterTexts: [(key: String, value: Value)] = []
  /// Whether TagLib dropped a text that is marked as UTF-8, but is not UTF-8.
  private(set) var hasDroppedTexts = false
  private var hasBytes = false

  /// The maximum size of a text in bytes. Lyrics are the longest texts.
  static let maximumSize = 1 << 20

  /// Adds a value of `key`. Of the tags that have a field, only the one with the lowest rank is used. A negative rank
  /// means that TagLib dropped the text, and that `value` is empty.
  mutating func add(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, rank: Int) {
    if key.count >= 10, key[..<7].elementsEqual("chapter".utf8, by: { $0 | 0x20 == $1 }), chapterTexts.count < 2048 {
      chapterTexts.append((String(decoding: key, as: UTF8.self).uppercased(), Value(value)))
      return
    }
    if rank < 0 { hasDroppedTexts = true }
    guard let field = TagField(key: key), value.count <= Self.maximumSize, hasRoom(for: field, rank) else { return }
    add(Value(value), to: field, rank)
  }

  /// Adds a value with a key that is a string. ID3v2 genres may be numbers.
  mutating func add(_ value: Value, _ key: String, rank: Int) {
    guard let field = TagField(key: key), hasRoom(for: field, rank) else { return }
    guard key == "TCON" else { return add(value, to: field, rank) }
    switch value {
    case .text(let text):
      for name in ID3Genre.names(in: text) { add(.text(name), to: field, rank) }
    case .bytes(let bytes):
      // The numbers are ASCII. The other bytes must be kept in their charset. They are treated as Latin-1 here, and
      // converted back.
      let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
      for name in ID3Genre.names(in: text) {
        let bytes = name.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        add(Value(bytes, isBytes: !bytes.allSatisfy { $0 < 0x80 }), to: field, rank)
      }
    }
  }

  private func hasRoom(for field: TagField, _ rank: Int) -> Bool {
    let entry = entries[field.rawValue]
    return rank < entry.rank || rank == entry.rank && entry.values.count < Metadata.maximumValueCount
  }

  private mutating func add(_ value: Value, to field: TagField, _ rank: Int) {
    guard !value.isBlank, hasRoom(for: field, rank) else { return }
    if rank < entries[field.rawValue].rank { entries[field.rawValue] = Entry(rank: rank) }
    if case .bytes = value { hasBytes = true }
    entries[field.rawValue].values.append(value)
  }

  /// Guesses the charset of all values in an unknown charset. They are guessed together, because a file's tags usually
  /// have one writer, and single words may mislead.
  mutating func decodeBytes() {
    guard hasBytes else { return }
    var samples: [[UInt8]] = []
    for entry in entries {
      for case .bytes(let bytes) in entry.values { samples.append(bytes) }
    }
    let charset = Charset(guessedFrom: samples)
    for index in entries.indices {
      for (position, value) in entries[index].values.enumerated() {
        if case .bytes(let bytes) = value { entries[index].values[position] = .text(charset.decode(bytes)) }
      }
    }
    hasBytes = false
  }

  func has(_ field: TagField) -> Bool { !entries[field.rawValue].values.isEmpty }

  /// Returns the first value, cleaned, that is not empty.
  func text(_ field: TagField) -> String? { texts(field).first }

  /// Returns all distinct values, cleaned. Some programs add a field again instead of replacing it.
  func texts(_ field: TagField) -> [String] {
    var texts: [String] = []
    for case .text(let text) in entries[field.rawValue].values {
      let cleaned = TagText.cleaned(text)
      if !cleaned.isEmpty, !texts.contains(cleaned) { texts.append(cleaned) }
    }
    return texts
  }

  /// Returns the first value without cleaning it.
  func raw(_ field: TagField) -> String? {
    guard case .text(let text) = entries[field.rawValue].values.first else { return nil }
    return text
  }
}

// MARK: Chapters
extension TagValues {
  /// The chapters of comments such as `CHAPTER001=00:01:02.345` and `CHAPTER001NAME=…`.
  var commentChapters: [Chapter] {
    guard !chapterTexts.isEmpty else { return [] }
    var titles: [Substring: String] = [:]
    var times: [Substring: MediaTime] = [:]
    for (key, value) in chapterTexts {
      guard case .text(let text) = value else { continue }
      let number = key.dropFirst(7).prefix { $0.isNumber }
      if key.hasSuffix("NAME") {
        titles[number] = TagText.cleaned(text)
      } else if key.count == 7 + number.count {
        times[number] = Self.time(text)
      }
    }
    return times.map { Chapter(title: titles[$0.key] ?? "", start: $0.value) }
  }

  private static func time(_ text: String) -> MediaTime? {
    let parts = text.split(separator: ":")
    guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]), let seconds = Double(parts[2]),
      (0..<100_000).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds)
    else { return nil }
    return MediaTime(nanoseconds: (hours * 60 + minutes) * 60_000_000_000) + MediaTime(seconds: seconds)
  }
}

// MARK: Gain
extension TagValues {
  /// The gain in ReplayGain tags or in ID3v2's RVA2 frame. iTunNORM is not used, since it does not state a loudness.
  var gain: ReplayGain {
    ReplayGain(
      trackGain: r128Gain(.opusTrackGain) ?? number(.trackGain) ?? number(.relativeTrackGain),
      trackPeak: number(.trackPeak) ?? number(.relativeTrackPeak),
      albumGain: r128Gain(.opusAlbumGain) ?? number(.albumGain) ?? number(.relativeAlbumGain),
      albumPeak: number(.albumPeak) ?? number(.relativeAlbumPeak))
  }

  /// Returns the gain of an Opus tag (RFC 7845, 5.2.1), which is relative to −23 LUFS in units of 1/256 dB.
  private func r128Gain(_ field: TagField) -> Double? {
    text(field).flatMap { Int($0) }.flatMap { (-32768...32767).contains($0) ? Double($0) / 256 + 5 : nil }
  }

  /// Returns the number in texts such as "-7.25 dB", "+1,5", "0.987" and "3.05e-05".
  private func number(_ field: TagField) -> Double? {
    guard let text = text(field) else { return nil }
    let digits = text.prefix { $0.isASCII && ($0.isNumber || "+-.,eE".contains($0)) }
    return Double(String(digits.map { $0 == "," ? "." : $0 }))
  }
}

/// The forms in which ID3 states genres: `17`, `(17)`, `(17)(4)Live`, `(RX)`, `((not a number)`, or a name.
private enum ID3Genre {
  static func names(in text: String) -> [String] {
    if let name = name(text[...]) { return [name] }
    var names: [String] = []
    var rest = text[...]
    while rest.first == "(", !rest.hasPrefix("(("), let end = rest.firstIndex(of: ")"),
      let name = name(rest[rest.index(after: rest.startIndex)..<end])
    {
      names.append(name)
      rest = rest[rest.index(after: end)...]
    }
    // The text after a number refines or repeats it.
    let refined = rest.hasPrefix("((") ? rest.dropFirst() : rest
    if !refined.isEmpty, !names.contains(String(refined)) { names.append(String(refined)) }
    return names
  }

  private static func name(_ number: Substring) -> String? {
    switch number {
    case "RX": return "Remix"
    case "CR": return "Cover"
    default: break
    }
    return Int32(number).flatMap(TagLibFile.genre)
  }
}
