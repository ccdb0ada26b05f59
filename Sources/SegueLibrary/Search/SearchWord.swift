internal import SegueSQLite

/// A part of a query as tokens of the search tables: a word, several words without a space between them (`AC/DC`), a
/// quoted phrase, or symbols. For each position there are alternatives.
struct SearchWord {
  /// The text as it was typed, in UTF-8.
  let typed: [UInt8]
  /// The tokens at each position. The first one is the word as it was typed.
  private(set) var positions: [[[UInt8]]] = []
  /// All positions as one word, in all spellings. It is empty if there is only one position.
  private(set) var joined: [[UInt8]] = []
  /// All positions as a whole line, in all spellings.
  private(set) var wholeLines: [[UInt8]] = []
  /// Whether the part was quoted, so that its last word is complete.
  let isPhrase: Bool
  /// Whether the part has neither letters nor digits.
  private(set) var isSymbols = false

  /// The number of characters as typed.
  var length: Int { typed.count { $0 & 0xC0 != 0x80 } }
  var isSingleLetter: Bool { length == 1 }

  /// The token of the column `facts` that stands for the year, if the part is a number of four digits and was not
  /// quoted.
  var year: [UInt8]? {
    guard !isPhrase, typed.count == 4, typed.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return [TokenExpander.factPrefix] + typed
  }

  /// Returns nil if `text` contains nothing to search for.
  init?(_ text: some Collection<UInt8>, isPhrase: Bool, _ tokenizer: SearchTokenizer) {
    self.isPhrase = isPhrase
    typed = Array(text)
    let bytes = typed
    bytes.withUnsafeBufferPointer { read(tokenizer.tokens(of: $0, for: .querying)) }
    if positions.isEmpty { return nil }
  }

  private mutating func read(_ words: TokenExpander) {
    isSymbols = words.isSymbols
    _ = words.forEachToken { word, kind in
      switch kind {
      case .word: positions.append([Array(word)])
      case .spelling:
        let word = Array(word)
        if !positions[positions.count - 1].contains(word) { positions[positions.count - 1].append(word) }
      case .joined: joined.append(Array(word))
      case .wholeLine: wholeLines.append(Array(word))
      }
      return 0
    }
  }
}
