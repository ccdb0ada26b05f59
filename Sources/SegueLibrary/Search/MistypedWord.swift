/// How far one word is from another: letters left out, added, changed, or two that changed places (optimal string
/// alignment). Words are arrays of scalars.
enum MistypedWord {
  /// Whether mistyped words may be set right by this one: a word of letters, not too short, not too long.
  static func isLearnt(_ word: String) -> Bool {
    let count = word.unicodeScalars.count
    return (3...32).contains(count) && word.unicodeScalars.allSatisfy { !("0"..."9").contains($0) && $0.value >= 0x20 }
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

  /// The distance of `typed` from `word`, or from what it begins with if `isPrefix`; nil if it is more than `most`.
  static func distance(
    _ typed: [Unicode.Scalar], _ word: [Unicode.Scalar], most: Int, isPrefix: Bool
  ) -> Int? {
    guard word.count >= typed.count - most, isPrefix || word.count <= typed.count + most else { return nil }
    // Row i: distances of typed[..<i] from word[..<j].
    let width = min(word.count, typed.count + most) + 1
    var before = [Int](repeating: 0, count: width)
    var last = Array(0..<width)
    var row = last
    for i in 1...max(typed.count, 1) where i <= typed.count {
      row[0] = i
      var least = i
      for j in 1..<max(width, 1) {
        var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (typed[i - 1] == word[j - 1] ? 0 : 1))
        if i > 1, j > 1, typed[i - 1] == word[j - 2], typed[i - 2] == word[j - 1] {
          cost = min(cost, before[j - 2] + 1)
        }
        row[j] = cost
        least = min(least, cost)
      }
      if least > most { return nil }
      (before, last, row) = (last, row, before)
    }
    let distance = isPrefix ? last.min() : width == word.count + 1 ? last[width - 1] : nil
    return distance.flatMap { $0 <= most ? $0 : nil }
  }
}
