// Thread: the connection's.

internal import SegueSQLite
internal import SegueSystem

/// The search in the vocabulary for words that are similar to a misspelled word.
extension SearchReader {
  /// The number of words with the same first or last letters that are compared with a misspelled word.
  private static let maximumCompared: Int64 = 2000
  /// The number of words that are compared for each edit of the first letters.
  private static let maximumComparedPerEdit: Int64 = 20
  /// The number of words that are read for each edit.
  private static let maximumPerEdit: Int64 = 8
  /// The number of first letters of which all edits are tried. If only later letters are wrong, the word is compared
  /// with those that begin with the same letters, which are few.
  private static let triedLetters = 3

  /// Adds the words that differ by one edit.
  func findEdits(_ typed: MisspelledWord, _ candidates: inout SpellingCandidates) throws(StoreError) {
    guard let alphabet = typed.alphabet else { return }
    let letters = typed.letters
    var tried = letters.count
    if tried > 2 * Self.triedLetters - 1 {
      let compared = try compare(
        typed, beginning: letters.prefix(Self.triedLetters), edits: 1, limit: Self.maximumCompared, &candidates)
      if compared < Self.maximumCompared { tried = Self.triedLetters }
    }
    try lookUp(SpellingEdits.edits(of: letters, alphabet, before: tried), of: typed, &candidates)
  }

  private func lookUp(
    _ edits: [SpellingEdits.Edit], of typed: MisspelledWord, _ candidates: inout SpellingCandidates
  ) throws(StoreError) {
    let statement = try connection.statement(
      "SELECT text, count FROM word WHERE text >= ?1 AND text < ?2 LIMIT \(Self.maximumPerEdit)")
    defer { statement.reset() }
    // There are hundreds of edits, but few of them are in the vocabulary.
    let after = Array((typed.isPrefix ? "\u{10FFFF}" : "\u{0}").utf8)
    var word: [UInt8] = []
    for edit in edits {
      word.replaceSubrange(word.indices, with: typed.prefix.utf8)
      for letter in edit.word { word.append(contentsOf: UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter) }
      word.withUnsafeBytes { statement.bind(1, $0) }
      (word + after).withUnsafeBytes { statement.bind(2, $0) }
      while try statement.step() {
        guard let found = statement.text(0) else { continue }
        candidates.add(
          found, distance: 1, isWhole: found.utf8.elementsEqual(word), isSwap: edit.isSwap,
          count: statement.integer(1) ?? 0)
      }
      statement.reset()
    }
  }

  /// Adds the words that differ by at most `typed.maximumEdits` edits.
  func compare(_ typed: MisspelledWord, _ candidates: inout SpellingCandidates) throws(StoreError) {
    let (letters, edits) = (typed.letters, typed.maximumEdits)
    // Each edit affects two letters at most. One of the parts between the edits has at least this length.
    let part = (letters.count - edits) / (edits + 1)
    let head = min(part, Self.triedLetters)
    let compared = try compare(
      typed, beginning: letters.prefix(head), edits: edits, limit: Self.maximumCompared, &candidates)
    try compare(typed, ending: letters.suffix(part), &candidates)
    // There may be edits at both ends. After the first one is undone, the beginning of the word is correct.
    let (first, last) = (part + 2, letters.count - part - 1)
    guard edits > 1, first < last, let alphabet = typed.alphabet else { return }
    let tried = compared < Self.maximumCompared ? head : first
    for edit in SpellingEdits.edits(of: Array(letters[..<first]), alphabet, before: tried) {
      _ = try compare(
        typed, beginning: edit.word + letters[first..<last], edits: edits, limit: Self.maximumComparedPerEdit,
        &candidates)
    }
  }

  /// Returns the number of words that were compared.
  private func compare(
    _ typed: MisspelledWord, beginning: some Sequence<Unicode.Scalar>, edits: Int, limit: Int64,
    _ candidates: inout SpellingCandidates
  ) throws(StoreError) -> Int64 {
    let prefix = typed.prefix + String(String.UnicodeScalarView(beginning))
    let statement = try connection.statement(
      "SELECT text, count FROM word WHERE text >= ?1 AND text < ?2 LIMIT ?3", prefix, prefix + "\u{10FFFF}", limit)
    return try compare(typed, statement, isReversed: false, edits: edits, &candidates)
  }

  private func compare(
    _ typed: MisspelledWord, ending: ArraySlice<Unicode.Scalar>, _ candidates: inout SpellingCandidates
  ) throws(StoreError) {
    let prefix = String(String.UnicodeScalarView(ending.reversed()))
    let statement = try connection.statement(
      "SELECT text, count FROM word_reversed WHERE text >= ?1 AND text < ?2 LIMIT ?3", prefix, prefix + "\u{10FFFF}",
      Self.maximumCompared)
    _ = try compare(typed, statement, isReversed: true, edits: typed.maximumEdits, &candidates)
  }

  /// Compares the words of all rows. Returns their number.
  private func compare(
    _ typed: MisspelledWord, _ rows: SQLiteStatement, isReversed: Bool, edits: Int,
    _ candidates: inout SpellingCandidates
  ) throws(StoreError) -> Int64 {
    defer { rows.reset() }
    var count: Int64 = 0
    var word: [Unicode.Scalar] = []
    while try rows.step() {
      count += 1
      rows.letters(0, into: &word)
      if isReversed { word.reverse() }
      guard (word.first == SpellingEdits.phoneticPrefix) != typed.prefix.isEmpty else { continue }
      let letters = word.dropFirst(typed.prefix.isEmpty ? 0 : 1)
      guard letters.count + edits >= typed.letters.count,
        typed.isPrefix || letters.count <= typed.letters.count + edits
      else { continue }
      let (whole, prefix) = typed.distance.to(letters)
      let distance = typed.isPrefix ? prefix : whole
      guard distance <= edits else { continue }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: word)
      candidates.add(
        String(text), distance: distance, isWhole: whole == distance,
        isSwap: distance == 1 && typed.isTransposition(of: letters), count: rows.integer(1) ?? 0)
    }
    return count
  }
}

extension SQLiteStatement {
  /// Replaces `letters` by the letters of a text.
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
