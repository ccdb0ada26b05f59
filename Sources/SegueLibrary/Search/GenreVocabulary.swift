// On the thread of its connection only.

/// The words of the names of all genres, of which there are few and each in very many tracks: where somebody asks for
/// what begins with one of more letters than `SearchSchema`'s prefix indexes have, FTS5 would put the numbers of all
/// those tracks together first; whole words it reads as it goes.
struct GenreVocabulary {
  /// Of the file, as PRAGMA data_version tells.
  private var version: Int64 = -1
  /// For each name its words, without whole lines; nil if there are too many names.
  private var names: [[[UInt8]]]?

  private static let mostNames = 2_000
  /// Of more than so many words it is faster to ask for what they begin with.
  private static let most = 8
  /// No prefix index has words of so many letters.
  private static let shortest = 5

  /// The words that are in all names, and in no others, that `word`, unfinished, is in; nil if they are not to be had, or
  /// nothing is gained by them.
  mutating func completions(
    of word: SearchWord, _ connection: SQLiteConnection, _ tokenizer: SearchTokenizer
  ) throws(StoreError) -> [[UInt8]]? {
    let isRun = word.places.count > 1
    let beginnings = isRun ? word.joined : word.places[0] + word.joined
    guard !word.isPhrase, word.length >= Self.shortest, !beginnings.isEmpty else { return nil }
    try load(connection, tokenizer)
    guard let names else { return nil }
    var completions: Set<[UInt8]> = []
    for words in names {
      let found = words.filter { word in beginnings.contains { word.starts(with: $0) } }
      // A run may stand there as words of their own.
      if found.isEmpty, isRun, words.contains(where: { word.places[0].contains($0) }) { return nil }
      if let first = found.first { completions.insert(first) }
    }
    guard (1...Self.most).contains(completions.count) else { return nil }
    return completions.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private mutating func load(_ connection: SQLiteConnection, _ tokenizer: SearchTokenizer) throws(StoreError) {
    let version = try connection.integer("PRAGMA data_version")
    guard version != self.version else { return }
    self.version = version
    names = nil
    let rows = try connection.statement("SELECT name FROM genre LIMIT \(Self.mostNames + 1)")
    defer { rows.reset() }
    var names: [[[UInt8]]] = []
    while try rows.step() {
      guard names.count < Self.mostNames else { return }
      rows.withText(0) { text in
        guard let text else { return }
        var words: [[UInt8]] = []
        _ = tokenizer.words(of: text.bindMemory(to: UInt8.self), for: .keeping).withWords { word, kind in
          if kind != .whole { words.append(Array(word)) }
          return 0
        }
        names.append(words)
      }
    }
    self.names = names
  }
}
