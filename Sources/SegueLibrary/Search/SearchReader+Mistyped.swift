// On the thread of its connection only.

internal import SegueSystem

extension SearchReader {
  /// The query with the words set right that nothing in the library begins with, and its text; nil if there are none,
  /// or nothing is like them.
  func correct(_ text: String, _ query: SearchQuery) throws(StoreError) -> (SearchQuery, String)? {
    var bytes = Array(text.utf8.prefix(SearchQuery.longest))
    var isChanged = false
    for (index, term) in query.terms.enumerated() where term.word.places.count == 1 && !term.word.isPhrase {
      if try isKnown(term.word) { continue }
      let isLast = index == query.terms.count - 1
      guard let spellings = term.word.places.first, let word = try nearest(spellings, isPrefix: isLast) else {
        return nil
      }
      if let typed = bytes.range(of: term.word.typed) { bytes.replaceSubrange(typed, with: word.utf8) }
      isChanged = true
    }
    guard isChanged else { return nil }
    let corrected = String(decoding: bytes, as: UTF8.self)
    return (SearchQuery(corrected, tokenizer), corrected)
  }

  private func isKnown(_ word: SearchWord) throws(StoreError) -> Bool {
    // Whole words are found at once, what begins with a long one is put together first.
    if try isFound(.word(word, isPrefix: false, term: nil)) { return true }
    return try isFound(.word(word, isPrefix: true, term: nil))
  }

  private func isFound(_ expression: SearchExpression) throws(StoreError) -> Bool {
    let statement = try connection.statement("SELECT 1 FROM track_text WHERE track_text MATCH ?1 LIMIT 1")
    FTSQuery(expression).bytes.withUnsafeBytes { statement.bind(1, $0) }
    defer { statement.reset() }
    return try statement.step()
  }

  /// So many ways to write what was typed are compared: as it was, by its sound, in the other script.
  private static let mostSpellings = 3

  /// The word that is most like one of `spellings`, of those that are in any track; among several the one that is in the
  /// most.
  private func nearest(_ spellings: [[UInt8]], isPrefix: Bool) throws(StoreError) -> String? {
    let words = spellings.prefix(Self.mostSpellings).map { MisspelledWord($0, isPrefix: isPrefix) }
      .filter { $0.forgiven > 0 }
    var guesses = SpellingCandidates()
    for word in words { try guess(word, &guesses) }
    if guesses.isEmpty {
      for word in words where word.forgiven > 1 || word.alphabet == nil { try compare(word, &guesses) }
    }
    // What was learnt may be gone.
    for word in guesses.best {
      let isFound = try isFound(.phrase([[Array(word.utf8)]], isPrefix: false, .nothing))
      if isFound { return word.first == Character(SpellingEdits.soundMark) ? String(word.dropFirst()) : word }
    }
    return nil
  }
}
