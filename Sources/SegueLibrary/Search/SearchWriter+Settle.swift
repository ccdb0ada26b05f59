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
    // A few changes in many texts are merged by FTS5 as it goes, and what is mistyped has been there before.
    if work.step == .idle, work.changes * 20 > work.texts {
      work.texts += work.changes
      work.changes = 0
      work.step = .merging(0)
    }
    switch work.step {
    case .idle: break
    case .merging(let table): work.step = try merge(table)
    case .learning(let after): work.step = try learn(after)
    }
    try work.save(connection)
    return work.step != .idle
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
    // Marks come before all letters.
    let found = try connection.statement(
      "SELECT term, doc FROM track_word WHERE term > ?1 ORDER BY term LIMIT \(Self.wordsAtOnce)")
    found.bind(1, max(after, " "))
    defer { found.reset() }
    let word = try connection.statement("INSERT OR REPLACE INTO word (text, count) VALUES (?1, ?2)")
    let reversed = try connection.statement("INSERT OR REPLACE INTO word_reversed (text, count) VALUES (?1, ?2)")
    var last: String?
    while try found.step() {
      guard let text = found.text(0) else { continue }
      last = text
      guard MistypedWord.isLearnt(text) else { continue }
      for (statement, text) in [(word, text), (reversed, MistypedWord.reversed(text))] {
        statement.bind(1, text)
        statement.bind(2, found.integer(1))
        try statement.run()
      }
    }
    return last.map(Step.learning) ?? .idle
  }
}
