// Thread: "index".

internal import SegueSQLite
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The table of album fragments (`part`). A fragment is the part of an album that lies in one folder, or in the disc
/// folders of one folder. Fragments whose tracks have changed are marked as stale until `AlbumGrouping` has updated
/// them.
final class AlbumFragmentTable {
  /// The columns by which a fragment is unique.
  private struct Key: Hashable {
    var folder: Int64
    var titleFold: String
    var artistFold: String
  }

  /// The number of a track that has none.
  static let unnumbered = 0x200_0000

  private let context: WriterContext
  private let folders: FolderTable
  private let insertStale: SQLiteStatement
  /// The fragment of the previous track; nil at the start of a batch.
  private var previous: CachedAlbumFragment?
  private var ids: [Key: Int64] = [:]
  /// The fragments that are stale and not yet in the table `stale`.
  private var newStale: Set<Int64> = []

  init(_ context: WriterContext, _ folders: FolderTable) throws(StoreError) {
    self.context = context
    self.folders = folders
    insertStale = try context.connection.statement("INSERT OR IGNORE INTO stale (part) VALUES (?)")
  }

  // MARK: Assigning tracks

  /// Returns the fragment to which a track belongs, and the position of the track in it. Inserts the fragment if it is
  /// missing. A new fragment takes the album of the fragment to which the track belonged before, so that correcting a
  /// title does not make a new album.
  func findOrInsert(
    for row: TrackRow, _ keys: SortKeys, replacing old: TrackRow?
  ) throws(StoreError) -> (id: Int64, albumPosition: Int64) {
    let fragment: CachedAlbumFragment
    if let previous, previous.contains(row, keys) {
      fragment = previous
    } else {
      fragment = try cachedFragment(for: row, keys, replacing: old?.fragment)
      previous = fragment
    }
    let disc = Int64((row.metadata.disc ?? fragment.disc ?? 1).clamped(to: 0...9999))
    // Tracks with a track number come first, then those with a number in the file name, then the rest.
    let number =
      row.metadata.track.map { $0.clamped(to: 0...0xFF_FFFF) }
      ?? NameNormalization.leadingNumber(row.name).map { 0x100_0000 + $0 } ?? Self.unnumbered
    return (fragment.id, disc << 32 | Int64(number))
  }

  private func cachedFragment(
    for row: TrackRow, _ keys: SortKeys, replacing old: Int64?
  ) throws(StoreError) -> CachedAlbumFragment {
    let home = try folders.albumFolder(of: row.folder)
    let (title, titleDisc) = NameNormalization.withoutDisc(row.metadata.album ?? "")
    var key = Key(folder: home.id, titleFold: NameNormalization.fold(title), artistFold: "")
    if !key.titleFold.isEmpty {
      // The order of several artists may differ from track to track.
      key.artistFold =
        row.albumArtists.isEmpty
        ? NameNormalization.fold(row.metadata.albumArtist ?? "")
        : row.albumArtists.map(NameNormalization.fold).sorted().joined(separator: AlbumFragmentRow.artistSeparator)
      if NameNormalization.isVarious(key.artistFold)
        || (key.artistFold.isEmpty && row.flags.contains(.isCompilation))
      {
        key.artistFold = NameNormalization.various
      }
    }
    let id = try findOrInsert(key, title, keys, replacing: old)
    return CachedAlbumFragment(row, keys, id: id, disc: home.disc ?? titleDisc)
  }

  private func findOrInsert(
    _ key: Key, _ title: String, _ keys: SortKeys, replacing old: Int64?
  ) throws(StoreError) -> Int64 {
    if let id = ids[key] { return id }
    let find = try context.connection.statement(
      "SELECT id, title_key FROM part WHERE folder = ? AND title_fold = ? AND artist_fold = ?")
    find.bind(1, key.folder)
    find.bind(2, key.titleFold)
    find.bind(3, key.artistFold)
    defer { find.reset() }
    let titleKey = keys.album.isEmpty ? SortKeys.provisionalKey(of: title) : keys.album
    let artistKey = key.artistFold == NameNormalization.various ? [0xFF] : keys.albumArtist
    if try find.step() {
      let id = find.integer(0) ?? 0
      if !keys.album.isEmpty, find.blob(1) != titleKey {
        let update = try context.connection.statement("UPDATE part SET title_key = ?, artist_key = ? WHERE id = ?")
        update.bind(1, blob: titleKey)
        update.bind(2, blob: artistKey)
        update.bind(3, id)
        try update.run()
      }
      ids[key] = id
      return id
    }
    let insert = try context.connection.statement(
      """
      INSERT INTO part (folder, title_fold, artist_fold, title, title_key, artist_key, album)
      VALUES (?, ?, ?, ?, ?, ?, (SELECT album FROM part WHERE id = ?))
      """)
    insert.bind(1, key.folder)
    insert.bind(2, key.titleFold)
    insert.bind(3, key.artistFold)
    insert.bind(4, title)
    insert.bind(5, blob: titleKey)
    insert.bind(6, blob: artistKey)
    insert.bind(7, key.titleFold.isEmpty ? nil : old)
    try insert.run()
    let id = context.connection.lastInsertedID
    if keys.album.isEmpty { try context.pendingSortKeys.insert(.album, id) }
    if keys.albumArtist.isEmpty { try context.pendingSortKeys.insert(.albumArtist, id) }
    ids[key] = id
    return id
  }

