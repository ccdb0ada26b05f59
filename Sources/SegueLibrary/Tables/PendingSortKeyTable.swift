// Thread: "index".

internal import SegueSQLite
internal import SegueSystem
public import SegueWorkerProtocol

/// A text of the index that has no sort key yet, or whose sort key belongs to an outdated order.
public struct PendingSortKey: Sendable {
  /// The values are those of the column `kind` of the table `unsorted`.
  enum Kind: Int64, Sendable {
    case track = 1
    case artist, album, albumArtist, genre, tagValue
  }

  /// The row that the text belongs to.
  enum Row: Sendable {
    /// The id of a row. The texts of an album belong to an album fragment.
    case item(Kind, Int64)
    /// The URI of a favorite that the index does not have.
    case favorite(String)
  }

  var row: Row
  public var text: CollationInput
}

/// The table of texts whose sort keys are still to be computed.
///
/// Workers compute sort keys. The facts of a file contain the keys of its texts. All other texts (the tracks of cue
/// sheets, genres) are in this table until a worker has computed their keys, and so are all texts after the order has
/// changed. The titles of favorites are not in the table: those without a key have none in their own row.
struct PendingSortKeyTable {
  let connection: SQLiteConnection

  func insert(_ kind: PendingSortKey.Kind, _ id: Int64) throws(StoreError) {
    try connection.statement("INSERT OR IGNORE INTO unsorted (kind, id) VALUES (?, ?)", kind.rawValue, id).run()
  }

  /// Inserts the texts of all rows.
  func insertAll() throws(StoreError) {
    for (kind, table) in [
      (PendingSortKey.Kind.track, "track"), (.artist, "artist"), (.album, "part"), (.albumArtist, "part"),
      (.genre, "genre"), (.tagValue, "tag_value"),
    ] {
      try connection.execute("INSERT OR IGNORE INTO unsorted (kind, id) SELECT \(kind.rawValue), id FROM \(table)")
    }
    try connection.execute("UPDATE favorite SET title_key = NULL WHERE title IS NOT NULL")
  }

  func remove(_ kind: PendingSortKey.Kind, _ id: Int64) throws(StoreError) {
    try connection.statement("DELETE FROM unsorted WHERE kind = ? AND id = ?", kind.rawValue, id).run()
  }

  /// Returns at most `limit` texts, or none if there are no more.
  func texts(limit: Int) throws(StoreError) -> [PendingSortKey] {
    var texts: [PendingSortKey] = []
    while texts.isEmpty {
      let found = try connection.statement("SELECT kind, id FROM unsorted LIMIT ?", limit).map { row in
        row.integer(0).flatMap(PendingSortKey.Kind.init).map { (kind: $0, id: row.integer(1) ?? 0) }
      }.compactMap(\.self)
      if found.isEmpty { break }
      for (kind, id) in found {
        if let text = try text(kind, id), !text.text.isEmpty {
          texts.append(PendingSortKey(row: .item(kind, id), text: text))
        } else {
          try remove(kind, id)
        }
      }
    }
    return texts.isEmpty ? try favoriteTitles(limit: limit) : texts
  }

  private func favoriteTitles(limit: Int) throws(StoreError) -> [PendingSortKey] {
    try connection.statement(
      "SELECT uri, title FROM favorite WHERE title <> '' AND title_key IS NULL LIMIT ?", limit
    ).map { PendingSortKey(row: .favorite($0.text(0) ?? ""), text: CollationInput($0.text(1) ?? "")) }
  }

