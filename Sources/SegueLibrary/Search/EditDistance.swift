/// How far words are from one: letters left out, added, changed, or two that changed places (optimal string alignment;
/// Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances").
struct EditDistance {
  /// Letters of the word that are looked at: the bits of a column of the matrix of distances.
  static let longest = 64

  let count: Int
  /// Bit n: the letter is at n. Of ASCII, then of what is written in Cyrillic most.
  private var places = [UInt64](repeating: 0, count: 256)
  private var others: [(letter: Unicode.Scalar, places: UInt64)] = []

  init(from word: some Collection<Unicode.Scalar>) {
    let word = word.prefix(Self.longest)
    count = word.count
    for (index, letter) in word.enumerated() {
      let bit: UInt64 = 1 << UInt64(index)
      if let known = Self.index(letter) {
        places[known] |= bit
      } else if let known = others.firstIndex(where: { $0.letter == letter }) {
        others[known].places |= bit
      } else {
        others.append((letter, bit))
      }
    }
  }

  private static func index(_ letter: Unicode.Scalar) -> Int? {
    switch letter.value {
    case ..<0x80: Int(letter.value)
    case 0x400..<0x480: Int(letter.value - 0x400 + 0x80)
    default: nil
    }
  }

  private func places(of letter: Unicode.Scalar) -> UInt64 {
    if let known = Self.index(letter) { return places[known] }
    return others.first { $0.letter == letter }?.places ?? 0
  }

  /// From `word`, and from that beginning of it which is most like it.
  func to(_ word: some Sequence<Unicode.Scalar>) -> (whole: Int, prefix: Int) {
    guard count > 0 else { return (word.reduce(0) { length, _ in length + 1 }, 0) }
    let last: UInt64 = 1 << UInt64(count - 1)
    // Where a letter is one more, or one less, than the one above it.
    var (more, less) = (UInt64.max, UInt64(0))
    var (same, before): (UInt64, UInt64) = (0, 0)
    var (distance, least) = (count, count)
    for letter in word {
      let equal = places(of: letter)
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
