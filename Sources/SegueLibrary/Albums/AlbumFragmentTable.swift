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
  /// The fragment of the previous track, and the disc that the name of the folder or the title of the album contains;
  /// nil at the start of a batch.
  private var previous: (tags: AlbumTags, id: Int64, disc: Int?)?
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
    let tags = AlbumTags(row, keys)
    let fragment: (tags: AlbumTags, id: Int64, disc: Int?)
    if let previous, previous.tags == tags {
      fragment = previous
    } else {
      let (id, disc) = try findOrInsertFragment(for: row, keys, replacing: old?.fragment)
      fragment = (tags, id, disc)
      previous = fragment
    }
    let disc = Int64((row.metadata.disc ?? fragment.disc ?? 1).clamped(to: 0...9999))
    // Tracks with a track number come first, then those with a number in the file name, then the rest.
    let number =
      row.metadata.track.map { $0.clamped(to: 0...0xFF_FFFF) }
      ?? NameNormalization.leadingNumber(row.name).map { 0x100_0000 + $0 } ?? Self.unnumbered
    return (fragment.id, disc << 32 | Int64(number))
  }

  private func findOrInsertFragment(
    for row: TrackRow, _ keys: SortKeys, replacing old: Int64?
  ) throws(StoreError) -> (id: Int64, disc: Int?) {
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
    return (try findOrInsert(key, title, keys, replacing: old), home.disc ?? titleDisc)
  }

  private func findOrInsert(
    _ key: Key, _ title: String, _ keys: SortKeys, replacing old: Int64?
  ) throws(StoreError) -> Int64 {
    if let id = ids[key] { return id }
    let find = try context.connection.statement(
      "SELECT id, title_key FROM part WHERE folder = ? AND title_fold = ? AND artist_fold = ?", key.folder,
      key.titleFold, key.artistFold)
    let known = try find.first { (id: $0.integer(0) ?? 0, titleKey: $0.blob(1)) }
    let titleKey = keys.album.isEmpty ? SortKeys.provisionalKey(of: title) : keys.album
    let artistKey = key.artistFold == NameNormalization.various ? [0xFF] : keys.albumArtist
    if let known {
      if !keys.album.isEmpty, known.titleKey != titleKey {
        try context.connection.statement(
          "UPDATE part SET title_key = ?, artist_key = ? WHERE id = ?", titleKey, artistKey, known.id
        ).run()
      }
      ids[key] = known.id
      return known.id
    }
    try context.connection.statement(
      """
      INSERT INTO part (folder, title_fold, artist_fold, title, title_key, artist_key, album)
      VALUES (?, ?, ?, ?, ?, ?, (SELECT album FROM part WHERE id = ?))
      """, key.folder, key.titleFold, key.artistFold, title, titleKey, artistKey, key.titleFold.isEmpty ? nil : old
    ).run()
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
    for id in newStale { try insertStale.run(id) }
    newStale = []
    if ids.count > WriterContext.maximumCachedNames { ids = [:] }
  }

  /// Returns at most `limit` stale fragments, in ascending order.
  func staleIDs(limit: Int) throws(StoreError) -> [Int64] {
    try context.connection.statement("SELECT part FROM stale ORDER BY part LIMIT ?", limit).integers()
  }

  /// Records that the stale fragments up to `last` were updated.
  func removeStale(upTo last: Int64) throws(StoreError) {
    try context.connection.execute("DELETE FROM stale WHERE part <= \(last)")
  }

  // MARK: Rows

  /// Returns the fragments with this value in a column, the oldest first.
  func rows(where column: String, is value: any SQLiteBindable) throws(StoreError) -> [AlbumFragmentRow] {
    try context.connection.statement(
      "SELECT \(AlbumFragmentRow.columns) FROM part WHERE \(column) = ? ORDER BY id", value
    ).map { AlbumFragmentRow($0) }
  }

  /// Returns the sort keys of a fragment's title and artist, or empty keys if there is no such fragment.
  func sortKeys(of id: Int64) throws(StoreError) -> (title: [UInt8], artist: [UInt8]) {
    try context.connection.statement("SELECT title_key, artist_key FROM part WHERE id = ?", id).first {
      ($0.blob(0), $0.blob(1))
    } ?? ([], [])
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
    try context.connection.statement(
      """
      UPDATE part SET kin = ?, artist = ?, release = ?, year = ?, compilation = ?, track_count = ?, duration = ?,
        discs = ?, added = ?, art = ?, has_art = ?, artist_key = ? WHERE id = ?
      """, groupKey, tracks.artist, tracks.release, tracks.year, tracks.artistFold == NameNormalization.various,
      tracks.trackCount, tracks.duration, tracks.discs, tracks.added, tracks.art, tracks.hasArt, artistKey, old.id
    ).run()
    if let key = old.listKey {
      context.checkpoints.record(.tracksByAlbum, .bytes(key), old.id, tracks.trackCount - old.trackCount)
    }
  }

  /// Deletes a fragment that has no tracks.
  func remove(_ row: AlbumFragmentRow) throws(StoreError) {
    if let key = row.listKey { context.checkpoints.record(.tracksByAlbum, .bytes(key), row.id, -row.trackCount) }
    try context.connection.statement("DELETE FROM part WHERE id = ?", row.id).run()
    ids = [:]
  }

  /// Moves a fragment of `trackCount` tracks to `key` in the list of tracks by album.
  func setListKey(_ id: Int64, _ old: [UInt8]?, _ key: [UInt8], trackCount: Int64) throws(StoreError) {
    guard old != key else { return }
    try context.connection.statement("UPDATE part SET list_key = ? WHERE id = ?", key, id).run()
    if let old { context.checkpoints.record(.tracksByAlbum, .bytes(old), id, -trackCount) }
    context.checkpoints.record(.tracksByAlbum, .bytes(key), id, trackCount)
  }

  func setAlbum(_ album: Int64, of id: Int64) throws(StoreError) {
    try context.connection.statement("UPDATE part SET album = ? WHERE id = ?", album, id).run()
  }

  /// Returns the names of the album artists of a fragment with tracks.
  func albumArtists(of row: AlbumFragmentRow) throws(StoreError) -> [String] {
    guard let artist = row.artist else { return [] }
    // The tracks of a fragment have the same album artists.
    let several = try context.connection.statement("SELECT album_artists FROM track WHERE part = ? LIMIT 1", row.id)
      .first { $0.text(0).map(TextList.values) ?? [] }
    let names = several.flatMap { $0.isEmpty ? nil : $0 } ?? [artist]
    return names.filter { !NameNormalization.isBlank($0) && !NameNormalization.isVarious(NameNormalization.fold($0)) }
  }

  func artists(of id: Int64) throws(StoreError) -> [Int64] {
    try context.connection.statement("SELECT artist FROM part_artist WHERE part = ?", id).integers()
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
    let rows = try context.connection.statement("SELECT \(column) FROM \(table) WHERE part = ?", id)
    let present = Set(try rows.integers())
    for (sql, values) in [
      ("INSERT INTO \(table) (\(column), part) VALUES (?, ?)", wanted.subtracting(present)),
      ("DELETE FROM \(table) WHERE \(column) = ? AND part = ?", present.subtracting(wanted)),
    ] {
      let statement = try context.connection.statement(sql)
      for value in values { try statement.run(value, id) }
    }
    return wanted.symmetricDifference(present)
  }
}

