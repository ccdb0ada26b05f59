// On the thread of its connection only.

internal import SegueSystem

/// Looks through the words of the library for those that are like a mistyped one.
extension SearchReader {
  /// So many words are compared with a mistyped one, of those that share its first or its last letters, or those between
  /// and the first ones but for a mistake.
  private static let mostCompared: Int64 = 2000
  private static let mostComparedBetween: Int64 = 20
  /// So many words are taken that begin alike.
  private static let mostAlike: Int64 = 8
  /// A mistake behind so many letters leaves few words that begin with them, which are compared; for one before, every
  /// letter that may have been meant is tried.
  private static let mostTried = 3

  /// What may have been meant, with one mistake.
  func guess(_ typed: MisspelledWord, _ guesses: inout SpellingCandidates) throws(StoreError) {
    guard let alphabet = typed.alphabet else { return }
    let letters = typed.letters
    var tried = letters.count
    if tried > 2 * Self.mostTried - 1 {
      let compared = try compare(
        typed, beginning: letters.prefix(Self.mostTried), mistakes: 1, most: Self.mostCompared, &guesses)
      if compared < Self.mostCompared { tried = Self.mostTried }
    }
    try guess(typed, SpellingEdits.edits(of: letters, alphabet, before: tried), &guesses)
  }

  private func guess(
    _ typed: MisspelledWord, _ edits: [SpellingEdits.Edit], _ guesses: inout SpellingCandidates
  ) throws(StoreError) {
    let statement = try connection.statement(
      "SELECT text, count FROM word WHERE text >= ?1 AND text < ?2 LIMIT \(Self.mostAlike)")
    defer { statement.reset() }
    // There are hundreds of edits, and few words like them.
    let after = Array((typed.isPrefix ? "\u{10FFFF}" : "\u{0}").utf8)
    var word: [UInt8] = []
    for edit in edits {
      word.replaceSubrange(word.indices, with: typed.mark.utf8)
      for letter in edit.word { word.append(contentsOf: UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter) }
      word.withUnsafeBytes { statement.bind(1, $0) }
      (word + after).withUnsafeBytes { statement.bind(2, $0) }
      while try statement.step() {
        guard let found = statement.text(0) else { continue }
        guesses.add(
          found, distance: 1, isWhole: found.utf8.elementsEqual(word), isSwap: edit.isSwap,
          count: statement.integer(1) ?? 0)
      }
      statement.reset()
    }
  }

  /// With as many mistakes as are forgiven.
  func compare(_ typed: MisspelledWord, _ guesses: inout SpellingCandidates) throws(StoreError) {
    let (letters, mistakes) = (typed.letters, typed.forgiven)
    // Each mistake spoils two letters at most; of the parts between, one is at least so long.
    let part = (letters.count - mistakes) / (mistakes + 1)
    let head = min(part, Self.mostTried)
    let compared = try compare(
      typed, beginning: letters.prefix(head), mistakes: mistakes, most: Self.mostCompared, &guesses)
    try compare(typed, ending: letters.suffix(part), &guesses)
    // Mistakes at both ends: where the first is set right, the word begins as it should.
    let (first, last) = (part + 2, letters.count - part - 1)
    guard mistakes > 1, first < last, let alphabet = typed.alphabet else { return }
    let tried = compared < Self.mostCompared ? head : first
    for edit in SpellingEdits.edits(of: Array(letters[..<first]), alphabet, before: tried) {
      _ = try compare(
        typed, beginning: edit.word + letters[first..<last], mistakes: mistakes, most: Self.mostComparedBetween,
        &guesses)
    }
  }

  /// How many were compared.
  private func compare(
    _ typed: MisspelledWord, beginning: some Sequence<Unicode.Scalar>, mistakes: Int, most: Int64,
    _ guesses: inout SpellingCandidates
  ) throws(StoreError) -> Int64 {
    let statement = try connection.statement("SELECT text, count FROM word WHERE text >= ?1 AND text < ?2 LIMIT ?3")
    let prefix = typed.mark + String(String.UnicodeScalarView(beginning))
    statement.bind(1, prefix)
    statement.bind(2, prefix + "\u{10FFFF}")
    statement.bind(3, most)
    return try compare(typed, statement, isReversed: false, mistakes: mistakes, &guesses)
  }

  private func compare(
    _ typed: MisspelledWord, ending: ArraySlice<Unicode.Scalar>, _ guesses: inout SpellingCandidates
  ) throws(StoreError) {
    let statement = try connection.statement(
      "SELECT text, count FROM word_reversed WHERE text >= ?1 AND text < ?2 LIMIT \(Self.mostCompared)")
    let prefix = String(String.UnicodeScalarView(ending.reversed()))
    statement.bind(1, prefix)
    statement.bind(2, prefix + "\u{10FFFF}")
    _ = try compare(typed, statement, isReversed: true, mistakes: typed.forgiven, &guesses)
  }

  /// The words of all rows.
  private func compare(
    _ typed: MisspelledWord, _ rows: SQLiteStatement, isReversed: Bool, mistakes: Int,
    _ guesses: inout SpellingCandidates
  ) throws(StoreError) -> Int64 {
    defer { rows.reset() }
    var count: Int64 = 0
    var word: [Unicode.Scalar] = []
    while try rows.step() {
      count += 1
      rows.letters(0, into: &word)
      if isReversed { word.reverse() }
      guard (word.first == SpellingEdits.soundMark) != typed.mark.isEmpty else { continue }
      let letters = word.dropFirst(typed.mark.isEmpty ? 0 : 1)
      guard letters.count + mistakes >= typed.letters.count,
        typed.isPrefix || letters.count <= typed.letters.count + mistakes
      else { continue }
      let (whole, prefix) = typed.distance.to(letters)
      let distance = typed.isPrefix ? prefix : whole
      guard distance <= mistakes else { continue }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: word)
      guesses.add(
        String(text), distance: distance, isWhole: whole == distance,
        isSwap: distance == 1 && typed.isSwapped(in: letters), count: rows.integer(1) ?? 0)
    }
    return count
  }
}

extension SQLiteStatement {
  /// The letters of a text, in place of those in `letters`.
  fileprivate func letters(_ column: Int32, into letters: inout [Unicode.Scalar]) {
    letters.removeAll(keepingCapacity: true)
    withText(column) { text in
      guard let text else { return }
      if text.allSatisfy({ $0 < 0x80 }) {
        for byte in text { letters.append(Unicode.Scalar(byte)) }
      } else {
        letters.append(contentsOf: String(decoding: text, as: UTF8.self).unicodeScalars)
      }
    }
  }
}
