/// Single numbers that the library keeps.
enum Meta: String {
  case marksAreFresh = "marks_fresh"
  case marksChanged = "marks_changed"
  case tracks, albums, artists, failed
  /// Texts written since the search was settled.
  case unsettled
  /// The last track that the search was told of (`LibraryWriter.searched`), and the last there is.
  case searched, newest
  /// A hash of what the order of the sort keys is called (`LibraryWriter.adopt`); 0 while nobody asked.
  case collation

  /// 0 if there is none.
  static func read(_ name: Meta, _ connection: SQLiteConnection) throws(StoreError) -> Int64 {
    let row = try connection.statement("SELECT value FROM meta WHERE key = ?")
    row.bind(1, name.rawValue)
    defer { row.reset() }
    return try row.step() ? row.integer(0) ?? 0 : 0
  }

  static func write(_ name: Meta, _ value: Int64, _ connection: SQLiteConnection) throws(StoreError) {
    let statement = try connection.statement("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)")
    statement.bind(1, name.rawValue)
    statement.bind(2, value)
    try statement.run()
  }
}

extension LibraryCounts {
  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.init()
    tracks = Int(try Meta.read(.tracks, connection))
    albums = Int(try Meta.read(.albums, connection))
    artists = Int(try Meta.read(.artists, connection))
    failed = Int(try Meta.read(.failed, connection))
    let waiting = try Meta.read(.newest, connection) - Meta.read(.searched, connection)
    searchable = tracks - min(max(Int(waiting), 0), tracks)
  }

  func write(_ connection: SQLiteConnection) throws(StoreError) {
    try Meta.write(.tracks, Int64(tracks), connection)
    try Meta.write(.albums, Int64(albums), connection)
    try Meta.write(.artists, Int64(artists), connection)
    try Meta.write(.failed, Int64(failed), connection)
  }
}
