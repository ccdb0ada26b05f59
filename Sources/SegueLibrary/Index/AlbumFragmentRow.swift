/// What finishing a scan needs of a row of the table `part`.
struct AlbumFragmentRow {
  var id: Int64
  var folder: Int64
  var titleFold: String
  var artistFold: String
  var album: Int64?
  var kin: String?
  var release: String?
  var year: Int64
  var trackCount: Int64
  var listKey: [UInt8]?
  var artistKey: [UInt8]

  private static let columns =
    "id, folder, title_fold, artist_fold, album, kin, release, year, track_count, list_key, artist_key"

  /// nil if there is none.
  init?(_ id: Int64, _ connection: SQLiteConnection) throws(StoreError) {
    let row = try connection.statement("SELECT \(Self.columns) FROM part WHERE id = ?")
    row.bind(1, id)
    defer { row.reset() }
    guard try row.step() else { return nil }
    self.init(row)
  }

  /// Those that may be one album, the oldest first.
  static func all(ofKin kin: String, _ connection: SQLiteConnection) throws(StoreError) -> [AlbumFragmentRow] {
    let rows = try connection.statement("SELECT \(columns) FROM part WHERE kin = ? ORDER BY id")
    rows.bind(1, kin)
    defer { rows.reset() }
    var parts: [AlbumFragmentRow] = []
    while try rows.step() { parts.append(AlbumFragmentRow(rows)) }
    return parts
  }

  private init(_ row: SQLiteStatement) {
    id = row.integer(0) ?? 0
    folder = row.integer(1) ?? 0
    titleFold = row.text(2) ?? ""
    artistFold = row.text(3) ?? ""
    album = row.integer(4)
    kin = row.text(5)
    release = row.text(6)
    year = row.integer(7) ?? 0
    trackCount = row.integer(8) ?? 0
    listKey = row.isNull(9) ? nil : row.blob(9)
    artistKey = row.blob(10)
  }
}
