/// A word of a query, or several that stand together (a quoted phrase, `AC/DC`, signs without spaces), as what is kept
/// of a text: for each place the words that are as good there.
struct SearchWord {
  /// UTF-8, as it was typed.
  let typed: [UInt8]
  /// The first at a place is what was typed.
  var places: [[[UInt8]]] = []
  /// All places as one word; empty if there is one place only.
  var joined: [[UInt8]] = []
  /// All places as a whole line.
  var wholes: [[UInt8]] = []
  /// Whether it was quoted: its last word is complete.
  var isPhrase: Bool
  /// Whether there is no letter and no digit in it.
  private(set) var isSigns = false

  /// In characters, as it was typed.
  var length: Int { typed.count { $0 & 0xC0 != 0x80 } }
  var isLetter: Bool { length == 1 }

  /// nil if there is nothing in `text` to search for.
  init?(_ text: some Collection<UInt8>, isPhrase: Bool, _ tokenizer: SearchTokenizer) {
    self.isPhrase = isPhrase
    typed = Array(text)
    let bytes = typed
    bytes.withUnsafeBufferPointer { read(tokenizer.words(of: $0, for: .asking)) }
    if places.isEmpty { return nil }
  }

  private mutating func read(_ words: TokenExpander) {
    isSigns = words.isSigns
    _ = words.withWords { word, kind in
      switch kind {
      case .word: places.append([Array(word)])
      case .spelling:
        let word = Array(word)
        if !places[places.count - 1].contains(word) { places[places.count - 1].append(word) }
      case .joined: joined.append(Array(word))
      case .whole: wholes.append(Array(word))
      }
      return 0
    }
  }
}
