/// A word to which the edit distances of other words are computed.
///
/// An edit is a letter that is inserted, removed or replaced, or two neighbours that change places (optimal string
/// alignment; Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances").
public struct EditDistance: Sendable {
  /// The number of letters that are compared, which is the number of bits in a column of the distance matrix.
  public static let maximumCount = 64

  /// The number of letters of the word that are compared.
  public let count: Int
  /// The positions in the word of every ASCII letter and then of the most common Cyrillic letters. Bit n is set if the
  /// letter stands at position n.
  @usableFromInline var positions = [UInt64](repeating: 0, count: 256)
  /// The positions of all other letters, in the same form.
  @usableFromInline var otherPositions: [(letter: Unicode.Scalar, bits: UInt64)] = []

  public init(from word: some Collection<Unicode.Scalar>) {
    let word = word.prefix(Self.maximumCount)
    count = word.count
    for (index, letter) in word.enumerated() {
      let bit: UInt64 = 1 << UInt64(index)
      if let known = Self.index(letter) {
        positions[known] |= bit
      } else if let known = otherPositions.firstIndex(where: { $0.letter == letter }) {
        otherPositions[known].bits |= bit
      } else {
        otherPositions.append((letter, bit))
      }
    }
  }

  @inlinable static func index(_ letter: Unicode.Scalar) -> Int? {
    switch letter.value {
    case ..<0x80: Int(letter.value)
    case 0x400..<0x480: Int(letter.value - 0x400 + 0x80)
    default: nil
    }
  }

  @inlinable func positions(of letter: Unicode.Scalar) -> UInt64 {
    if let known = Self.index(letter) { return positions[known] }
    return otherPositions.first { $0.letter == letter }?.bits ?? 0
  }

  /// Returns the distance to `word`, and the distance to the nearest prefix of `word`.
  @inlinable public func to(_ word: some Sequence<Unicode.Scalar>) -> (whole: Int, prefix: Int) {
    guard count > 0 else { return (word.reduce(0) { length, _ in length + 1 }, 0) }
    let last: UInt64 = 1 << UInt64(count - 1)
    // Bits of rows in which the distance is one more, or one less, than in the row above (VP and VN in the paper).
    // `same` is D0, `grown` and `shrunk` are HP and HN, and `equal` and `before` are the match vectors of this letter
    // and of the previous one.
    var (more, less) = (UInt64.max, UInt64(0))
    var (same, before): (UInt64, UInt64) = (0, 0)
    var (distance, least) = (count, count)
    for letter in word {
      let equal = positions(of: letter)
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

extension EditDistance {
  /// Returns the candidate that a misspelled name was probably meant to be, in upper or lower case: the only one that
  /// starts with `name`, else the one with the smallest edit distance. Returns nil if this distance is above 1 for a
  /// name of up to four letters, or above 2 for a longer one: a wrong suggestion is worse than none.
  public static func nearest(to name: String, in candidates: [String]) -> String? {
    let name = Array(name.lowercased().unicodeScalars)
    let completions = candidates.filter { name.count > 1 && $0.lowercased().unicodeScalars.starts(with: name) }
    if completions.count == 1 { return completions[0] }
    let distance = EditDistance(from: name)
    let distances = candidates.map { (name: $0, edits: distance.to($0.lowercased().unicodeScalars).whole) }
    guard let best = distances.min(by: { $0.edits < $1.edits }), best.edits <= (name.count < 5 ? 1 : 2) else {
      return nil
    }
    return best.name
  }
}
