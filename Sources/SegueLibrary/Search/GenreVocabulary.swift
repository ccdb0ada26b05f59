// Thread: the connection's.

internal import SegueSQLite

/// The words of the names of all genres. There are few genres, each with very many tracks. For a prefix that is longer
/// than those in the prefix indexes of `SearchSchema`, FTS5 would first collect the ids of all these tracks. It reads
/// the tracks with a complete word incrementally. A prefix is therefore replaced by the words that begin with it.
struct GenreVocabulary {
  /// The version of the file (PRAGMA data_version) to which `names` belongs.
  private var version: Int64 = -1
  /// The words of each name, or nil if there are too many names.
  private var names: [[[UInt8]]]?

  private static let maximumNames = 2_000
  /// If there are more completions than this, searching for the prefix is faster.
  private static let maximumCompletions = 8
  /// The least length of a prefix that is in no prefix index.
  private static let minimumLength = 5

  /// Returns a set of words such that a genre contains one of them if and only if it contains a word that begins with
  /// `word`. Returns nil if there is no such set, or if it is not faster.
  mutating func completions(
    of word: SearchWord, _ connection: SQLiteConnection, _ tokenizer: SearchTokenizer
  ) throws(StoreError) -> [[UInt8]]? {
    let isRun = word.positions.count > 1
    let beginnings = isRun ? word.joined : word.positions[0] + word.joined
    guard !word.isPhrase, word.length >= Self.minimumLength, !beginnings.isEmpty else { return nil }
    try load(connection, tokenizer)
    guard let names else { return nil }
    var completions: Set<[UInt8]> = []
    for words in names {
      let found = words.filter { word in beginnings.contains { word.starts(with: $0) } }
      // The name may have the words one after another, not joined (`Hip Hop` for `hip-hop`).
      if found.isEmpty, isRun, words.contains(where: { word.positions[0].contains($0) }) { return nil }
      if let first = found.first { completions.insert(first) }
    }
    guard (1...Self.maximumCompletions).contains(completions.count) else { return nil }
    return completions.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private mutating func load(_ connection: SQLiteConnection, _ tokenizer: SearchTokenizer) throws(StoreError) {
    let version = try connection.integer("PRAGMA data_version")
    guard version != self.version else { return }
    self.version = version
    names = nil
    let rows = try connection.statement("SELECT name FROM genre LIMIT \(Self.maximumNames + 1)")
    defer { rows.reset() }
    var names: [[[UInt8]]] = []
    while try rows.step() {
      guard names.count < Self.maximumNames else { return }
      rows.withText(0) { text in
        guard let text else { return }
        var words: [[UInt8]] = []
        _ = tokenizer.tokens(of: text.bindMemory(to: UInt8.self), for: .indexing).forEachToken { word, kind in
          if kind != .wholeLine { words.append(Array(word)) }
          return 0
        }
        names.append(words)
      }
    }
    self.names = names
  }
}
