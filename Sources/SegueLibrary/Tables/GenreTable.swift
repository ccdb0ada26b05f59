// Thread: "index".

internal import SegueSQLite
internal import SegueWorkerProtocol

/// The table of genres. Changes to the numbers of their tracks are added up in memory, and written by `flush`.
final class GenreTable {
  private let context: WriterContext
  /// The ids of genres by folded name.
  private var ids: [String: Int64] = [:]
  /// The genre that was asked for last. Consecutive tracks mostly have the same genre.
  private var lastUsed: (name: String, id: Int64)?
  private var countChanges: [Int64: (tracks: Int64, albums: Int64)] = [:]

  init(_ context: WriterContext) { self.context = context }

  /// Returns the id of a genre, which is inserted if it is missing.
  func findOrInsert(_ name: String) throws(StoreError) -> Int64 {
    if let lastUsed, lastUsed.name == name { return lastUsed.id }
    let id = try findOrInsert(name, NameNormalization.fold(name))
    lastUsed = (name, id)
    return id
  }

  private func findOrInsert(_ name: String, _ fold: String) throws(StoreError) -> Int64 {
    if let id = ids[fold] { return id }
    var id = try context.connection.integer("SELECT id FROM genre WHERE fold = ?", fold)
    if id == 0 {
      try context.connection.statement(
        "INSERT INTO genre (fold, name, track_count, sort_key) VALUES (?, ?, 0, ?)", fold, name,
        SortKeys.provisionalKey(of: name)
      ).run()
      id = context.connection.lastInsertedID
      try context.pendingSortKeys.insert(.genre, id)
    }
    ids[fold] = id
    return id
  }

  func setSortKey(_ id: Int64, _ key: [UInt8]) throws(StoreError) {
    _ = try context.connection.replaceKey("genre", "sort_key", id, with: key)
  }

  /// Adds `delta` to the number of tracks of a genre.
  func countTrack(_ id: Int64, _ delta: Int64) { countChanges[id, default: (0, 0)].tracks += delta }

  /// Adds `delta` to the number of albums of a genre.
  func countAlbum(_ id: Int64, _ delta: Int64) { countChanges[id, default: (0, 0)].albums += delta }

  /// Writes the changed counts. Deletes genres without tracks and albums.
  func flush() throws(StoreError) {
    lastUsed = nil
    let update = try context.connection.statement(
      "UPDATE genre SET track_count = track_count + ?, album_count = album_count + ? WHERE id = ?")
    let delete = try context.connection.statement(
      "DELETE FROM genre WHERE id = ? AND track_count = 0 AND album_count <= 0")
    for (id, change) in countChanges where change != (0, 0) {
      try update.run(change.tracks, change.albums, id)
      guard change.tracks < 0 || change.albums < 0 else { continue }
      try delete.run(id)
      ids = [:]
    }
    countChanges = [:]
    if ids.count > WriterContext.maximumCachedNames { ids = [:] }
  }
}
