// Thread: "index".

internal import SegueFiles
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The table of tracks. Writing or removing a track also updates the rows, counts and checkpoints that depend on it.
final class TrackTable {
  private let context: WriterContext
  private let folders: FolderTable
  private let artists: ArtistTable
  private let genres: GenreTable
  private let years: YearTable
  private let fragments: AlbumFragmentTable
  private let statements: Statements
  /// The artists of the previous track; nil at the start of a batch.
  private var previousArtists: (tags: ArtistTags, ids: [Int64])?

  init(
    _ context: WriterContext, _ folders: FolderTable, _ artists: ArtistTable, _ genres: GenreTable,
    _ years: YearTable, _ fragments: AlbumFragmentTable
  ) throws(StoreError) {
    self.context = context
    self.folders = folders
    self.artists = artists
    self.genres = genres
    self.years = years
    self.fragments = fragments
    statements = try Statements(context.connection)
  }

  /// Forgets the artists of the previous track. Called at the end of every change.
  func flush() { previousArtists = nil }

  // MARK: Reading

  func row(_ id: Int64) throws(StoreError) -> TrackRow? {
    let find = statements.read
    find.bind(1, id)
    return try find.first { TrackRow($0) }
  }

  func ids(in folder: Int64) throws(StoreError) -> [Int64] {
    try context.connection.statement("SELECT id FROM track WHERE folder = ?", folder).integers()
  }

  /// Returns the tracks of a file: their ids, and the frame at which each begins (-1 for the track of a whole file).
  func tracks(_ folder: Int64, _ name: [UInt8]) throws(StoreError) -> [(id: Int64, start: Int64)] {
    let find = statements.ofFile
    find.bind(1, folder)
    find.bind(2, blob: name)
    return try find.map { ($0.integer(0) ?? 0, $0.integer(1) ?? -1) }
  }

  /// Returns a file that has this stamp and whose path satisfies `condition`, or nil if there is none.
  func file(
    _ stamp: FileStamp, where condition: (FilePath) -> Bool
  ) throws(StoreError) -> (folder: Int64, name: [UInt8])? {
    let find = statements.withStamp
    find.bind(1, Int64(bitPattern: stamp.inode))
    find.bind(2, Int64(bitPattern: stamp.device))
    find.bind(3, stamp.size)
    find.bind(4, stamp.modified)
    defer { find.reset() }
    while try find.step() {
      let (folder, name) = (find.integer(0) ?? 0, find.blob(1))
      if condition(FilePath(bytes: find.blob(2)).appending(name)) { return (folder, name) }
    }
    return nil
  }

  /// Returns tracks that were added after a time and may be copies of `track`.
  func candidates(
    _ identity: TrackIdentity, of track: MovableTrack, addedAfter time: UnixTime
  ) throws(StoreError) -> [MovableTrack] {
    let rows = try context.connection.statement(
      """
      SELECT id FROM track WHERE \(identity.column) = ? AND range_start = ? AND added > ?
      LIMIT \(MovableTrack.maximumCandidates)
      """, identity.value, track.rangeStart, time.nanoseconds)
    var candidates: [MovableTrack] = []
    for id in try rows.integers() {
      guard let row = try row(id) else { continue }
      candidates.append(
        MovableTrack(row, try uri(of: row), try folders.cachedPath(of: row.folder).appending(row.name)))
    }
    return candidates
  }

  /// Returns the URI of a track as `MediaURI` writes it.
  func uri(of row: TrackRow) throws(StoreError) -> String {
    MediaURI.file(try folders.cachedPath(of: row.folder).appending(row.name), range: row.range).uri
  }

  // MARK: Writing

  /// Writes `row`. If there is an `old` row, `row` takes its place and its id.
  func put(
    _ row: inout TrackRow, keys: SortKeys, _ details: TagDetails, replacing old: TrackRow?
  ) throws(StoreError) {
    if let old { (row.id, row.added, row.rating) = (old.id, old.added, old.rating) }
    (row.fragment, row.albumPosition) = try fragments.findOrInsert(for: row, keys, replacing: old)
    let people = try artistIDs(of: row, keys, details)
    row.mainArtist = people.first ?? 0
    if let old { try link(old, try artistIDs(of: old), -1) }
    // The user may have rated the track, or made it a favorite, before the index had it.
    let mayHaveUserData = old == nil && context.userData.hasRows
    if mayHaveUserData { row.rating = Int64(try context.userData.rating(uri(of: row)) ?? TrackRow.unrated) }
    try write(&row, people)
    if keys.title.isEmpty { try context.pendingSortKeys.insert(.track, row.id) }
    context.search.put(row, replacing: old)
    if mayHaveUserData {
      try context.userData.linkFavorite(uri(of: row), toTrack: row.id)
      try updateAffinity(of: row)
    } else if old != nil, context.userData.hasRows {
      try updateAffinity(of: row)
    }
  }

