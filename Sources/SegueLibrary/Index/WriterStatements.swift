/// The statements that run for every track, prepared once.
struct WriterStatements {
  let tracksOfFile: SQLiteStatement
  let moved: SQLiteStatement
  let readTrack: SQLiteStatement
  let writeTrack: SQLiteStatement
  let deleteTrack: SQLiteStatement
  let addArtist: SQLiteStatement
  let removeArtist: SQLiteStatement
  let addGenre: SQLiteStatement
  let removeGenre: SQLiteStatement
  let addStale: SQLiteStatement

  init(_ connection: SQLiteConnection) throws(StoreError) {
    tracksOfFile = try connection.statement("SELECT id, range_start FROM track WHERE folder = ? AND name = ?")
    moved = try connection.statement(
      """
      SELECT DISTINCT t.folder, t.name, f.path FROM track t JOIN folder f ON f.id = t.folder
      WHERE t.inode = ? AND t.device = ? AND t.size = ? AND t.modified = ?
      """)
    readTrack = try connection.statement("SELECT \(TrackRow.columns) FROM track WHERE id = ?")
    writeTrack = try connection.statement(TrackRow.write)
    deleteTrack = try connection.statement("DELETE FROM track WHERE id = ?")
    addArtist = try connection.statement(
      "INSERT OR IGNORE INTO track_artist (artist, main, part, place, track) VALUES (?, ?, ?, ?, ?)")
    removeArtist = try connection.statement(
      "DELETE FROM track_artist WHERE artist = ? AND main = ? AND part = ? AND place = ? AND track = ?")
    addGenre = try connection.statement("INSERT OR IGNORE INTO track_genre (genre, track) VALUES (?, ?)")
    removeGenre = try connection.statement("DELETE FROM track_genre WHERE genre = ? AND track = ?")
    addStale = try connection.statement("INSERT OR IGNORE INTO stale (part) VALUES (?)")
  }
}
