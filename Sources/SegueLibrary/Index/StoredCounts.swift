// On the thread "index" only.

/// The counts of the library as the writer knows them. `flush` saves them if they have changed.
final class StoredCounts {
  private let connection: SQLiteConnection
  private(set) var current: LibraryCounts
  private var saved: LibraryCounts

  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    current = try LibraryCounts(connection)
    saved = current
  }

  func addTracks(_ delta: Int) { current.tracks += delta }
  func addAlbums(_ delta: Int) { current.albums += delta }
  func addArtists(_ delta: Int) { current.artists += delta }
  func addFailed(_ delta: Int) { current.failed += delta }

  func flush() throws(StoreError) {
    guard current != saved else { return }
    try current.write(connection)
    saved = current
  }
}
