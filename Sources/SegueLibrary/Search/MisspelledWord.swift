internal import SegueSystem

/// One spelling of a word of a query that is not in the vocabulary.
struct MisspelledWord {
  let letters: [Unicode.Scalar]
  /// The text before the letters in the vocabulary: `phoneticPrefix` for a phonetic key, else nothing.
  let prefix: String
  /// Whether the word is unfinished.
  let isPrefix: Bool
  let maximumEdits: Int
  let alphabet: ClosedRange<UInt32>?
  let distance: EditDistance

  init(_ spelling: [UInt8], isPrefix: Bool) {
    let scalars = Array(String(decoding: spelling, as: UTF8.self).unicodeScalars)
    letters = Array(scalars.drop { $0 == SpellingEdits.phoneticPrefix })
    prefix = letters.count < scalars.count ? String(SpellingEdits.phoneticPrefix) : ""
    self.isPrefix = isPrefix
    maximumEdits = SpellingEdits.maximumEdits(letters.count)
    alphabet = SpellingEdits.alphabet(of: letters)
    distance = EditDistance(from: letters)
  }

  /// Returns whether transposing two adjacent letters makes this word the beginning of `word`.
  func isTransposition(of word: some RandomAccessCollection<Unicode.Scalar>) -> Bool {
    guard word.count >= letters.count, isPrefix || word.count == letters.count else { return false }
    var different = zip(letters, word).enumerated().lazy.filter { $0.element.0 != $0.element.1 }.makeIterator()
    guard let first = different.next(), let second = different.next(), different.next() == nil else { return false }
    return second.offset == first.offset + 1 && first.element == (second.element.1, second.element.0)
  }
}
