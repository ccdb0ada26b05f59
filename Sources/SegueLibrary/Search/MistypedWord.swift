/// How far one word is from another: letters left out, added, changed, or two that changed places (optimal string
/// alignment). Words are arrays of scalars.
enum MistypedWord {
  /// Before a word by whose sound one of another script is found.
  static let soundMark = Unicode.Scalar(WordSplitter.soundMark)

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

  /// All that is one mistake away from `typed`.
  static func edits(of typed: [Unicode.Scalar], _ alphabet: ClosedRange<UInt32>) -> [Edit] {
    var edits: [Edit] = []
    func add(_ isSwap: Bool = false, _ change: (inout [Unicode.Scalar]) -> Void) {
      var word = typed
      change(&word)
      if word != typed { edits.append(Edit(word: word, isSwap: isSwap)) }
    }
    for place in 0..<max(0, typed.count - 1) { add(true) { $0.swapAt(place, place + 1) } }
    for place in typed.indices { add { $0.remove(at: place) } }
    for case let letter? in alphabet.lazy.map(Unicode.Scalar.init) {
      for place in typed.indices { add { $0[place] = letter } }
      for place in 0...typed.count { add { $0.insert(letter, at: place) } }
    }
    return edits
  }

  /// The distance of `typed` from `word`, and from that beginning of it which is most like it. `typed`: at most 64
  /// letters, which are the bits of a column of the matrix of distances (Hyyrö, "A bit-vector algorithm for computing
  /// Levenshtein and Damerau edit distances").
  static func distances(
    _ typed: [Unicode.Scalar], _ word: some Sequence<Unicode.Scalar>
  ) -> (whole: Int, prefix: Int) {
    let last: UInt64 = 1 << UInt64(typed.count - 1)
    // Where a letter is one more, or one less, than the one above it.
    var (more, less) = (UInt64.max, UInt64(0))
    var (same, before): (UInt64, UInt64) = (0, 0)
    var (distance, least) = (typed.count, typed.count)
    for letter in word {
      var equal: UInt64 = 0
      for (index, other) in typed.enumerated() where other == letter { equal |= 1 << UInt64(index) }
      let swapped = (~same & equal) << 1 & before
      same = ((equal & more) &+ more) ^ more | equal | less | swapped
      let (grown, shrunk) = (less | ~(same | more), same & more)
      distance += grown & last != 0 ? 1 : shrunk & last != 0 ? -1 : 0
      more = shrunk << 1 | ~(same | (grown << 1 | 1))
      less = (grown << 1 | 1) & same
      before = equal
      least = min(least, distance)
    }
    return (distance, least)
  }
}
