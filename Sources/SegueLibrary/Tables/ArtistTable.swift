// Thread: "index".

internal import SegueSQLite
internal import SegueWorkerProtocol

/// The table of artists. Changes to the numbers of their tracks are added up in memory, and written by `flush`.
final class ArtistTable {
  private struct CountChange {
    var tracks: Int64 = 0
    /// The tracks that are sorted by this artist.
    var mainTracks: Int64 = 0
  }

  private let context: WriterContext
  /// The ids of artists by folded name.
  private var ids: [String: Int64] = [:]
  private var countChanges: [Int64: CountChange] = [:]

  init(_ context: WriterContext) { self.context = context }

  // MARK: Rows

  /// Returns the id of an artist, which is inserted if it is missing.
  ///
  /// - Parameters:
  ///   - key: The sort key, which is empty if it is unknown.
  ///   - isGiven: Whether the file says how to sort the artist. Such a key replaces a different one.
  func findOrInsert(_ name: String, key: [UInt8], isGiven: Bool = false) throws(StoreError) -> Int64 {
    let fold = NameNormalization.fold(name)
    if let id = ids[fold], !isGiven { return id }
    let find = try context.connection.statement("SELECT id, sort_key FROM artist WHERE fold = ?", fold)
    let id: Int64
    if let known = try find.first({ (id: $0.integer(0) ?? 0, key: $0.blob(1)) }) {
      id = known.id
      if !key.isEmpty, key != known.key, isGiven || SortKeys.isProvisional(known.key) { try setSortKey(id, key) }
    } else {
      try context.connection.statement(
        "INSERT INTO artist VALUES (NULL, ?, ?, ?, 0, 0, 0)", fold, name,
        key.isEmpty ? SortKeys.provisionalKey(of: name) : key
      ).run()
      id = context.connection.lastInsertedID
      if key.isEmpty { try context.pendingSortKeys.insert(.artist, id) }
    }
    ids[fold] = id
    return id
  }

  /// Returns the id of an artist, or 0 if there is none of this name.
  func id(of name: String) throws(StoreError) -> Int64 {
    let fold = NameNormalization.fold(name)
    if let id = ids[fold] { return id }
    return try context.connection.integer("SELECT id FROM artist WHERE fold = ?", fold)
  }

  /// Returns the sort key of an artist by folded name, or nil if there is no such artist.
  func sortKey(ofFold fold: String) throws(StoreError) -> [UInt8]? {
    try context.connection.statement("SELECT sort_key FROM artist WHERE fold = ?", fold).first { $0.blob(0) }
  }

  func setSortKey(_ id: Int64, _ key: [UInt8]) throws(StoreError) {
    guard let old = try context.connection.replaceKey("artist", "sort_key", id, with: key) else { return }
    let find = try context.connection.statement("SELECT track_count, main_count FROM artist WHERE id = ?", id)
    guard let (tracks, mainTracks) = try find.first({ ($0.integer(0) ?? 0, $0.integer(1) ?? 0) }) else { return }
    for (key, sign) in [(old, Int64(-1)), (key, 1)] {
      context.checkpoints.record(.tracksByArtist, .bytes(key), id, sign * mainTracks)
      context.checkpoints.record(.artistsByName, .bytes(key), id, tracks > 0 ? sign : 0)
    }
  }

  /// Counts the albums of an artist anew.
  func updateAlbumCount(_ id: Int64) throws(StoreError) {
    try context.connection.statement(
      """
      UPDATE artist SET album_count = (
        SELECT count(DISTINCT p.album) FROM part_artist a JOIN part p ON p.id = a.part
        WHERE a.artist = ?1 AND p.album IS NOT NULL
      ) WHERE id = ?1
      """, id
    ).run()
  }

  private func remove(_ id: Int64, _ name: String) throws(StoreError) {
    guard try !context.userData.isFavorite(.artist, id) else { return }
    try context.connection.statement("DELETE FROM artist WHERE id = ?", id).run()
    ids[NameNormalization.fold(name)] = nil
  }

  // MARK: Counts

  /// Adds `delta` to the number of tracks of an artist; `isMain` if the track is sorted by this artist.
  func countTrack(_ id: Int64, isMain: Bool, _ delta: Int64) {
    // Artist 0 stands for the tracks without an artist and has no visible count.
    if id != 0 { countChanges[id, default: CountChange()].tracks += delta }
    if isMain { countChanges[id, default: CountChange()].mainTracks += delta }
  }

  /// Writes the changed counts. An artist becomes visible with the first track, and is removed with the last track
  /// unless it is a favorite.
  func flush() throws(StoreError) {
    defer { if ids.count > WriterContext.maximumCachedNames { ids = [:] } }
    guard !countChanges.isEmpty else { return }
    let find = try context.connection.statement(
      "SELECT name, sort_key, track_count, main_count FROM artist WHERE id = ?")
    let update = try context.connection.statement("UPDATE artist SET track_count = ?, main_count = ? WHERE id = ?")
    for (id, change) in countChanges where change.tracks != 0 || change.mainTracks != 0 {
      find.bind(1, id)
      defer { find.reset() }
      guard try find.step() else { continue }
      let (name, key) = (find.text(0) ?? "", find.blob(1))
      let (oldTracks, oldMainTracks) = (find.integer(2) ?? 0, find.integer(3) ?? 0)
      let (tracks, mainTracks) = (oldTracks + change.tracks, oldMainTracks + change.mainTracks)
      try update.run(tracks, mainTracks, id)
      context.checkpoints.record(.tracksByArtist, .bytes(key), id, change.mainTracks)
      let visible = (tracks > 0 ? 1 : 0) - (oldTracks > 0 ? 1 : 0)
      guard visible != 0 else { continue }
      context.counts.current.artists += visible
      context.checkpoints.record(.artistsByName, .bytes(key), id, Int64(visible))
      context.search.replace(artist: id, visible > 0 ? nil : name, with: visible > 0 ? name : nil)
      if visible < 0, mainTracks == 0 { try remove(id, name) }
    }
    countChanges = [:]
  }
}
