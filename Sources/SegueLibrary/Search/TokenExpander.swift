// On the thread of its connection only.

/// Makes of the words that `unicode61` finds the words that are kept and searched for: each has a place in the text,
/// and others may stand beside it, at the same place. What is kept beside a word:
/// - the sounds of a Cyrillic one (`soundMark` before it), by which Latin spellings find it;
/// - where punctuation alone parts words (`AC/DC`, `don't`), at the last one's place: all of them as one;
/// - at the end of a line that is short: the whole line without its gaps (`wholeMark` before it), which tells it from a
///   longer one.
/// Of a query, the same words are found, and beside a Cyrillic one its Latin spellings, beside a Latin one its sounds.
struct TokenExpander {
  enum Purpose {
    /// To be kept, or compared with.
    case keeping
    /// A part of a query.
    case asking
  }

  static let soundMark: UInt8 = 0x02
  static let wholeMark: UInt8 = 0x03
  /// Begins a text of facts, and each word of it.
  static let factMark: UInt8 = 0x04
  /// A word that no text has.
  static let noMark: UInt8 = 0x05
  /// Bytes of the longest word that is kept, and of the longest line that is kept as a whole.
  static let longestWord = 64
  static let longestWhole = 24

  enum Kind {
    /// At a place of its own.
    case word
    /// Another way to write the word before it.
    case spelling
    /// All words of a run as one; of a query only if nothing but the run is in it.
    case joined
    /// The whole line.
    case whole
  }

  private struct Word {
    var start: Int
    var end: Int
    var kind: Kind
  }

  private var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var purpose = Purpose.keeping
  private var bytes: [UInt8] = []
  private var words: [Word] = []
  /// Whether the text has no lines of which the whole is kept: facts.
  private var isFacts = false
  /// Where the last of `unicode61`'s words ended.
  private var lastEnd = 0
  /// The word that is being made: folded, and as it came if it is Cyrillic.
  private var piece: [UInt8] = []
  private var cyrillic: [UInt32] = []
  /// Words that only punctuation parts.
  private var run = Sequence()
  private var line = Sequence()

  /// Words as one.
  private struct Sequence {
    var bytes: [UInt8] = []
    var cyrillic: [UInt32] = []
    var count = 0

    mutating func add(_ word: some Collection<UInt8>, _ letters: [UInt32]) {
      // Longer than anything that is kept of it.
      if bytes.count <= TokenExpander.longestWord { bytes.append(contentsOf: word) }
      if cyrillic.count <= TokenExpander.longestWord { cyrillic.append(contentsOf: letters) }
      count += 1
    }

    mutating func clear() {
      bytes.removeAll(keepingCapacity: true)
      cyrillic.removeAll(keepingCapacity: true)
      count = 0
    }
  }

  /// Whether there were no words: the signs are taken for one.
  private(set) var isSigns = false

  /// `text` must stay until `finish`.
  mutating func begin(_ text: UnsafeBufferPointer<UInt8>, _ purpose: Purpose) {
    self.text = text
    self.purpose = purpose
    bytes.removeAll(keepingCapacity: true)
    words.removeAll(keepingCapacity: true)
    run.clear()
    line.clear()
    lastEnd = 0
    isSigns = false
    isFacts = text.first == Self.factMark
  }

  /// The next word of `unicode61`, and where in the text it was.
  mutating func add(_ word: UnsafeBufferPointer<UInt8>, at range: Range<Int>) {
    if isFacts { return keep(word, .word, Self.factMark) }
    let gap = text[min(lastEnd, range.lowerBound)..<range.lowerBound]
    if gap.contains(UInt8(ascii: "\n")) { finishLine() }
    if !Self.isJoining(gap) { finishRun() }
    lastEnd = range.upperBound
    if word.allSatisfy({ $0 < 0x80 }) {
      piece.append(contentsOf: word)
    } else {
      for scalar in String(decoding: word, as: UTF8.self).unicodeScalars { add(scalar.value) }
    }
    finishPiece()
  }

