internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// Rows of the tables `queue` and `history_entry`. There is a column for each member, which takes a tenth of the time
/// of parsing JSON.
extension SavedEntry {
  private static let columns = """
    id, rank, uri, duration, kind, error, probed, title, artist, artists, album, album_artist, composer, genre, date,
    year, track, track_total, disc, disc_total, art, stream, error_kind, error_template
    """

  static func write(_ entries: [SavedEntry], to connection: SQLiteConnection) throws(StoreError) {
    let insert = try connection.statement(
      "INSERT OR REPLACE INTO queue (\(columns)) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
    for entry in entries {
      entry.bind(to: insert)
      try insert.run()
    }
  }

  /// Writes the entries that a step of the history returns to the queue.
  static func write(
    _ entries: [SavedEntry], ofStep step: UInt64, to connection: SQLiteConnection
  ) throws(StoreError) {
    guard !entries.isEmpty else { return }
    let insert = try connection.statement(
      """
      INSERT OR REPLACE INTO history_entry (\(columns), step) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
      """)
    for entry in entries {
      entry.bind(to: insert)
      insert.bind(25, Int64(bitPattern: step))
      try insert.run()
    }
  }

  /// Returns the entries that a step of the history returns to the queue, in the order of their ranks.
  static func readAll(ofStep step: UInt64, _ connection: SQLiteConnection) throws(StoreError) -> [SavedEntry] {
    let columns = try readableColumns(of: "history_entry", connection)
    return try connection.statement(
      "SELECT \(columns) FROM history_entry WHERE step = ? AND id > 0 ORDER BY rank, id", step
    ).map { SavedEntry($0) }
  }

  /// Returns all rows in the order of their ranks. Rows with an id that is never assigned were not written by Segue,
  /// and are skipped.
  static func readAll(_ connection: SQLiteConnection) throws(StoreError) -> [SavedEntry] {
    var entries: [SavedEntry] = []
    entries.reserveCapacity(Int(try connection.integer("SELECT count(*) FROM queue")))
    let columns = try readableColumns(of: "queue", connection)
    let rows = try connection.statement("SELECT \(columns) FROM queue WHERE id > 0 ORDER BY id")
    defer { rows.reset() }
    var inOrder = true
    while try rows.step() {
      let entry = SavedEntry(rows)
      if let last = entries.last, last.rank > entry.rank { inOrder = false }
      entries.append(entry)
    }
    // The order of the ids is mostly the order of the ranks. The entries need not be sorted then.
    return inOrder ? entries : sortedByRank(entries)
  }

  /// Returns the rows of a damaged file that can be read: those before and those after the damaged part, whose ids are
  /// in `gap`; nil if nothing is missing.
  static func readReadable(_ connection: SQLiteConnection) -> (entries: [SavedEntry], gap: Range<UInt64>?) {
    let (before, failed) = readUntilDamage(connection, "ORDER BY id")
    guard failed else { return (sortedByRank(before), nil) }
    let first = before.last.map { $0.id + 1 } ?? 1
    let after = readUntilDamage(connection, "ORDER BY id DESC").entries.prefix { $0.id >= first }
    let end = after.last?.id ?? UInt64(Int64.max)
    return (sortedByRank(before + after), first..<max(first, end))
  }

  /// Returns rows in an order, and whether reading them failed before the last one.
  private static func readUntilDamage(
    _ connection: SQLiteConnection, _ order: String
  ) -> (entries: [SavedEntry], failed: Bool) {
    var entries: [SavedEntry] = []
    do throws(StoreError) {
      let columns = try readableColumns(of: "queue", connection)
      let rows = try connection.statement("SELECT \(columns) FROM queue WHERE id > 0 \(order)")
      defer { rows.reset() }
      while try rows.step() { entries.append(SavedEntry(rows)) }
      return (entries, false)
    } catch {
      return (entries, true)
    }
  }

  static func sortedByRank(_ entries: [SavedEntry]) -> [SavedEntry] {
    entries.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
  }

  /// Returns the columns of a table, and NULL instead of those that it does not have: a file of an earlier version that
  /// is not writable is not migrated.
  private static func readableColumns(
    of table: String, _ connection: SQLiteConnection
  ) throws(StoreError) -> String {
    var columns = columns
    for column in ["error_kind", "error_template"]
    where try connection.integer("SELECT count(*) FROM pragma_table_info('\(table)') WHERE name = '\(column)'") == 0 {
      columns = columns.replacing(column, with: "NULL")
    }
    return columns
  }

  private func bind(to row: SQLiteStatement) {
    row.bind(1, Int64(bitPattern: id))
    row.bind(2, rank)
    row.bind(3, uri)
    row.bind(4, duration?.nanoseconds)
    row.bind(5, durationKind?.rawValue)
    row.bind(6, failure?.message)
    row.bind(7, probed ? 1 : 0)
    row.bind(8, metadata.title)
    row.bind(9, metadata.artist)
    row.bind(10, TextList.text(of: metadata.artists))
    row.bind(11, metadata.album)
    row.bind(12, metadata.albumArtist)
    row.bind(13, metadata.composer)
    row.bind(14, TextList.text(of: metadata.genre))
    row.bind(15, metadata.date)
    row.bind(16, metadata.year.map(Int64.init))
    row.bind(17, metadata.track.map(Int64.init))
    row.bind(18, metadata.trackTotal.map(Int64.init))
    row.bind(19, metadata.disc.map(Int64.init))
    row.bind(20, metadata.discTotal.map(Int64.init))
    row.bind(21, metadata.art)
    row.bind(22, metadata.stream)
    row.bind(23, failure?.kind.rawValue)
    row.bind(24, failure?.localizableMessage.savedTemplate)
  }

  private init(_ row: SQLiteStatement) {
    var metadata = Metadata()
    metadata.title = row.text(7)
    metadata.artist = row.text(8)
    metadata.artists = row.text(9).map(TextList.values) ?? []
    metadata.album = row.text(10)
    metadata.albumArtist = row.text(11)
    metadata.composer = row.text(12)
    metadata.genre = row.text(13).map(TextList.values) ?? []
    metadata.date = row.text(14)
    metadata.year = row.integer(15).map(Int.init)
    metadata.track = row.integer(16).map(Int.init)
    metadata.trackTotal = row.integer(17).map(Int.init)
    metadata.disc = row.integer(18).map(Int.init)
    metadata.discTotal = row.integer(19).map(Int.init)
    metadata.art = row.text(20)
    metadata.stream = row.text(21)
    self.init(
      id: UInt64(bitPattern: row.integer(0) ?? 0), rank: row.integer(1) ?? 0, uri: row.text(2) ?? "",
      duration: row.integer(3).map(MediaTime.init(nanoseconds:)),
      durationKind: row.text(4).flatMap(DurationKind.init), metadata: metadata, failure: Self.failure(row),
      probed: row.integer(6) == 1)
  }

  /// Returns the failure of a row. Earlier versions wrote a message without a kind, or without a template.
  private static func failure(_ row: SQLiteStatement) -> Failure? {
    row.text(5).map { text in
      Failure(row.text(22).flatMap(Failure.Kind.init) ?? .unplayable, .saved(text, row.text(23)))
    }
  }
}
