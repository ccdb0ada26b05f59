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
