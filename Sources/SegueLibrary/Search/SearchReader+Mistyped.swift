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
      guard let spellings = term.word.places.first, let word = try nearest(spellings, isPrefix: isLast) else {
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
    // Whole words are found at once, what begins with a long one is put together first.
    if try isFound(.word(word, isPrefix: false, term: nil)) { return true }
    return try isFound(.word(word, isPrefix: true, term: nil))
  }

  private func isFound(_ expression: SearchExpression) throws(StoreError) -> Bool {
    let statement = try connection.statement("SELECT 1 FROM track_text WHERE track_text MATCH ?1 LIMIT 1")
    SearchMatch(expression).bytes.withUnsafeBytes { statement.bind(1, $0) }
    defer { statement.reset() }
    return try statement.step()
  }

  /// So many ways to write what was typed are compared: as it was, by its sound, in the other script.
  private static let mostSpellings = 3

  /// The word that is most like one of `spellings`, of those that are in any track; among several the one that is in the
  /// most.
  private func nearest(_ spellings: [[UInt8]], isPrefix: Bool) throws(StoreError) -> String? {
    let words = spellings.prefix(Self.mostSpellings).map { Typed($0) }.filter { $0.forgiven > 0 }
    var guesses = MistypedGuesses()
    for word in words { try guess(word, isPrefix, &guesses) }
    if guesses.isEmpty {
      for word in words where word.forgiven > 1 || word.alphabet == nil { try compare(word, isPrefix, &guesses) }
    }
    // What was learnt may be gone.
    for word in guesses.best {
      let isFound = try isFound(.phrase([[Array(word.utf8)]], isPrefix: false, .nothing))
      if isFound { return word.first == Character(MistypedWord.soundMark) ? String(word.dropFirst()) : word }
    }
    return nil
  }

  /// One way to write a mistyped word.
  private struct Typed {
    let letters: [Unicode.Scalar]
    /// What stands before the letters in the table of words: nothing, or the mark of a sound.
    let mark: String
    let forgiven: Int
    let alphabet: ClosedRange<UInt32>?

    init(_ spelling: [UInt8]) {
      let scalars = Array(String(decoding: spelling, as: UTF8.self).unicodeScalars)
      letters = Array(scalars.drop { $0 == MistypedWord.soundMark })
      mark = letters.count < scalars.count ? String(MistypedWord.soundMark) : ""
      forgiven = MistypedWord.forgiven(letters.count)
      alphabet = MistypedWord.alphabet(of: letters)
    }
  }

  /// So many words are taken that begin alike.
  private static let mostAlike: Int64 = 8

  /// Looks for what may have been meant: with one mistake.
  private func guess(_ typed: Typed, _ isPrefix: Bool, _ guesses: inout MistypedGuesses) throws(StoreError) {
    guard let alphabet = typed.alphabet else { return }
    let statement = try connection.statement(
      "SELECT text, count FROM word WHERE text >= ?1 AND text < ?2 LIMIT \(Self.mostAlike)")
    defer { statement.reset() }
    for edit in MistypedWord.edits(of: typed.letters, alphabet) {
      let word = typed.mark + String(String.UnicodeScalarView(edit.word))
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

  /// So many words are compared with a mistyped one, of those that share its first or its last letters, or those between
  /// and the first ones but for a mistake.
  private static let mostCompared: Int64 = 2000
  private static let mostComparedBetween: Int64 = 20

  /// With as many mistakes as are forgiven.
  private func compare(_ typed: Typed, _ isPrefix: Bool, _ guesses: inout MistypedGuesses) throws(StoreError) {
    let letters = typed.letters
    // Each mistake spoils two letters at most; of the parts between, one is at least so long.
    let part = (letters.count - typed.forgiven) / (typed.forgiven + 1)
    try compare(typed, isPrefix, beginning: letters.prefix(part), most: Self.mostCompared, &guesses)
    try compare(typed, isPrefix, ending: letters.suffix(part), &guesses)
    // Mistakes at both ends: where the first is set right, the word begins as it should.
    let (first, last) = (part + 2, letters.count - part - 1)
    guard typed.forgiven > 1, first < last, let alphabet = typed.alphabet else { return }
    for edit in MistypedWord.edits(of: Array(letters[..<first]), alphabet) {
      try compare(
        typed, isPrefix, beginning: edit.word + letters[first..<last], most: Self.mostComparedBetween, &guesses)
    }
  }

  private func compare(
    _ typed: Typed, _ isPrefix: Bool, beginning: some Sequence<Unicode.Scalar>, most: Int64,
    _ guesses: inout MistypedGuesses
  ) throws(StoreError) {
    let statement = try connection.statement("SELECT text, count FROM word WHERE text >= ?1 AND text < ?2 LIMIT ?3")
    let prefix = typed.mark + String(String.UnicodeScalarView(beginning))
    statement.bind(1, prefix)
    statement.bind(2, prefix + "\u{10FFFF}")
    statement.bind(3, most)
    defer { statement.reset() }
    while try statement.step() {
      guard let word = statement.text(0) else { continue }
      compare(typed, isPrefix, word.unicodeScalars, statement.integer(1) ?? 0, &guesses)
    }
  }

  private func compare(
    _ typed: Typed, _ isPrefix: Bool, ending: ArraySlice<Unicode.Scalar>, _ guesses: inout MistypedGuesses
  ) throws(StoreError) {
    let statement = try connection.statement(
      "SELECT text, count FROM word_reversed WHERE text >= ?1 AND text < ?2 LIMIT \(Self.mostCompared)")
    let prefix = String(String.UnicodeScalarView(ending.reversed()))
    statement.bind(1, prefix)
    statement.bind(2, prefix + "\u{10FFFF}")
    defer { statement.reset() }
    while try statement.step() {
      guard let word = statement.text(0) else { continue }
      compare(typed, isPrefix, word.unicodeScalars.reversed(), statement.integer(1) ?? 0, &guesses)
    }
  }

  private func compare(
    _ typed: Typed, _ isPrefix: Bool, _ word: some BidirectionalCollection<Unicode.Scalar>, _ count: Int64,
    _ guesses: inout MistypedGuesses
  ) {
    guard (word.first == MistypedWord.soundMark) != typed.mark.isEmpty else { return }
    let (whole, prefix) = MistypedWord.distances(typed.letters, word.dropFirst(typed.mark.unicodeScalars.count))
    let distance = isPrefix ? prefix : whole
    guard distance <= typed.forgiven else { return }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: word)
    guesses.add(String(text), distance: distance, isWhole: whole == distance, isSwap: false, count: count)
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