  private mutating func add(_ scalar: UInt32) {
    switch CharacterFolding(scalar) {
    case .letter(let folded):
      if Transliteration.isCyrillic(scalar) { cyrillic.append(scalar) }
      append(folded)
    case .letters(let folded): folded.withUTF8Buffer { piece.append(contentsOf: $0) }
    case .nothing: break
    case .gap:
      finishPiece()
      finishRun()
    case .alone(let folded):
      finishPiece()
      finishRun()
      append(folded)
      line.add(piece, [])
      keep(piece, .word)
      piece.removeAll(keepingCapacity: true)
    }
  }

  private mutating func append(_ scalar: UInt32) {
    guard let encoded = Unicode.Scalar(scalar).flatMap(UTF8.encode) else { return }
    piece.append(contentsOf: encoded)
  }

  private static func isJoining(_ gap: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    gap.count == 1 && gap.first.map { $0 > 0x20 } ?? false || gap.elementsEqual([0xE2, 0x80, 0x99])
  }

  private mutating func finishPiece() {
    defer {
      piece.removeAll(keepingCapacity: true)
      cyrillic.removeAll(keepingCapacity: true)
    }
    guard !piece.isEmpty else { return }
    keep(piece, .word)
    keepSpellings(of: piece, cyrillic, .spelling)
    run.add(piece, cyrillic)
    line.add(piece, cyrillic)
  }

  private mutating func finishRun() {
    defer { run.clear() }
    guard run.count > 1, run.bytes.count <= Self.longestWord else { return }
    if purpose == .asking, run.count < line.count { return }
    keep(run.bytes, .joined)
    keepSpellings(of: run.bytes, run.cyrillic, .joined)
  }

  private mutating func finishLine() {
    finishRun()
    defer { line.clear() }
    guard line.count > 0, line.bytes.count <= Self.longestWhole else { return }
    keep(line.bytes, .whole)
    keepSpellings(of: line.bytes, line.cyrillic, .whole)
  }

  /// The other ways to write a word or a line.
  private mutating func keepSpellings(of word: [UInt8], _ cyrillic: [UInt32], _ kind: Kind) {
    if cyrillic.isEmpty {
      guard purpose == .asking else { return }
      for sound in Transliteration.sounds(ofLatin: word) { keep(sound, kind, Self.soundMark) }
    } else {
      for sound in Transliteration.sounds(ofCyrillic: cyrillic) { keep(sound, kind, Self.soundMark) }
      guard purpose == .asking else { return }
      for spelling in Transliteration.spellings(ofCyrillic: cyrillic) { keep(spelling, kind) }
    }
  }

  private mutating func keep(_ word: some Collection<UInt8>, _ kind: Kind, _ mark: UInt8? = nil) {
    let start = bytes.count
    if kind == .whole { bytes.append(Self.wholeMark) }
    if let mark { bytes.append(mark) }
    bytes.append(contentsOf: word.prefix(Self.longestWord))
    words.append(Word(start: start, end: bytes.count, kind: kind))
  }

  mutating func finish() {
    defer { text = UnsafeBufferPointer(start: nil, count: 0) }
    finishLine()
    // A name of signs alone (`!!!`) is found by the same signs.
    if words.isEmpty {
      let signs = text.filter { $0 > 0x20 && $0 != 0x7F }.prefix(Self.longestWhole)
      guard !signs.isEmpty else { return }
      isSigns = true
      keep(signs, .word)
      keep(signs, .whole)
    }
  }

  /// Gives each word. All but those of the kind `word` stand at the place of the word before them. Stops at what is not
  /// 0, and returns it.
  func withWords(_ body: (UnsafeBufferPointer<UInt8>, Kind) -> Int32) -> Int32 {
    bytes.withUnsafeBufferPointer { bytes in
      for word in words {
        let code = body(UnsafeBufferPointer(rebasing: bytes[word.start..<word.end]), word.kind)
        guard code == 0 else { return code }
      }
      return 0
    }
  }
}
