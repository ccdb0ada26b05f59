internal import SegueSystem

/// One way to write a mistyped word.
struct MisspelledWord {
  let letters: [Unicode.Scalar]
  /// What stands before the letters in the table of words: nothing, or the mark of a sound.
  let mark: String
  /// Whether more may follow.
  let isPrefix: Bool
  /// Mistakes.
  let forgiven: Int
  let alphabet: ClosedRange<UInt32>?
  let distance: EditDistance

  init(_ spelling: [UInt8], isPrefix: Bool) {
    let scalars = Array(String(decoding: spelling, as: UTF8.self).unicodeScalars)
    letters = Array(scalars.drop { $0 == SpellingEdits.soundMark })
    mark = letters.count < scalars.count ? String(SpellingEdits.soundMark) : ""
    self.isPrefix = isPrefix
    forgiven = SpellingEdits.forgiven(letters.count)
    alphabet = SpellingEdits.alphabet(of: letters)
    distance = EditDistance(from: letters)
  }

  /// Whether two letters that changed places make it of the beginning of `word`.
  func isSwapped(in word: some RandomAccessCollection<Unicode.Scalar>) -> Bool {
    guard word.count >= letters.count, isPrefix || word.count == letters.count else { return false }
    var different = zip(letters, word).enumerated().lazy.filter { $0.element.0 != $0.element.1 }.makeIterator()
    guard let first = different.next(), let second = different.next(), different.next() == nil else { return false }
    return second.offset == first.offset + 1 && first.element == (second.element.1, second.element.0)
  }
}