  /// Writes `row`, which is `old` in another folder or under another name.
  func relocate(_ row: inout TrackRow, replacing old: TrackRow) throws(StoreError) {
    let (albumKey, albumArtistKey) = try fragments.sortKeys(of: old.fragment)
    let keys = SortKeys(title: row.titleKey, album: albumKey, albumArtist: albumArtistKey)
    try put(&row, keys: keys, TagDetails(), replacing: old)
  }

  /// Moves a track to another album fragment of its folder.
  func assign(_ id: Int64, to fragment: Int64) throws(StoreError) {
    guard let old = try row(id) else { return }
    var row = old
    row.fragment = fragment
    let people = try artistIDs(of: old)
    try link(old, people, -1)
    try write(&row, people)
    context.search.put(row, replacing: old)
  }

  func remove(_ id: Int64) throws(StoreError) {
    guard let row = try row(id) else { return }
    try link(row, try artistIDs(of: row), -1)
    try statements.delete.run(id)
    try context.search.remove(row)
    if context.userData.hasRows { try context.userData.unlinkFavorite(.track, id) }
  }

  /// Writes a row and links it.
  private func write(_ row: inout TrackRow, _ people: [Int64]) throws(StoreError) {
    row.bind(to: statements.write)
    try statements.write.run()
    if row.id == 0 { row.id = context.connection.lastInsertedID }
    try link(row, people, 1)
  }

  /// Counts a track (`delta` is 1), links it to its artists, whose ids are `people`, and to its genres, and records it
  /// in the lists; or undoes all this (`delta` is -1). The row itself stays as it is.
  private func link(_ row: TrackRow, _ people: [Int64], _ delta: Int) throws(StoreError) {
    context.counts.current.tracks += delta
    context.changes.add(.items)
    recordInLists(row, Int64(delta))
    fragments.markStale(row.fragment)
    years.countTrack(Int64(row.metadata.year ?? 0), Int64(delta))
    let artistLink = delta > 0 ? statements.addArtist : statements.removeArtist
    for person in people.isEmpty ? [0] : people {
      let isMain = person == row.mainArtist
      artistLink.bind(1, person)
      artistLink.bind(2, isMain ? 1 : 0)
      artistLink.bind(3, row.fragment)
      artistLink.bind(4, row.albumPosition)
      artistLink.bind(5, row.id)
      try artistLink.run()
      artists.countTrack(person, isMain: isMain, Int64(delta))
    }
    let genreLink = delta > 0 ? statements.addGenre : statements.removeGenre
    for name in row.genres {
      let genre = try genres.findOrInsert(name)
      genreLink.bind(1, genre)
      genreLink.bind(2, row.id)
      try genreLink.run()
      genres.countTrack(genre, Int64(delta))
    }
  }

  private func recordInLists(_ row: TrackRow, _ delta: Int64) {
    let checkpoints = context.checkpoints
    guard checkpoints.areCurrent else { return }
    checkpoints.record(.tracksByTitle, .bytes(row.titleKey), row.id, delta)
    checkpoints.record(.tracksByYear, .number(Int64(row.metadata.year ?? 0)), row.id, delta)
    checkpoints.record(.tracksByAdded, .number(row.added.nanoseconds), row.id, delta)
    checkpoints.record(.tracksByRating, .number(row.rating), row.id, delta)
  }

  // MARK: Artists

  /// Returns the ids of the artists of a track that was written.
  private func artistIDs(of row: TrackRow) throws(StoreError) -> [Int64] {
    var ids: [Int64] = []
    for name in row.artists { ids.append(try artists.id(of: name)) }
    return ids
  }

  /// Returns the ids of `row.artists`, which are mostly those of the previous track.
  private func artistIDs(of row: TrackRow, _ keys: SortKeys, _ details: TagDetails) throws(StoreError) -> [Int64] {
    // If the file says how to sort the artists, its keys are compared with those in the table.
    guard details.artistSort == nil, details.albumArtistSort == nil else {
      return try findOrInsertArtists(of: row, keys, details)
    }
    let tags = ArtistTags(row, keys)
    if let previousArtists, previousArtists.tags == tags { return previousArtists.ids }
    let ids = try findOrInsertArtists(of: row, keys, details)
    previousArtists = (tags, ids)
    return ids
  }

