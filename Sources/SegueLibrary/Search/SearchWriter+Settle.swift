// On the thread of its connection only.

extension SearchWriter {
  /// At the end of a scan, each time in a transaction of its own, while it returns true: gathers what many small
  /// transactions left apart, and learns the words by which mistyped ones are set right. One call takes a few tens of
  /// milliseconds. `changes` is how many texts were written since the last time; 0 to go on.
  @discardableResult
  func settle(changes: Int) throws(StoreError) -> Bool {
    var work = try Work(connection)
    work.changes += Int64(changes)
    defer { connection.releaseMemory() }
    switch work.step {
    // A few changes in many texts are merged by FTS5 as it goes.
    case .idle where learnsAnew(after: Int(work.changes), of: Int(work.texts)) || newWords.areMany:
      work.texts += work.changes
      work.changes = 0
      work.step = .merging(0)
      newWords.forget()
    case .idle:
      try learn(newWords.words)
      newWords.forget()
    case .merging(let table): work.step = try merge(table)
    case .learning(let after): work.step = try learn(after)
    }
    try work.save(connection)
    return work.step != .idle || !newWords.isEmpty
  }

  /// Whether so many changes in so many texts are reason enough to learn all words anew.
  func learnsAnew(after changes: Int, of texts: Int) -> Bool { changes * 20 > texts }

  /// Whether the last `settle` said that there is more to do. The process may have ended since.
  var isUnsettled: Bool {
    get throws(StoreError) { try Work(connection).step != .idle }
  }

  private enum Step: Equatable {
    case idle
    case merging(Int)
    /// The words after this one are still to be learnt.
    case learning(String)
  }

  private struct Work {
    /// Since the words were learnt.
    var changes: Int64
    /// At most, then.
    var texts: Int64
    var step: Step

    init(_ connection: SQLiteConnection) throws(StoreError) {
      changes = try connection.integer("SELECT value FROM search_work WHERE key = 'changes'")
      texts = try connection.integer("SELECT value FROM search_work WHERE key = 'texts'")
      let statement = try connection.statement(
        "SELECT key, value FROM search_work WHERE key IN ('merging', 'learning')")
      defer { statement.reset() }
      step = .idle
      guard try statement.step() else { return }
      if statement.text(0) == "merging" {
        step = .merging(Int(statement.integer(1) ?? 0))
      } else {
        step = .learning(statement.text(1) ?? "")
      }
    }

    func save(_ connection: SQLiteConnection) throws(StoreError) {
      try connection.execute("DELETE FROM search_work WHERE key IN ('merging', 'learning')")
      try connection.execute(
        "INSERT OR REPLACE INTO search_work (key, value) VALUES ('changes', \(changes)), ('texts', \(texts))")
      let statement = try connection.statement("INSERT INTO search_work (key, value) VALUES (?1, ?2)")
      switch step {
      case .idle: return
      case .merging(let table):
        statement.bind(1, "merging")
        statement.bind(2, Int64(table))
      case .learning(let after):
        statement.bind(1, "learning")
        statement.bind(2, after)
      }
      try statement.run()
    }
  }

  private static let tables = ["track_text", "album_text", "artist_text"]
  /// Pages of FTS5 that one call writes, and words that it learns.
  private static let pagesAtOnce = 1000
  private static let wordsAtOnce = 5000

  /// `table`: counted from 1 once its segments were told to become one.
  private func merge(_ table: Int) throws(StoreError) -> Step {
    let name = Self.tables[table / 2]
    if table % 2 == 0 {
      try connection.execute("INSERT INTO \(name) (\(name), rank) VALUES ('merge', -\(Self.pagesAtOnce))")
      return .merging(table + 1)
    }
    let before = connection.totalChanges
    try connection.execute("INSERT INTO \(name) (\(name), rank) VALUES ('merge', \(Self.pagesAtOnce))")
    // FTS5: fewer than two changes, nothing was left to do.
    if connection.totalChanges - before >= 2 { return .merging(table) }
    return table + 1 < Self.tables.count * 2 ? .merging(table + 1) : .learning("")
  }

  private func learn(_ after: String) throws(StoreError) -> Step {
    if after.isEmpty { try connection.execute("DELETE FROM word; DELETE FROM word_reversed") }
    // First the sounds, which have their mark before them, then what has none. Marks come before all letters.
    let isSound = after < Self.firstWord
    let found = try connection.statement(
      "SELECT term, doc FROM track_word WHERE term > ?1 AND term < ?2 ORDER BY term LIMIT \(Self.wordsAtOnce)")
    found.bind(1, max(after, String(SpellingEdits.soundMark)))
    found.bind(2, isSound ? Self.afterSounds : "\u{10FFFF}")
    defer { found.reset() }
    var last: String?
    while try found.step() {
      guard let text = found.text(0) else { continue }
      last = text
      if SpellingEdits.isLearnt(text) { try learn(text, "REPLACE", found.integer(1) ?? 0) }
    }
    return last.map(Step.learning) ?? (isSound ? .learning(Self.firstWord) : .idle)
  }

  private static let firstWord = " "
  private static let afterSounds = String(Unicode.Scalar(TokenExpander.soundMark + 1))

  /// Words of a few new texts; those that are known keep their counts.
  private func learn(_ words: Set<String>) throws(StoreError) {
    for word in words { try learn(word, "IGNORE", 1) }
  }

  private func learn(_ word: String, _ conflict: StaticString, _ count: Int64) throws(StoreError) {
    for (table, text) in [("word", word), ("word_reversed", SpellingEdits.reversed(word))] {
      let insert = try connection.statement("INSERT OR \(conflict) INTO \(table) (text, count) VALUES (?1, ?2)")
      insert.bind(1, text)
      insert.bind(2, count)
      try insert.run()
    }
  }
}
