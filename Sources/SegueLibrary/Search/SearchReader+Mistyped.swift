// On the thread of its connection only.

extension SearchReader {
  /// The query with the words set right that nothing in the library begins with, and its text; nil if there are none,
  /// or nothing is like them.
  func correct(_ text: String, _ query: SearchQuery) throws(StoreError) -> (SearchQuery, String)? {
    var bytes = Array(text.utf8.prefix(SearchQuery.longest))
    var isChanged = false
    for (index, term) in query.terms.enumerated() where term.word.places.count == 1 && !term.word.isPhrase {
      if try isKnown(term.word) { continue }
      let isLast = index == query.terms.count - 1
      guard let typed = term.word.places.first?.first, let word = try nearest(typed, isPrefix: isLast) else {
        return nil
      }
      bytes.replaceFirst(term.word.typed, with: Array(word.utf8))
      isChanged = true
    }
    guard isChanged else { return nil }
    let corrected = String(decoding: bytes, as: UTF8.self)
    return (SearchQuery(corrected, tokenizer), corrected)
  }

  private func isKnown(_ word: SearchWord) throws(StoreError) -> Bool {
    try isFound(.word(word, isPrefix: true, term: nil))
  }

  private func isFound(_ expression: SearchExpression) throws(StoreError) -> Bool {
    let statement = try connection.statement("SELECT 1 FROM track_text WHERE track_text MATCH ?1 LIMIT 1")
    SearchMatch(expression).bytes.withUnsafeBytes { statement.bind(1, $0) }
    defer { statement.reset() }
    return try statement.step()
  }

  /// The word that is most like `typed`, of those that are in any track; among several the one that is in the most.
  private func nearest(_ typed: [UInt8], isPrefix: Bool) throws(StoreError) -> String? {
    let letters = Array(String(decoding: typed, as: UTF8.self).unicodeScalars)
    let forgiven = MistypedWord.forgiven(letters.count)
    guard forgiven > 0 else { return nil }
    var guesses = MistypedGuesses()
    let alphabet = MistypedWord.alphabet(of: letters)
    if let alphabet { try guess(MistypedWord.edits(of: letters, alphabet), isPrefix, &guesses) }
    if guesses.isEmpty, forgiven > 1 || alphabet == nil { try compare(letters, forgiven, isPrefix, &guesses) }
    // What was learnt may be gone.
    for word in guesses.best where try isFound(.phrase([[Array(word.utf8)]], isPrefix: false, .nothing)) {
      return word
    }
    return nil
  }

  /// So many words are taken that begin alike.
  private static let mostAlike: Int64 = 8

  /// Looks for what may have been meant.
  private func guess(
    _ edits: [MistypedWord.Edit], _ isPrefix: Bool, _ guesses: inout MistypedGuesses
  ) throws(StoreError) {
    let statement = try connection.statement(
      "SELECT text, count FROM word WHERE text >= ?1 AND text < ?2 LIMIT \(Self.mostAlike)")
    defer { statement.reset() }
    for edit in edits {
      let word = String(String.UnicodeScalarView(edit.word))
      statement.bind(1, word)
      statement.bind(2, word + (isPrefix ? "\u{10FFFF}" : "\u{0}"))
      while try statement.step() {
        guard let found = statement.text(0) else { continue }
        guesses.add(
          found, distance: 1, isWhole: found == word, isSwap: edit.isSwap, count: statement.integer(1) ?? 0)
      }
      statement.reset()
    }
  }

  /// So many words are compared with a mistyped one, of those that share its first or its last letters.
  private static let mostCompared: Int64 = 2000

  private func compare(
    _ letters: [Unicode.Scalar], _ forgiven: Int, _ isPrefix: Bool, _ guesses: inout MistypedGuesses
  ) throws(StoreError) {
    // Each mistake spoils two letters at most; of the parts between, one is at least so long.
    let part = (letters.count - forgiven) / (forgiven + 1)
    let ends: [(table: String, letters: [Unicode.Scalar], isReversed: Bool)] = [
      ("word", Array(letters.prefix(part)), false), ("word_reversed", letters.suffix(part).reversed(), true),
    ]
    for (table, start, isReversed) in ends {
      let prefix = String(String.UnicodeScalarView(start))
      let statement = try connection.statement(
        "SELECT text, count FROM \(table) WHERE text >= ?1 AND text < ?2 LIMIT \(Self.mostCompared)")
      statement.bind(1, prefix)
      statement.bind(2, prefix + "\u{10FFFF}")
      defer { statement.reset() }
      while try statement.step() {
        guard var word = statement.text(0) else { continue }
        if isReversed { word = MistypedWord.reversed(word) }
        let scalars = Array(word.unicodeScalars)
        guard let distance = MistypedWord.distance(letters, scalars, most: forgiven, isPrefix: isPrefix) else {
          continue
        }
        let isWhole = !isPrefix || MistypedWord.distance(letters, scalars, most: distance, isPrefix: false) != nil
        guesses.add(word, distance: distance, isWhole: isWhole, isSwap: false, count: statement.integer(1) ?? 0)
      }
    }
  }
}

extension [UInt8] {
  /// Replaces the first occurrence of `part`, if there is one.
  fileprivate mutating func replaceFirst(_ part: [UInt8], with other: [UInt8]) {
    guard !part.isEmpty, count >= part.count else { return }
    for start in 0...(count - part.count) where self[start...].starts(with: part) {
      replaceSubrange(start..<(start + part.count), with: other)
      return
    }
  }
}