  private func findOrInsertArtists(
    of row: TrackRow, _ keys: SortKeys, _ details: TagDetails
  ) throws(StoreError) -> [Int64] {
    var ids: [Int64] = []
    let metadata = row.metadata
    for name in row.artists {
      if let place = metadata.artists.firstIndex(of: name), metadata.artists.count > 1, place < keys.artists.count {
        ids.append(try artists.findOrInsert(name, key: keys.artists[place]))
      } else if name == metadata.artist || metadata.artists == [name] {
        let isGiven = details.artistSort != nil && row.range == nil
        ids.append(try artists.findOrInsert(name, key: keys.artist, isGiven: isGiven))
      } else {
        let isAlbumArtist = name == metadata.albumArtist
        ids.append(
          try artists.findOrInsert(
            name, key: isAlbumArtist ? keys.albumArtist : [],
            isGiven: isAlbumArtist && details.albumArtistSort != nil && row.range == nil))
      }
    }
    return ids
  }

  // MARK: Single columns

  func setTitleKey(_ id: Int64, _ key: [UInt8]) throws(StoreError) {
    guard let old = try context.connection.replaceKey("track", "title_key", id, with: key) else { return }
    context.checkpoints.record(.tracksByTitle, .bytes(old), id, -1)
    context.checkpoints.record(.tracksByTitle, .bytes(key), id, 1)
  }

  func setRating(_ rating: Int64, of row: TrackRow) throws(StoreError) {
    guard row.rating != rating else { return }
    try context.connection.statement("UPDATE track SET rating = ? WHERE id = ?", rating, row.id).run()
    context.checkpoints.record(.tracksByRating, .number(row.rating), row.id, -1)
    context.checkpoints.record(.tracksByRating, .number(rating), row.id, 1)
  }

  func setAdded(_ added: UnixTime, of row: TrackRow) throws(StoreError) {
    guard row.added != added else { return }
    try context.connection.statement("UPDATE track SET added = ? WHERE id = ?", added.nanoseconds, row.id).run()
    context.changes.add(.items)
    context.checkpoints.record(.tracksByAdded, .number(row.added.nanoseconds), row.id, -1)
    context.checkpoints.record(.tracksByAdded, .number(added.nanoseconds), row.id, 1)
  }

  func setDevice(_ device: UInt64, ofFilesIn folder: Int64) throws(StoreError) {
    try context.connection.statement("UPDATE track SET device = ? WHERE folder = ?", device, folder).run()
  }

  /// Updates the affinity by which the search ranks a track.
  func updateAffinity(of row: TrackRow) throws(StoreError) {
    let (uri, userData) = (try uri(of: row), context.userData)
    context.search.setAffinity(
      TrackAffinity(
        isFavorite: try userData.isFavorite(.track, row.id), rating: try userData.rating(uri) ?? 0,
        plays: try userData.playCount(uri)),
      of: row)
  }

  /// The statements that run for every track. They are prepared once.
  private struct Statements {
    let ofFile: SQLiteStatement
    let withStamp: SQLiteStatement
    let read: SQLiteStatement
    let write: SQLiteStatement
    let delete: SQLiteStatement
    let addArtist: SQLiteStatement
    let removeArtist: SQLiteStatement
    let addGenre: SQLiteStatement
    let removeGenre: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(StoreError) {
      ofFile = try connection.statement("SELECT id, range_start FROM track WHERE folder = ? AND name = ?")
      withStamp = try connection.statement(
        """
        SELECT DISTINCT t.folder, t.name, f.path FROM track t JOIN folder f ON f.id = t.folder
        WHERE t.inode = ? AND t.device = ? AND t.size = ? AND t.modified = ?
        """)
      read = try connection.statement("SELECT \(TrackRow.columns) FROM track WHERE id = ?")
      write = try connection.statement(TrackRow.write)
      delete = try connection.statement("DELETE FROM track WHERE id = ?")
      addArtist = try connection.statement(
        "INSERT OR IGNORE INTO track_artist (artist, main, part, place, track) VALUES (?, ?, ?, ?, ?)")
      removeArtist = try connection.statement(
        "DELETE FROM track_artist WHERE artist = ? AND main = ? AND part = ? AND place = ? AND track = ?")
      addGenre = try connection.statement("INSERT OR IGNORE INTO track_genre (genre, track) VALUES (?, ?)")
      removeGenre = try connection.statement("DELETE FROM track_genre WHERE genre = ? AND track = ?")
    }
  }
}

/// The tags and sort keys by which a track has its artists.
private struct ArtistTags: Equatable {
  private let artist: String?
  private let artists: [String]
  private let albumArtist: String?
  private let albumArtists: [String]
  private let artistKey: [UInt8]
  private let albumArtistKey: [UInt8]
  private let artistKeys: [[UInt8]]

  init(_ row: TrackRow, _ keys: SortKeys) {
    (artist, artists, albumArtist) = (row.metadata.artist, row.metadata.artists, row.metadata.albumArtist)
    albumArtists = row.albumArtists
    (artistKey, albumArtistKey, artistKeys) = (keys.artist, keys.albumArtist, keys.artists)
  }
}