  /// Returns the text by which a row is sorted: the sort name that a file gives, or else the name. Returns nil if the
  /// row does not exist.
  private func text(_ kind: PendingSortKey.Kind, _ id: Int64) throws(StoreError) -> CollationInput? {
    let sql =
      switch kind {
      case .track: "SELECT title, details, name FROM track WHERE id = ?1"
      case .artist: "SELECT name FROM artist WHERE id = ?1"
      case .album:
        """
        SELECT title, (SELECT details FROM track WHERE part = ?1 ORDER BY place, id LIMIT 1) FROM part
        WHERE id = ?1 AND title_fold <> ''
        """
      case .albumArtist:
        """
        SELECT t.album_artist, t.details FROM part p JOIN track t ON t.part = p.id
        WHERE p.id = ?1 AND p.artist_fold NOT IN ('', '\(NameNormalization.various)') ORDER BY t.place, t.id LIMIT 1
        """
      case .genre: "SELECT name FROM genre WHERE id = ?1"
      case .tagValue:
        "SELECT v.name, a.id FROM tag_value v LEFT JOIN artist a ON v.tag <> 4 AND a.fold = v.fold WHERE v.id = ?1"
      }
    let row = try connection.statement(sql, id)
    defer { row.reset() }
    guard try row.step() else { return nil }
    let text = row.text(0)
    switch kind {
    case .track:
      let tags = TrackDetails(text: row.text(1)).tags
      return CollationInput(text ?? FilePath(bytes: row.blob(2)).stem, sortName: tags.titleSort)
    case .artist: return CollationInput(text ?? "", sortName: try sortName(ofArtist: id, text ?? ""))
    case .album: return CollationInput(text ?? "", sortName: TrackDetails(text: row.text(1)).tags.albumSort)
    case .albumArtist: return CollationInput(text ?? "", sortName: TrackDetails(text: row.text(1)).tags.albumArtistSort)
    case .genre: return CollationInput(text ?? "")
    case .tagValue:
      let artist = row.integer(1)
      return CollationInput(
        text ?? "",
        sortName: try artist.flatMap { artist throws(StoreError) in try sortName(ofArtist: artist, text ?? "") })
    }
  }

  /// Returns the sort name that one of the tracks of an artist gives. Reads a few tracks at most.
  private func sortName(ofArtist id: Int64, _ name: String) throws(StoreError) -> String? {
    let rows = try connection.statement(
      """
      SELECT t.artist, t.album_artist, t.details FROM track_artist x JOIN track t ON t.id = x.track
      WHERE x.artist = ? AND t.details IS NOT NULL LIMIT 8
      """, id)
    defer { rows.reset() }
    let fold = NameNormalization.fold(name)
    while try rows.step() {
      let tags = TrackDetails(text: rows.text(2)).tags
      for (written, sortName) in [(rows.text(0), tags.artistSort), (rows.text(1), tags.albumArtistSort)] {
        if let sortName, let written, NameNormalization.fold(written) == fold { return sortName }
      }
    }
    return nil
  }
}

extension SQLiteConnection {
  /// Replaces the sort key in `column` of a row. Returns the previous key, or nil if nothing has changed: the key is
  /// the same, or there is no such row.
  func replaceKey(
    _ table: String, _ column: String, _ id: Int64, with key: [UInt8]
  ) throws(StoreError) -> [UInt8]? {
    let old = try statement("SELECT \(column) FROM \(table) WHERE id = ?", id).first { $0.blob(0) }
    guard let old, old != key else { return nil }
    try statement("UPDATE \(table) SET \(column) = ? WHERE id = ?", key, id).run()
    return old
  }
}

extension SortKeys {
  /// Returns the key of a text for which no worker has computed a key. Such texts follow all others, ordered by their
  /// characters.
  static func provisionalKey(of text: String) -> [UInt8] {
    [provisionalMark] + Array(NameNormalization.fold(text).utf8.prefix(maximumKeySize - 1))
  }

  /// Whether `key` was made by `provisionalKey`.
  static func isProvisional(_ key: [UInt8]) -> Bool { key.first == provisionalMark }

  /// Greater than the first byte of every key that ICU makes. ICU reserves 0xFE and 0xFF.
  private static let provisionalMark: UInt8 = 0xFE
}