  // MARK: Stale fragments

  func markStale(_ id: Int64) { newStale.insert(id) }

  func flush() throws(StoreError) {
    previous = nil
    for id in newStale {
      insertStale.bind(1, id)
      try insertStale.run()
    }
    newStale = []
    if ids.count > WriterContext.maximumCachedNames { ids = [:] }
  }

  /// Returns at most `limit` stale fragments, in ascending order.
  func staleIDs(limit: Int) throws(StoreError) -> [Int64] {
    let rows = try context.connection.statement("SELECT part FROM stale ORDER BY part LIMIT ?")
    rows.bind(1, Int64(limit))
    defer { rows.reset() }
    return try rows.integers()
  }

  /// Records that the stale fragments up to `last` were updated.
  func removeStale(upTo last: Int64) throws(StoreError) {
    try context.connection.execute("DELETE FROM stale WHERE part <= \(last)")
  }

  // MARK: Rows

  /// Returns the sort keys of a fragment's title and artist, or empty keys if there is no such fragment.
  func sortKeys(of id: Int64) throws(StoreError) -> (title: [UInt8], artist: [UInt8]) {
    let find = try context.connection.statement("SELECT title_key, artist_key FROM part WHERE id = ?")
    find.bind(1, id)
    defer { find.reset() }
    return try find.step() ? (find.blob(0), find.blob(1)) : ([], [])
  }

  func setTitleKey(_ id: Int64, _ key: [UInt8]) throws(StoreError) {
    if try context.connection.replaceKey("part", "title_key", id, with: key) != nil { markStale(id) }
  }

  func setArtistKey(_ id: Int64, _ key: [UInt8]) throws(StoreError) {
    if try context.connection.replaceKey("part", "artist_key", id, with: key) != nil { markStale(id) }
  }

  /// Writes the values that were computed from the tracks of a fragment.
  func update(
    _ old: AlbumFragmentRow, _ tracks: AlbumFragmentAggregate, groupKey: String?, artistKey: [UInt8]
  ) throws(StoreError) {
    let update = try context.connection.statement(
      """
      UPDATE part SET kin = ?, artist = ?, release = ?, year = ?, compilation = ?, track_count = ?, duration = ?,
        discs = ?, added = ?, art = ?, has_art = ?, artist_key = ? WHERE id = ?
      """)
    update.bind(1, groupKey)
    update.bind(2, tracks.artist)
    update.bind(3, tracks.release)
    update.bind(4, Int64(tracks.year))
    update.bind(5, tracks.artistFold == NameNormalization.various ? 1 : 0)
    update.bind(6, tracks.trackCount)
    update.bind(7, tracks.duration)
    update.bind(8, Int64(bitPattern: tracks.discs))
    update.bind(9, tracks.added)
    update.bind(10, tracks.art)
    update.bind(11, tracks.hasArt ? 1 : 0)
    update.bind(12, blob: artistKey)
    update.bind(13, old.id)
    try update.run()
    if let key = old.listKey {
      context.checkpoints.record(.tracksByAlbum, .bytes(key), old.id, tracks.trackCount - old.trackCount)
    }
  }

  /// Deletes a fragment that has no tracks.
  func remove(_ row: AlbumFragmentRow) throws(StoreError) {
    if let key = row.listKey { context.checkpoints.record(.tracksByAlbum, .bytes(key), row.id, -row.trackCount) }
    let delete = try context.connection.statement("DELETE FROM part WHERE id = ?")
    delete.bind(1, row.id)
    try delete.run()
    ids = [:]
  }

  /// Moves a fragment of `trackCount` tracks to `key` in the list of tracks by album.
  func setListKey(_ id: Int64, _ old: [UInt8]?, _ key: [UInt8], trackCount: Int64) throws(StoreError) {
    guard old != key else { return }
    let update = try context.connection.statement("UPDATE part SET list_key = ? WHERE id = ?")
    update.bind(1, blob: key)
    update.bind(2, id)
    try update.run()
    if let old { context.checkpoints.record(.tracksByAlbum, .bytes(old), id, -trackCount) }
    context.checkpoints.record(.tracksByAlbum, .bytes(key), id, trackCount)
  }

