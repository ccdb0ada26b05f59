// Thread: the connection's.

internal import SegueSQLite

extension SearchWriter {
  /// Does one step of the maintenance, which takes a few tens of milliseconds: merges the segments that many small
  /// transactions have written, and updates the vocabulary by which misspelled words are corrected. Called after a
  /// scan, once per transaction, as long as it returns true.
  ///
  /// - Parameter changes: The number of texts that were written since the last call.
  func maintain(changes: Int) throws(StoreError) -> Bool {
    var work = try Work(connection)
    work.changes += Int64(changes)
    defer { connection.releaseMemory() }
    switch work.step {
    // FTS5 itself merges the segments of a few changes.
    case .idle where rebuildsVocabulary(after: Int(work.changes), of: Int(work.texts)) || vocabulary.isIncomplete:
      work.texts += work.changes
      work.changes = 0
      work.step = .merging(0)
      vocabulary.clear()
    case .idle:
      try addWords(vocabulary.words)
      vocabulary.clear()
    case .merging(let position): work.step = try merge(position)
    case .buildingVocabulary(let after): work.step = try buildVocabulary(after)
    }
    try work.save(connection)
    return work.step != .idle || !vocabulary.isEmpty
  }

  /// Returns whether the vocabulary is to be rebuilt after `changes` changes in `texts` texts.
  func rebuildsVocabulary(after changes: Int, of texts: Int) -> Bool { changes * 20 > texts }

  /// Whether the last call of `maintain` returned true. The process may have ended since.
  var isMaintenanceInProgress: Bool {
    get throws(StoreError) { try Work(connection).step != .idle }
  }

  private enum Step: Equatable {
    case idle
    /// The parameter is the position of `merge`.
    case merging(Int)
    /// The words after this one are still to be added.
    case buildingVocabulary(String)
  }

  private struct Work {
    /// The number of texts that were written since the vocabulary was built.
    var changes: Int64
    /// An upper bound of the number of texts when the vocabulary was built: replacing or removing a text counts, too.
    var texts: Int64
    var step: Step

    init(_ connection: SQLiteConnection) throws(StoreError) {
      changes = try connection.integer("SELECT value FROM search_work WHERE key = 'changes'")
      texts = try connection.integer("SELECT value FROM search_work WHERE key = 'texts'")
      let find = try connection.statement("SELECT key, value FROM search_work WHERE key IN ('merging', 'learning')")
      let found = try find.first { row -> Step in
        row.text(0) == "merging" ? .merging(Int(row.integer(1) ?? 0)) : .buildingVocabulary(row.text(1) ?? "")
      }
      step = found ?? .idle
    }

    func save(_ connection: SQLiteConnection) throws(StoreError) {
      try connection.execute("DELETE FROM search_work WHERE key IN ('merging', 'learning')")
      try connection.execute(
        "INSERT OR REPLACE INTO search_work (key, value) VALUES ('changes', \(changes)), ('texts', \(texts))")
      let insert = try connection.statement("INSERT INTO search_work (key, value) VALUES (?1, ?2)")
      switch step {
      case .idle: break
      case .merging(let position): try insert.run("merging", position)
      case .buildingVocabulary(let after): try insert.run("learning", after)
      }
    }
  }

  private static let tables = ["track_text", "album_text", "artist_text"]
  /// The number of pages of FTS5 that one call writes, and of words that it adds.
  private static let pagesAtOnce = 1000
  private static let wordsAtOnce = 5000

  /// Merges segments of a table. `position` is twice the index of the table, plus 1 after the merge was started.
  private func merge(_ position: Int) throws(StoreError) -> Step {
    let name = Self.tables[position / 2]
    if position % 2 == 0 {
      try connection.execute("INSERT INTO \(name) (\(name), rank) VALUES ('merge', -\(Self.pagesAtOnce))")
      return .merging(position + 1)
    }
    let before = connection.totalChanges
    try connection.execute("INSERT INTO \(name) (\(name), rank) VALUES ('merge', \(Self.pagesAtOnce))")
    // According to the documentation of FTS5, fewer than two changes mean that nothing was left to do.
    if connection.totalChanges - before >= 2 { return .merging(position) }
    return position + 1 < Self.tables.count * 2 ? .merging(position + 1) : .buildingVocabulary("")
  }

  private func buildVocabulary(_ after: String) throws(StoreError) -> Step {
    if after.isEmpty { try connection.execute("DELETE FROM word; DELETE FROM word_reversed") }
    // The phonetic keys come first, because their prefix is less than all letters.
    let isPhonetic = after < Self.startOfWords
    let found = try connection.statement(
      "SELECT term, doc FROM track_word WHERE term > ?1 AND term < ?2 ORDER BY term LIMIT \(Self.wordsAtOnce)",
      max(after, String(SpellingEdits.phoneticPrefix)), isPhonetic ? Self.afterPhoneticKeys : "\u{10FFFF}")
    defer { found.reset() }
    var last: String?
    while try found.step() {
      guard let text = found.text(0) else { continue }
      last = text
      if SpellingEdits.isVocabulary(text) { try addWord(text, "REPLACE", found.integer(1) ?? 0) }
    }
    return last.map(Step.buildingVocabulary) ?? (isPhonetic ? .buildingVocabulary(Self.startOfWords) : .idle)
  }

  /// A text that follows all phonetic keys and precedes all other words.
  private static let startOfWords = " "
  private static let afterPhoneticKeys = String(Unicode.Scalar(TokenExpander.phoneticPrefix + 1))

  /// Adds the words of a few new texts. Existing words keep their counts.
  private func addWords(_ words: Set<String>) throws(StoreError) {
    for word in words { try addWord(word, "IGNORE", 1) }
  }

  private func addWord(_ word: String, _ conflict: StaticString, _ count: Int64) throws(StoreError) {
    for (table, text) in [("word", word), ("word_reversed", SpellingEdits.reversed(word))] {
      try connection.statement("INSERT OR \(conflict) INTO \(table) (text, count) VALUES (?1, ?2)", text, count).run()
    }
  }
}