/// The folder, tags and sort keys by which a track belongs to an album fragment. Consecutive tracks mostly have the
/// same.
private struct AlbumTags: Equatable {
  private let folder: Int64
  private let album: String?
  private let albumArtist: String?
  private let albumArtists: [String]
  private let isCompilation: Bool
  private let albumKey: [UInt8]
  private let albumArtistKey: [UInt8]

  init(_ row: TrackRow, _ keys: SortKeys) {
    (folder, isCompilation) = (row.folder, row.flags.contains(.isCompilation))
    (album, albumArtist, albumArtists) = (row.metadata.album, row.metadata.albumArtist, row.albumArtists)
    (albumKey, albumArtistKey) = (keys.album, keys.albumArtist)
  }
}

/// A row of the table `part`.
struct AlbumFragmentRow {
  let id: Int64
  let folder: Int64
  let titleFold: String
  let artistFold: String
  let title: String
  let titleKey: [UInt8]
  let artistKey: [UInt8]
  let album: Int64?
  let groupKey: String?
  let artist: String?
  let release: String?
  let year: Int64
  let isCompilation: Bool
  let trackCount: Int64
  let duration: Int64
  let discs: UInt64
  let added: Int64
  let art: Int64?
  let hasArt: Bool
  let listKey: [UInt8]?

  /// The separator of the folded names in `artistFold`, if there are several.
  static let artistSeparator = ", "

  static let columns = """
    id, folder, title_fold, artist_fold, title, title_key, artist_key, album, kin, artist, release, year, compilation,
    track_count, duration, discs, added, art, has_art, list_key
    """

  init(_ row: SQLiteStatement) {
    (id, folder, titleFold) = (row.integer(0) ?? 0, row.integer(1) ?? 0, row.text(2) ?? "")
    (artistFold, title, titleKey, artistKey) = (row.text(3) ?? "", row.text(4) ?? "", row.blob(5), row.blob(6))
    (album, groupKey, artist, release) = (row.integer(7), row.text(8), row.text(9), row.text(10))
    (year, isCompilation, trackCount) = (row.integer(11) ?? 0, row.integer(12) == 1, row.integer(13) ?? 0)
    (duration, discs) = (row.integer(14) ?? 0, UInt64(bitPattern: row.integer(15) ?? 0))
    (added, art, hasArt) = (row.integer(16) ?? 0, row.integer(17), row.integer(18) == 1)
    listKey = row.isNull(19) ? nil : row.blob(19)
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
  /// The credits of the tracks that have any, with the ids of the tracks.
  private(set) var credits: [(track: Int64, credits: TrackCredits)] = []
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
      SELECT id, place, artist, artists, album_artist, genre, year, duration, added, flags, release, album_artists,
        composer, composers, conductors, works
      FROM track WHERE part = ? ORDER BY place, id
      """, id)
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
      if let track = rows.integer(0), (12...15).contains(where: { !rows.isNull($0) }) {
        credits.append((track, TrackCredits(rows, composer: 12, lists: 13)))
      }

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
