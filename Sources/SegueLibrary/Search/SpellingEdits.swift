internal import SegueSQLite

/// The edits by which a misspelled word may differ from a word of the vocabulary: deletion, insertion, substitution, or
/// transposition of adjacent letters. Words are arrays of scalars.
enum SpellingEdits {
  /// The prefix of a phonetic key in the vocabulary.
  static let phoneticPrefix = Unicode.Scalar(TokenExpander.phoneticPrefix)

  /// Returns whether a word belongs to the vocabulary: a word of letters, neither too short nor too long, or a phonetic
  /// key.
  static func isVocabulary(_ word: String) -> Bool {
    let letters = word.unicodeScalars.drop { $0 == phoneticPrefix }
    return (3...32).contains(letters.count) && letters.allSatisfy { !("0"..."9").contains($0) && $0.value >= 0x20 }
  }

  static func reversed(_ word: String) -> String { String(String.UnicodeScalarView(word.unicodeScalars.reversed())) }

  /// Returns the maximum number of edits for a word of `count` letters.
  static func maximumEdits(_ count: Int) -> Int {
    switch count {
    case ..<4: 0
    case 4..<8: 1
    default: 2
    }
  }

  struct Edit {
    var word: [Unicode.Scalar]
    /// Whether the edit is a transposition, which is the most frequent mistake.
    var isSwap: Bool
  }

  /// Returns the letters that may replace a letter of `word`, or nil if its script has too many letters.
  static func alphabet(of word: [Unicode.Scalar]) -> ClosedRange<UInt32>? {
    [0x61...0x7A, 0x430...0x44F].first { letters in word.allSatisfy { letters.contains($0.value) } }
  }

  /// Returns all words that differ from `typed` by one edit before the letter at `end`.
  static func edits(
    of typed: [Unicode.Scalar], _ alphabet: ClosedRange<UInt32>, before end: Int = .max
  ) -> [Edit] {
    var edits: [Edit] = []
    func add(_ isSwap: Bool = false, _ change: (inout [Unicode.Scalar]) -> Void) {
      var word = typed
      change(&word)
      if word != typed { edits.append(Edit(word: word, isSwap: isSwap)) }
    }
    let indices = typed.indices.prefix(end)
    for index in indices where index + 1 < typed.count { add(true) { $0.swapAt(index, index + 1) } }
    for index in indices { add { $0.remove(at: index) } }
    for case let letter? in alphabet.lazy.map(Unicode.Scalar.init) {
      for index in indices { add { $0[index] = letter } }
      for index in 0...typed.count where index < end { add { $0.insert(letter, at: index) } }
    }
    return edits
  }
}
