// Thread: the connection's.

/// An expander that makes the tokens of the search tables from those of `unicode61`. Each word has a position in the
/// text. Further tokens may have the same position:
/// - the phonetic keys of a Cyrillic word (with `phoneticPrefix`), by which Latin spellings find it;
/// - words that only punctuation separates (`AC/DC`, `don't`), joined to one word, at the position of the last one;
/// - at the end of a short line, the whole line without separators (with `wholeLinePrefix`), which distinguishes it
///   from longer lines.
///
/// A query has the same tokens, and also the Latin spellings of a Cyrillic word and the phonetic keys of a Latin word.
public struct TokenExpander {
  public enum Purpose {
    /// The text is stored in a search table, or compared with such a text.
    case indexing
    /// The text is a part of a query.
    case querying
  }

  public static let phoneticPrefix: UInt8 = 0x02
  static let wholeLinePrefix: UInt8 = 0x03
  /// The first byte of a text that consists of facts, such as year and format, instead of names. Each of its words gets
  /// this prefix.
  public static let factPrefix: UInt8 = 0x04
  /// A word that no text contains.
  public static let absentWord: UInt8 = 0x05
  /// The maximum length of a word in bytes.
  static let maximumWordLength = 64
  /// The maximum length in bytes of a line that becomes a token.
  static let maximumLineLength = 24

  public enum Kind {
    /// A word with a position of its own.
    case word
    /// Another spelling of the preceding word, or a phonetic key of it.
    case spelling
    /// All words of a run, joined, or another spelling of them. In a query, there is such a token only if the run is
    /// the whole query.
    case joined
    /// The whole line.
    case wholeLine
  }

  private struct Token {
    var start: Int
    var end: Int
    var kind: Kind
  }

  private var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var purpose = Purpose.indexing
  private var bytes: [UInt8] = []
  private var tokens: [Token] = []
  /// Whether the text consists of facts, for which there are no tokens of whole lines.
  private var isFacts = false
  /// The end of the previous token of `unicode61` in the text.
  private var lastEnd = 0
  /// The current word, folded.
  private var word: [UInt8] = []
  /// The Cyrillic letters of the current word, not folded.
  private var cyrillic: [UInt32] = []
  /// The current run: words that only punctuation separates.
  private var run = Sequence()
  private var line = Sequence()

  /// Several words, joined.
  private struct Sequence {
    var bytes: [UInt8] = []
    var cyrillic: [UInt32] = []
    var count = 0

    mutating func add(_ word: some Collection<UInt8>, _ letters: [UInt32]) {
      // Longer sequences become no tokens.
      if bytes.count <= TokenExpander.maximumWordLength { bytes.append(contentsOf: word) }
      if cyrillic.count <= TokenExpander.maximumWordLength { cyrillic.append(contentsOf: letters) }
      count += 1
    }

    mutating func clear() {
      bytes.removeAll(keepingCapacity: true)
      cyrillic.removeAll(keepingCapacity: true)
      count = 0
    }
  }

  /// Whether the text has no words, so that its symbols were taken for one.
  public private(set) var isSymbols = false

  /// Begins a text, which must be valid until `finish`.
  mutating func begin(_ text: UnsafeBufferPointer<UInt8>, _ purpose: Purpose) {
    self.text = text
    self.purpose = purpose
    bytes.removeAll(keepingCapacity: true)
    tokens.removeAll(keepingCapacity: true)
    run.clear()
    line.clear()
    lastEnd = 0
    isSymbols = false
    isFacts = text.first == Self.factPrefix
  }

  /// Adds the next token of `unicode61`, which was at `range` in the text.
  mutating func add(_ token: UnsafeBufferPointer<UInt8>, at range: Range<Int>) {
    if isFacts { return append(token, .word, Self.factPrefix) }
    let gap = text[min(lastEnd, range.lowerBound)..<range.lowerBound]
    if gap.contains(UInt8(ascii: "\n")) { finishLine() }
    if !Self.isJoining(gap) { finishRun() }
    lastEnd = range.upperBound
    if token.allSatisfy({ $0 < 0x80 }) {
      word.append(contentsOf: token)
    } else {
      for scalar in String(decoding: token, as: UTF8.self).unicodeScalars { add(scalar.value) }
    }
    finishWord()
  }

