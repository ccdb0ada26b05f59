/// What is forgiven in a word: letters left out, added, changed, or two that changed places. Words are arrays of
/// scalars.
enum SpellingEdits {
  /// Before a word by whose sound one of another script is found.
  static let soundMark = Unicode.Scalar(TokenExpander.soundMark)

  /// Whether mistyped words may be set right by this one: a word of letters, not too short, not too long; or a sound.
  static func isLearnt(_ word: String) -> Bool {
    let letters = word.unicodeScalars.drop { $0 == soundMark }
    return (3...32).contains(letters.count) && letters.allSatisfy { !("0"..."9").contains($0) && $0.value >= 0x20 }
  }

  static func reversed(_ word: String) -> String { String(String.UnicodeScalarView(word.unicodeScalars.reversed())) }

  /// Mistakes that are forgiven in a word of so many letters.
  static func forgiven(_ count: Int) -> Int {
    switch count {
    case ..<4: 0
    case 4..<8: 1
    default: 2
    }
  }

  struct Edit {
    var word: [Unicode.Scalar]
    /// Whether two letters changed places, which happens to everybody.
    var isSwap: Bool
  }

  /// The letters that may have been meant where one was mistyped in `word`; nil for a script of which too many are.
  static func alphabet(of word: [Unicode.Scalar]) -> ClosedRange<UInt32>? {
    [0x61...0x7A, 0x430...0x44F].first { letters in word.allSatisfy { letters.contains($0.value) } }
  }

  /// All that is one mistake away from `typed`: one before the letter at `end`.
  static func edits(
    of typed: [Unicode.Scalar], _ alphabet: ClosedRange<UInt32>, before end: Int = .max
  ) -> [Edit] {
    var edits: [Edit] = []
    func add(_ isSwap: Bool = false, _ change: (inout [Unicode.Scalar]) -> Void) {
      var word = typed
      change(&word)
      if word != typed { edits.append(Edit(word: word, isSwap: isSwap)) }
    }
    let places = typed.indices.prefix(end)
    for place in places where place + 1 < typed.count { add(true) { $0.swapAt(place, place + 1) } }
    for place in places { add { $0.remove(at: place) } }
    for case let letter? in alphabet.lazy.map(Unicode.Scalar.init) {
      for place in places { add { $0[place] = letter } }
      for place in 0...typed.count where place < end { add { $0.insert(letter, at: place) } }
    }
    return edits
  }
}
