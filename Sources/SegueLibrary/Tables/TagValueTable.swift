// Thread: "index".

internal import SegueSQLite
internal import SegueWire
internal import SegueWorkerProtocol

/// The values of the tags by which the library is browsed, with the tracks and albums that have them. Changes to the
/// numbers of tracks and albums are added up in memory, and written by `flush`.
final class TagValueTable {
  private struct CountChange {
    var tracks: Int64 = 0
    var albums: Int64 = 0
  }

  private struct Name: Hashable {
    var tag: LibraryTag
    var fold: String
  }

  private struct Link: Hashable {
    var value: Int64
    var track: Int64
  }

  private let context: WriterContext
  private let artists: ArtistTable
  private var ids: [Name: Int64] = [:]
  private var countChanges: [Int64: CountChange] = [:]

  init(_ context: WriterContext, _ artists: ArtistTable) { (self.context, self.artists) = (context, artists) }

  // MARK: Values

  /// Returns the id of a value, which is inserted if it is missing.
  private func findOrInsert(_ tag: LibraryTag, _ name: String) throws(StoreError) -> Int64 {
    let key = Name(tag: tag, fold: NameNormalization.fold(name))
    if let id = ids[key] { return id }
    var id = try context.connection.integer(
      "SELECT id FROM tag_value WHERE tag = ? AND fold = ?", tag.number, key.fold)
    if id == 0 {
      // Most album artists and many composers are artists, too.
      let known = tag == .work ? nil : try artists.sortKey(ofFold: key.fold)
      let sortKey = known ?? SortKeys.provisionalKey(of: name)
      try context.connection.statement(
        "INSERT INTO tag_value (tag, fold, name, sort_key, track_count, album_count) VALUES (?, ?, ?, ?, 0, 0)",
        tag.number, key.fold, name, sortKey
      ).run()
      id = context.connection.lastInsertedID
      if SortKeys.isProvisional(sortKey) { try context.pendingSortKeys.insert(.tagValue, id) }
    }
    ids[key] = id
    return id
  }

  func setSortKey(_ id: Int64, _ key: [UInt8]) throws(StoreError) {
    _ = try context.connection.replaceKey("tag_value", "sort_key", id, with: key)
  }

  // MARK: Tracks and albums

  /// Sets the values of the tracks of an album fragment. `credits` are those of tracks that have any, by their ids.
  func setCredits(
    _ credits: [(track: Int64, credits: TrackCredits)], ofFragment fragment: Int64
  ) throws(StoreError) {
    let rows = try context.connection.statement("SELECT value, track FROM track_value WHERE part = ?", fragment)
    let present = Set(try rows.map { Link(value: $0.integer(0) ?? 0, track: $0.integer(1) ?? 0) })
    if present.isEmpty, credits.isEmpty { return }
    var wanted: Set<Link> = []
    for (track, credits) in credits {
      for tag in LibraryTag.ofTracks {
        for name in credits.names(tag) { wanted.insert(Link(value: try findOrInsert(tag, name), track: track)) }
      }
    }
    for (sql, links, delta) in [
      ("INSERT INTO track_value (value, track, part) VALUES (?, ?, ?)", wanted.subtracting(present), Int64(1)),
      ("DELETE FROM track_value WHERE value = ? AND track = ? AND part = ?", present.subtracting(wanted), -1),
    ] {
      let statement = try context.connection.statement(sql)
      for link in links {
        try statement.run(link.value, link.track, fragment)
        countChanges[link.value, default: CountChange()].tracks += delta
      }
    }
  }

  /// Returns the names of the values of the tracks of an album, by tag. The fragments of the album are up to date.
  func credits(ofAlbum id: Int64) throws(StoreError) -> [LibraryTag: [String]] {
    let rows = try context.connection.statement(
      """
      SELECT DISTINCT t.tag, t.name, t.fold FROM part p JOIN track_value v ON v.part = p.id
        JOIN tag_value t ON t.id = v.value
      WHERE p.album = ? ORDER BY t.tag, t.fold
      """, id)
    defer { rows.reset() }
    var names: [LibraryTag: [String]] = [:]
    while try rows.step() {
      guard let tag = rows.integer(0).flatMap(LibraryTag.init(number:)) else { continue }
      names[tag, default: []].append(rows.text(1) ?? "")
    }
    return names
  }

  /// Sets the values of an album, whose number of tracks changes from `oldCount` to `newCount`.
  func setValues(
    _ names: [LibraryTag: [String]], ofAlbum album: Int64, _ oldCount: Int64, _ newCount: Int64
  ) throws(StoreError) {
    let rows = try context.connection.statement("SELECT value FROM album_value WHERE album = ?", album)
    let present = Set(try rows.integers())
    var wanted: Set<Int64> = []
    var albumArtists: Set<Int64> = []
    for (tag, names) in names {
      for name in names {
        let id = try findOrInsert(tag, name)
        wanted.insert(id)
        if tag == .albumArtist { albumArtists.insert(id) }
      }
    }
    if present == wanted, oldCount == newCount { return }
    let insert = try context.connection.statement("INSERT INTO album_value (album, value) VALUES (?, ?)")
    for id in wanted.subtracting(present) {
      try insert.run(album, id)
      countChanges[id, default: CountChange()].albums += 1
    }
    let delete = try context.connection.statement("DELETE FROM album_value WHERE album = ? AND value = ?")
    for id in present.subtracting(wanted) {
      try delete.run(album, id)
      countChanges[id, default: CountChange()].albums -= 1
    }
    // The tracks of an album artist are those of the albums. Those of other values are counted one by one.
    for id in wanted where albumArtists.contains(id) {
      countChanges[id, default: CountChange()].tracks += newCount - (present.contains(id) ? oldCount : 0)
    }
    for id in present.subtracting(wanted) {
      if try isAlbumArtist(id) { countChanges[id, default: CountChange()].tracks -= oldCount }
    }
  }

  private func isAlbumArtist(_ id: Int64) throws(StoreError) -> Bool {
    try context.connection.integer("SELECT tag FROM tag_value WHERE id = ?", id) == LibraryTag.albumArtist.number
  }

  /// Writes the changed counts. Deletes values without tracks and albums.
  func flush() throws(StoreError) {
    let update = try context.connection.statement(
      "UPDATE tag_value SET track_count = track_count + ?, album_count = album_count + ? WHERE id = ?")
    let delete = try context.connection.statement(
      "DELETE FROM tag_value WHERE id = ? AND track_count <= 0 AND album_count <= 0")
    for (id, change) in countChanges where change.tracks != 0 || change.albums != 0 {
      try update.run(change.tracks, change.albums, id)
      guard change.tracks < 0 || change.albums < 0 else { continue }
      try delete.run(id)
      if context.connection.changedRowCount > 0 { ids = [:] }
    }
    countChanges = [:]
    if ids.count > WriterContext.maximumCachedNames { ids = [:] }
  }
}

extension LibraryTag {
  /// The tags whose values are stored for each track.
  static let ofTracks: [LibraryTag] = [.composer, .conductor, .work]

  /// The number of the tag in the table `tag_value`; nil for tags with tables of their own.
  var number: Int64? {
    switch self {
    case .albumArtist: 1
    case .composer: 2
    case .conductor: 3
    case .work: 4
    case .genre, .year, .decade: nil
    }
  }

  init?(number: Int64) {
    guard let tag = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = tag
  }
}