  func setAlbum(_ album: Int64, of id: Int64) throws(StoreError) {
    let update = try context.connection.statement("UPDATE part SET album = ? WHERE id = ?")
    update.bind(1, album)
    update.bind(2, id)
    try update.run()
  }

  func artists(of id: Int64) throws(StoreError) -> [Int64] {
    let rows = try context.connection.statement("SELECT artist FROM part_artist WHERE part = ?")
    rows.bind(1, id)
    defer { rows.reset() }
    return try rows.integers()
  }

  /// Sets the artists of a fragment. Returns those that were added or removed.
  func setArtists(_ artists: Set<Int64>, of id: Int64) throws(StoreError) -> Set<Int64> {
    try setPairs("part_artist", "artist", artists, of: id)
  }

  func setGenres(_ genres: Set<Int64>, of id: Int64) throws(StoreError) {
    _ = try setPairs("part_genre", "genre", genres, of: id)
  }

  private func setPairs(
    _ table: String, _ column: String, _ wanted: Set<Int64>, of id: Int64
  ) throws(StoreError) -> Set<Int64> {
    let rows = try context.connection.statement("SELECT \(column) FROM \(table) WHERE part = ?")
    rows.bind(1, id)
    let present = Set(try rows.integers())
    rows.reset()
    for (sql, values) in [
      ("INSERT INTO \(table) (\(column), part) VALUES (?, ?)", wanted.subtracting(present)),
      ("DELETE FROM \(table) WHERE \(column) = ? AND part = ?", present.subtracting(wanted)),
    ] {
      let statement = try context.connection.statement(sql)
      for value in values {
        statement.bind(1, value)
        statement.bind(2, id)
        try statement.run()
      }
    }
    return wanted.symmetricDifference(present)
  }
}

/// The album fragment of a track, which the following tracks share as long as their folders and tags are the same.
private struct CachedAlbumFragment {
  let id: Int64
  /// The disc that the name of the folder or the title of the album contains.
  let disc: Int?
  private let folder: Int64
  private let album: String?
  private let albumArtist: String?
  private let albumArtists: [String]
  private let isCompilation: Bool
  private let albumKey: [UInt8]
  private let albumArtistKey: [UInt8]

  init(_ row: TrackRow, _ keys: SortKeys, id: Int64, disc: Int?) {
    (self.id, self.disc) = (id, disc)
    (folder, isCompilation) = (row.folder, row.flags.contains(.isCompilation))
    (album, albumArtist, albumArtists) = (row.metadata.album, row.metadata.albumArtist, row.albumArtists)
    (albumKey, albumArtistKey) = (keys.album, keys.albumArtist)
  }

  func contains(_ row: TrackRow, _ keys: SortKeys) -> Bool {
    folder == row.folder && album == row.metadata.album && albumArtist == row.metadata.albumArtist
      && albumArtists == row.albumArtists
      && isCompilation == row.flags.contains(.isCompilation) && albumKey == keys.album
      && albumArtistKey == keys.albumArtist
  }
}

/// The columns of a row of the table `part` that grouping needs.
struct AlbumFragmentRow {
  let id: Int64
  let folder: Int64
  let titleFold: String
  let artistFold: String
  let album: Int64?
  let groupKey: String?
  let release: String?
  let year: Int64
  let trackCount: Int64
  let listKey: [UInt8]?
  let artistKey: [UInt8]

  /// The separator of the folded names in `artistFold`, if there are several.
  static let artistSeparator = ", "

  private static let columns =
    "id, folder, title_fold, artist_fold, album, kin, release, year, track_count, list_key, artist_key"

  /// Returns nil if there is no such row.
  init?(_ id: Int64, _ connection: SQLiteConnection) throws(StoreError) {
    let row = try connection.statement("SELECT \(Self.columns) FROM part WHERE id = ?")
    row.bind(1, id)
    defer { row.reset() }
    guard try row.step() else { return nil }
    self.init(row)
  }

  /// Returns the fragments that may belong to one album, the oldest first.
  static func all(
    withGroupKey groupKey: String, _ connection: SQLiteConnection
  ) throws(StoreError) -> [AlbumFragmentRow] {
    let rows = try connection.statement("SELECT \(columns) FROM part WHERE kin = ? ORDER BY id")
    rows.bind(1, groupKey)
    defer { rows.reset() }
    var fragments: [AlbumFragmentRow] = []
    while try rows.step() { fragments.append(AlbumFragmentRow(rows)) }
    return fragments
  }

  private init(_ row: SQLiteStatement) {
    id = row.integer(0) ?? 0
    folder = row.integer(1) ?? 0
    titleFold = row.text(2) ?? ""
    artistFold = row.text(3) ?? ""
    album = row.integer(4)
    groupKey = row.text(5)
    release = row.text(6)
    year = row.integer(7) ?? 0
    trackCount = row.integer(8) ?? 0
    listKey = row.isNull(9) ? nil : row.blob(9)
    artistKey = row.blob(10)
  }
}