  private mutating func add(_ scalar: UInt32) {
    switch CharacterFolding(scalar) {
    case .letter(let folded):
      if Transliteration.isCyrillic(scalar) { cyrillic.append(scalar) }
      appendToWord(folded)
    case .letters(let folded): folded.withUTF8Buffer { word.append(contentsOf: $0) }
    case .removed: break
    case .separator:
      finishWord()
      finishRun()
    case .word(let folded):
      finishWord()
      finishRun()
      appendToWord(folded)
      line.add(word, [])
      append(word, .word)
      word.removeAll(keepingCapacity: true)
    }
  }

  private mutating func appendToWord(_ scalar: UInt32) {
    guard let encoded = Unicode.Scalar(scalar).flatMap(UTF8.encode) else { return }
    word.append(contentsOf: encoded)
  }

  private static func isJoining(_ gap: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    gap.count == 1 && gap.first.map { $0 > 0x20 } ?? false || gap.elementsEqual([0xE2, 0x80, 0x99])
  }

  private mutating func finishWord() {
    defer {
      word.removeAll(keepingCapacity: true)
      cyrillic.removeAll(keepingCapacity: true)
    }
    guard !word.isEmpty else { return }
    append(word, .word)
    appendSpellings(of: word, cyrillic, .spelling)
    run.add(word, cyrillic)
    line.add(word, cyrillic)
  }

  private mutating func finishRun() {
    defer { run.clear() }
    guard run.count > 1, run.bytes.count <= Self.maximumWordLength else { return }
    if purpose == .querying, run.count < tokens.count(where: { $0.kind == .word }) { return }
    append(run.bytes, .joined)
    appendSpellings(of: run.bytes, run.cyrillic, .joined)
  }

  private mutating func finishLine() {
    finishRun()
    defer { line.clear() }
    guard line.count > 0, line.bytes.count <= Self.maximumLineLength else { return }
    append(line.bytes, .wholeLine)
    appendSpellings(of: line.bytes, line.cyrillic, .wholeLine)
  }

  /// Appends the other spellings of a word, a run or a line.
  private mutating func appendSpellings(of word: [UInt8], _ cyrillic: [UInt32], _ kind: Kind) {
    if cyrillic.isEmpty {
      guard purpose == .querying else { return }
      for key in Transliteration.phoneticKeys(ofLatin: word) { append(key, kind, Self.phoneticPrefix) }
    } else {
      for key in Transliteration.phoneticKeys(ofCyrillic: cyrillic) { append(key, kind, Self.phoneticPrefix) }
      guard purpose == .querying else { return }
      for spelling in Transliteration.spellings(ofCyrillic: cyrillic) { append(spelling, kind) }
    }
  }

  private mutating func append(_ token: some Collection<UInt8>, _ kind: Kind, _ prefix: UInt8? = nil) {
    let start = bytes.count
    if kind == .wholeLine { bytes.append(Self.wholeLinePrefix) }
    if let prefix { bytes.append(prefix) }
    bytes.append(contentsOf: token.prefix(Self.maximumWordLength))
    // In a query, the run before this word is not the whole query.
    if kind == .word, purpose == .querying { tokens.removeAll { $0.kind == .joined } }
    tokens.append(Token(start: start, end: bytes.count, kind: kind))
  }

  mutating func finish() {
    defer { text = UnsafeBufferPointer(start: nil, count: 0) }
    finishLine()
    // A name that consists of symbols (`!!!`) is found by the same symbols.
    if tokens.isEmpty {
      let symbols = text.filter { $0 > 0x20 && $0 != 0x7F }.prefix(Self.maximumLineLength)
      guard !symbols.isEmpty else { return }
      isSymbols = true
      append(symbols, .word)
      append(symbols, .wholeLine)
    }
  }

  /// Calls `body` with each token. All tokens but those of the kind `word` have the position of the preceding word.
  /// Stops when `body` returns a value other than 0, and returns that value.
  public func forEachToken(_ body: (UnsafeBufferPointer<UInt8>, Kind) -> Int32) -> Int32 {
    bytes.withUnsafeBufferPointer { bytes in
      for token in tokens {
        let code = body(UnsafeBufferPointer(rebasing: bytes[token.start..<token.end]), token.kind)
        guard code == 0 else { return code }
      }
      return 0
    }
  }
}
