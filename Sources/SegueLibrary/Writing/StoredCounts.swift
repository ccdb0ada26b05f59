// Thread: "index".

internal import SegueSQLite
internal import SegueSystem

/// The counts of the library as the writer knows them, except how many tracks a search finds. `flush` saves them if
/// they have changed.
final class StoredCounts {
  private let connection: SQLiteConnection
  var current: LibraryCounts
  private var saved: LibraryCounts

  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    current = try LibraryCounts(connection)
    saved = current
  }

  func flush() throws(StoreError) {
    guard current != saved else { return }
    try current.write(connection)
    saved = current
  }
}

extension LibraryCounts {
  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.init()
    tracks = Int(try StoredNumber.read(.tracks, connection))
    albums = Int(try StoredNumber.read(.albums, connection))
    artists = Int(try StoredNumber.read(.artists, connection))
    failed = Int(try StoredNumber.read(.failed, connection))
    setSearchable(
      unindexed: try StoredNumber.read(.lastAddedTrack, connection) - StoredNumber.read(.lastIndexedTrack, connection))
  }

  /// `unindexed`: the number of ids after that of the last indexed track, which some tracks may have left.
  mutating func setSearchable(unindexed: Int64) { searchable = tracks - Int(unindexed).clamped(to: 0...tracks) }

  func write(_ connection: SQLiteConnection) throws(StoreError) {
    try StoredNumber.write(.tracks, Int64(tracks), connection)
    try StoredNumber.write(.albums, Int64(albums), connection)
    try StoredNumber.write(.artists, Int64(artists), connection)
    try StoredNumber.write(.failed, Int64(failed), connection)
  }
}
