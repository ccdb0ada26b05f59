internal import SegueSQLite

/// The columns of a row of the table `part` that grouping needs.
struct AlbumFragmentRow {
  let id: Int64
  let folder: Int64
  let titleFold: String
  let artistFold: String
  let album: Int64?
  let groupKey: String?
  let release: String?
  let year: Int64
  let trackCount: Int64
  let listKey: [UInt8]?
  let artistKey: [UInt8]

  /// The separator of the folded names in `artistFold`, if there are several.
  static let artistSeparator = ", "

  private static let columns =
    "id, folder, title_fold, artist_fold, album, kin, release, year, track_count, list_key, artist_key"

  /// Returns nil if there is no such row.
  init?(_ id: Int64, _ connection: SQLiteConnection) throws(StoreError) {
    let row = try connection.statement("SELECT \(Self.columns) FROM part WHERE id = ?")
    row.bind(1, id)
    defer { row.reset() }
    guard try row.step() else { return nil }
    self.init(row)
  }

  /// Returns the fragments that may belong to one album, the oldest first.
  static func all(
    withGroupKey groupKey: String, _ connection: SQLiteConnection
  ) throws(StoreError) -> [AlbumFragmentRow] {
    let rows = try connection.statement("SELECT \(columns) FROM part WHERE kin = ? ORDER BY id")
    rows.bind(1, groupKey)
    defer { rows.reset() }
    var fragments: [AlbumFragmentRow] = []
    while try rows.step() { fragments.append(AlbumFragmentRow(rows)) }
    return fragments
  }

  private init(_ row: SQLiteStatement) {
    id = row.integer(0) ?? 0
    folder = row.integer(1) ?? 0
    titleFold = row.text(2) ?? ""
    artistFold = row.text(3) ?? ""
    album = row.integer(4)
    groupKey = row.text(5)
    release = row.text(6)
    year = row.integer(7) ?? 0
    trackCount = row.integer(8) ?? 0
    listKey = row.isNull(9) ? nil : row.blob(9)
    artistKey = row.blob(10)
  }
}