/// The values that are computed from all tracks of an album fragment.
struct AlbumFragmentAggregate {
  private(set) var trackCount: Int64 = 0
  /// The duration in nanoseconds, in which unknown durations count as 0.
  private(set) var duration: Int64 = 0
  /// Bit n is set if the fragment has disc n. Bit 63 stands for all greater numbers.
  private(set) var discs: UInt64 = 0
  private(set) var added = Int64.max
  /// The first track with a picture, or else the first track.
  private(set) var art: Int64?
  private(set) var hasArt = false
  private(set) var artists: Set<Int64> = []
  private(set) var genres: Set<Int64> = []
  /// The album artist as the tracks write the name; nil for a compilation.
  private(set) var artist: String?
  /// The folded name of the album artist; `NameNormalization.various` for a compilation.
  private(set) var artistFold: String
  /// Whether only the folder makes the tracks an album: they have no album artist in common.
  private(set) var isBoundToFolder = false
  /// The release that all tracks that name one have in common.
  private(set) var release: String?
  /// The most frequent year, or 0 if no track has one.
  private(set) var year = 0

  /// Computes the values of the fragment `id`.
  ///
  /// - Parameter artistFold: The folded album artist of the tracks, which is empty if they name none.
  init(
    _ id: Int64, _ artistFold: String, _ artistTable: ArtistTable, _ genreTable: GenreTable,
    _ connection: SQLiteConnection
  ) throws(StoreError) {
    self.artistFold = artistFold
    let rows = try connection.statement(
      """
      SELECT id, place, artist, artists, album_artist, genre, year, duration, added, flags, release, album_artists
      FROM track WHERE part = ? ORDER BY place, id
      """)
    rows.bind(1, id)
    defer { rows.reset() }
    var years: [Int: Int] = [:]
    var leadArtists: [String: String] = [:]
    var releases: Set<String> = []
    var names: Set<String> = []
    var genreNames: Set<String> = []
    while try rows.step() {
      trackCount += 1
      duration = MediaTime.sum(duration, rows.integer(7) ?? 0)
      discs |= 1 << min(63, UInt64((rows.integer(1) ?? 0) >> 32))
      added = min(added, rows.integer(8) ?? 0)
      let hasCover = TrackRow.Flags(rawValue: rows.integer(9) ?? 0).contains(.hasCover)
      if art == nil || (hasCover && !hasArt) { (art, hasArt) = (rows.integer(0), hasCover) }
      if let year = rows.integer(6), year != 0 { years[Int(year), default: 0] += 1 }
      if let release = rows.text(10) { releases.insert(release) }
      for genre in rows.text(5).map(TextList.values) ?? [] where !genre.isEmpty { genreNames.insert(genre) }

      let written = rows.text(2)
      let several = rows.text(3).map(TextList.values) ?? written.map { [$0] } ?? []
      names.formUnion(several)
      let albumArtist = rows.text(4)
      if let several = rows.text(11).map(TextList.values) {
        names.formUnion(several)
      } else if let albumArtist {
        names.insert(albumArtist)
      }
      if artist == nil, !artistFold.isEmpty { artist = albumArtist }
      if leadArtists.count < 2, let first = several.first ?? written {
        let fold = NameNormalization.fold(first)
        let leadArtist = NameNormalization.leadArtist(fold)
        // The name without guests is preferred.
        if leadArtists[leadArtist] == nil || leadArtist == fold { leadArtists[leadArtist] = first }
      }
    }
    for name in names {
      let id = try artistTable.id(of: name)
      if id != 0 { artists.insert(id) }
    }
    for name in genreNames { genres.insert(try genreTable.findOrInsert(name)) }
    release = releases.count == 1 ? releases.first : nil
    // Among equally frequent years, the earliest one counts.
    year = years.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
    if artistFold.isEmpty { deriveArtist(leadArtists) }
    // The tracks that named the album artist have gone.
    if artist == nil { artist = leadArtists[artistFold] ?? leadArtists.first?.value }
    if self.artistFold == NameNormalization.various { artist = nil }
  }

  /// Sets the album artist where no track names one: the artist that all tracks have in common, or "various".
  private mutating func deriveArtist(_ leadArtists: [String: String]) {
    switch leadArtists.count {
    case 0: (artistFold, isBoundToFolder) = ("", true)
    case 1: (artistFold, artist) = (leadArtists.first?.key ?? "", leadArtists.first.map { $0.value })
    default: (artistFold, isBoundToFolder) = (NameNormalization.various, true)
    }
  }
}
