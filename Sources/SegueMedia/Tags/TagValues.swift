// Decoding thread only.
internal import SegueWire

/// The values of a file's tags, by what they are about.
struct TagValues {
  enum Value {
    case text(String)
    /// In a charset that nobody named.
    case bytes([UInt8])

    init(_ value: UnsafeRawBufferPointer, isBytes: Bool) {
      let text = isBytes ? nil : String(validating: value, as: UTF8.self)
      self = text.map(Value.text) ?? .bytes(Array(value))
    }
  }

  private struct Entry {
    var values: [Value] = []
    var rank = Int.max
  }

  private var entries = [Entry](repeating: Entry(), count: TagField.allCases.count)
  /// Vorbis comments `CHAPTER001`, `CHAPTER001NAME` and so on (by Xiph's wiki, "Chapter Extension").
  private(set) var chapterTexts: [(key: String, value: Value)] = []
  /// Something was said to be UTF-8 and is not, so that TagLib dropped it.
  private(set) var hasLost = false
  private var hasBytes = false

  /// Of one text, in bytes: lyrics are the longest.
  private static let longest = 1 << 20

  /// A further value of `key`. The tag of the lowest rank that has a field has it alone.
  mutating func add(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, isBytes: Bool, rank: Int) {
    if key.count >= 10, key[..<7].elementsEqual("CHAPTER".utf8), chapterTexts.count < 2048 {
      chapterTexts.append((String(decoding: key, as: UTF8.self), Value(value, isBytes: isBytes)))
      return
    }
    if rank < 0 { hasLost = true }
    guard let field = TagField(key: key) else { return }
    guard !value.isEmpty, value.count <= Self.longest, rank <= entries[field.rawValue].rank else { return }
    if rank < entries[field.rawValue].rank { entries[field.rawValue] = Entry(rank: rank) }
    guard entries[field.rawValue].values.count < Metadata.mostValues else { return }
    let parsed = Value(value, isBytes: isBytes)
    if case .bytes = parsed { hasBytes = true }
    guard field == .genre, key.elementsEqual("TCON".utf8), case .text(let text) = parsed else {
      entries[field.rawValue].values.append(parsed)
      return
    }
    entries[field.rawValue].values += GenreNumber.names(in: text).map(Value.text)
  }

  /// Guesses the charset of all that is in none that was named: a file's tags have one writer, and single words
  /// mislead.
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

  /// The first value, mended, unless nothing is left of it then.
  func text(_ field: TagField) -> String? { texts(field).first }

  /// All values, mended.
  func texts(_ field: TagField) -> [String] {
    entries[field.rawValue].values.compactMap { value in
      guard case .text(let text) = value else { return nil }
      let mended = TagText.mended(text)
      return mended.isEmpty ? nil : mended
    }
  }

  /// The first value as it is.
  func raw(_ field: TagField) -> String? {
    guard case .text(let text) = entries[field.rawValue].values.first else { return nil }
    return text
  }
}
