// Thread: "index".

internal import SegueSQLite

/// The years of tracks and albums, with their numbers. Changes are added up in memory, and written by `flush`.
final class YearTable {
  private let connection: SQLiteConnection
  private var changes: [Int64: (tracks: Int64, albums: Int64)] = [:]

  init(_ connection: SQLiteConnection) { self.connection = connection }

  /// Adds `delta` to the number of tracks of a year. Year 0 stands for an unknown year, and is not counted.
  func countTrack(_ year: Int64, _ delta: Int64) { if year > 0 { changes[year, default: (0, 0)].tracks += delta } }

  /// Adds `delta` to the number of albums of a year.
  func countAlbum(_ year: Int64, _ delta: Int64) { if year > 0 { changes[year, default: (0, 0)].albums += delta } }

  func flush() throws(StoreError) {
    let add = try connection.statement(
      """
      INSERT INTO year (year, track_count, album_count) VALUES (?1, ?2, ?3)
      ON CONFLICT (year) DO UPDATE SET track_count = track_count + ?2, album_count = album_count + ?3
      """)
    let delete = try connection.statement("DELETE FROM year WHERE year = ? AND track_count <= 0 AND album_count <= 0")
    for (year, change) in changes where change != (0, 0) {
      try add.run(year, change.tracks, change.albums)
      if change.tracks < 0 || change.albums < 0 { try delete.run(year) }
    }
    changes = [:]
  }
}
