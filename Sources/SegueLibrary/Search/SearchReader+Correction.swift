// Thread: the connection's.

internal import SegueSQLite
internal import SegueSystem

extension SearchReader {
  /// Corrects the words of a query with which no word in the library begins. Returns the corrected query and its text,
  /// or nil if there is nothing to correct or no similar word.
  func correct(_ text: String, _ query: SearchQuery) throws(StoreError) -> (SearchQuery, String)? {
    var bytes = Array(text.utf8.prefix(SearchQuery.maximumLength))
    var isChanged = false
    for (index, term) in query.terms.enumerated() where term.word.positions.count == 1 && !term.word.isPhrase {
      if try isKnown(term.word) { continue }
      let isLast = index == query.terms.count - 1
      guard let spellings = term.word.positions.first, let word = try nearest(spellings, isPrefix: isLast) else {
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
    // Searching for a whole word is fast. For a long prefix, FTS5 collects all rows first.
    if try isFound(.word(word, isPrefix: false, term: nil, findsYear: true)) { return true }
    return try isFound(.word(word, isPrefix: true, term: nil))
  }

  private func isFound(_ expression: SearchExpression) throws(StoreError) -> Bool {
    let statement = try connection.statement("SELECT 1 FROM track_text WHERE track_text MATCH ?1 LIMIT 1")
    FTSQuery(expression).bytes.withUnsafeBytes { statement.bind(1, $0) }
    defer { statement.reset() }
    return try statement.step()
  }

  /// The number of spellings that are compared: as typed, the phonetic key, in the other script.
  private static let maximumSpellings = 3

  /// Returns the word of the library that is the most similar to one of `spellings`. Among several, it is the word that
  /// the most tracks contain.
  private func nearest(_ spellings: [[UInt8]], isPrefix: Bool) throws(StoreError) -> String? {
    let words = spellings.prefix(Self.maximumSpellings).map { MisspelledWord($0, isPrefix: isPrefix) }
      .filter { $0.maximumEdits > 0 }
    var candidates = SpellingCandidates()
    for word in words { try findEdits(word, &candidates) }
    if candidates.isEmpty {
      for word in words where word.maximumEdits > 1 || word.alphabet == nil { try compare(word, &candidates) }
    }
    // The vocabulary may contain words that are no longer in the library.
    for word in candidates.best {
      let isFound = try isFound(.phrase([[Array(word.utf8)]], isPrefix: false, .unranked))
      if isFound { return word.first == Character(SpellingEdits.phoneticPrefix) ? String(word.dropFirst()) : word }
    }
    return nil
  }
}
