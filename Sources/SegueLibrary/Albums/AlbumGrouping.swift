// Thread: "index".

internal import SegueFiles
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The grouping of album fragments into albums, and the update of everything that is computed from stale fragments.
struct AlbumGrouping {
  private let context: WriterContext
  private let folders: FolderTable
  private let artists: ArtistTable
  private let genres: GenreTable
  private let years: YearTable
  private let tagValues: TagValueTable
  private let fragments: AlbumFragmentTable
  private let tracks: TrackTable

  init(
    _ context: WriterContext, _ folders: FolderTable, _ artists: ArtistTable, _ genres: GenreTable,
    _ years: YearTable, _ tagValues: TagValueTable, _ fragments: AlbumFragmentTable, _ tracks: TrackTable
  ) {
    self.context = context
    self.folders = folders
    self.artists = artists
    self.genres = genres
    self.years = years
    self.tagValues = tagValues
    self.fragments = fragments
    self.tracks = tracks
  }

  /// The rows that an update has to compute anew.
  private struct Affected {
    var groupKeys: Set<String> = []
    var albums: Set<Int64> = []
    var artists: Set<Int64> = []
  }

  /// Updates at most `limit` stale fragments, and the albums and artists that depend on them. Returns the number of
  /// fragments.
  func updateStaleFragments(limit: Int) throws(StoreError) -> Int {
    var affected = Affected()
    let stale = try fragments.staleIDs(limit: limit)
    for fragment in stale { try updateFragment(fragment, &affected) }
    for groupKey in affected.groupKeys { try group(groupKey, &affected) }
    for album in affected.albums { try updateAlbum(album) }
    for artist in affected.artists { try artists.updateAlbumCount(artist) }
    if let last = stale.last {
      try fragments.removeStale(upTo: last)
      context.changes.add(.items)
    }
    return stale.count
  }

  // MARK: Fragments

  /// Computes the row of a fragment from its tracks. Deletes the row if there are no tracks.
  private func updateFragment(_ id: Int64, _ affected: inout Affected) throws(StoreError) {
    guard let old = try fragments.rows(where: "id", is: id).first else { return }
    let tracks = try AlbumFragmentAggregate(id, old.artistFold, artists, genres, context.connection)
    if let groupKey = old.groupKey { affected.groupKeys.insert(groupKey) }
    if let album = old.album { affected.albums.insert(album) }
    affected.artists.formUnion(try fragments.setArtists(tracks.artists, of: id))
    try fragments.setGenres(tracks.genres, of: id)
    try tagValues.setCredits(tracks.credits, ofFragment: id)
    guard tracks.trackCount > 0 else { return try fragments.remove(old) }
    let groupKey = try groupKey(tracks, old)
    if let groupKey { affected.groupKeys.insert(groupKey) }
    try fragments.update(old, tracks, groupKey: groupKey, artistKey: try artistKey(tracks, old))
    if groupKey == nil {
      // Tracks without an album follow the albums, in the order of the folders.
      let key = [0xFF] + (try folders.path(of: old.folder).bytes)
      try fragments.setListKey(id, old.listKey, key, trackCount: tracks.trackCount)
    }
  }

  /// Returns the group key of a fragment, or nil if its tracks name no album.
  private func groupKey(_ tracks: AlbumFragmentAggregate, _ row: AlbumFragmentRow) throws(StoreError) -> String? {
    guard !row.titleFold.isEmpty else { return nil }
    // Where only the folder makes the tracks an album, an album of the same title in another folder is another one.
    let place = tracks.isBoundToFolder ? "\u{1F}\(try place(of: row.folder))" : ""
    return "\(tracks.artistFold)\u{1F}\(row.titleFold)\(place)"
  }

  /// Returns the place of an album in a folder. It is the same for the folders `Title (Disc 1)` and `Title (Disc 2)`.
  private func place(of folder: Int64) throws(StoreError) -> String {
    let path = try folders.path(of: folder)
    let (title, disc) = NameNormalization.withoutDisc(String(decoding: path.lastComponent, as: UTF8.self))
    return disc == nil ? "\(folder)" : "\(path.parent)/\(NameNormalization.fold(title))"
  }

  private func artistKey(_ tracks: AlbumFragmentAggregate, _ old: AlbumFragmentRow) throws(StoreError) -> [UInt8] {
    if tracks.artistFold == NameNormalization.various { return [0xFF] }
    if !old.artistFold.isEmpty, !old.artistKey.isEmpty { return old.artistKey }
    return try artists.sortKey(ofFold: tracks.artistFold) ?? SortKeys.provisionalKey(of: tracks.artistFold)
  }

  // MARK: Albums

  /// The fragments with the same group key (artist and title) that make one album.
  private struct Group {
    /// The text that distinguishes the album from others with the same group key.
    var name: String
    var years: Set<Int64> = []
    var fragments: [AlbumFragmentRow] = []
  }

  /// Makes albums of the fragments with the same group key. The fragments of one release are an album. Of the fragments
  /// that name no release, those of one year are an album. Fragments with neither belong to the first album.
  private func group(_ groupKey: String, _ affected: inout Affected) throws(StoreError) {
    var groups: [Group] = []
    let rows = try fragments.rows(where: "kin", is: groupKey)
    for row in rows where row.release != nil { Self.add(row, to: &groups, "release \(row.release ?? "")") }
    for row in rows where row.release == nil && row.year != 0 {
      let name = groups.first { $0.years.contains(row.year) }?.name
      Self.add(row, to: &groups, name ?? "year \(row.year)")
    }
    for row in rows where row.release == nil && row.year == 0 {
      Self.add(row, to: &groups, groups.first?.name ?? "year 0")
    }
    var taken: Set<Int64> = []
    for group in groups {
      let album = try albumID(of: group, groupKey, taken)
      taken.insert(album)
      affected.albums.insert(album)
      for row in group.fragments where row.album != album {
        try fragments.setAlbum(album, of: row.id)
        if let old = row.album { affected.albums.insert(old) }
        affected.artists.formUnion(try fragments.artists(of: row.id))
      }
    }
  }

  private static func add(_ row: AlbumFragmentRow, to groups: inout [Group], _ name: String) {
    let index = groups.firstIndex { $0.name == name } ?? groups.count
    if index == groups.count { groups.append(Group(name: name)) }
    groups[index].fragments.append(row)
    if row.year != 0 { groups[index].years.insert(row.year) }
  }

  /// Returns the id that the album had before, or a new one.
  private func albumID(of group: Group, _ groupKey: String, _ taken: Set<Int64>) throws(StoreError) -> Int64 {
    for row in group.fragments {
      guard let album = row.album, !taken.contains(album), try isFree(album, for: groupKey) else { continue }
      return album
    }
    let identity = "\(groupKey)\u{1F}\(group.name)"
    let known = try context.connection.statement("SELECT id FROM album WHERE identity = ?", identity).first {
      $0.integer(0)
    }
    if let known, !taken.contains(known), try isFree(known, for: groupKey) { return known }
    try context.connection.statement(
      """
      INSERT INTO album (identity, title, year, compilation, track_count, disc_count, duration, added, title_key, artist_key)
      VALUES (?, '', 0, 0, 0, 0, 0, 0, x'', x'')
      """, identity
    ).run()
    return context.connection.lastInsertedID
  }

  /// Returns whether an album exists and contains no fragment with another group key.
  private func isFree(_ album: Int64, for groupKey: String) throws(StoreError) -> Bool {
    try context.connection.integer(
      """
      SELECT EXISTS (SELECT 1 FROM album WHERE id = ?1)
        AND NOT EXISTS (SELECT 1 FROM part WHERE album = ?1 AND kin IS NOT ?2)
      """, album, groupKey) == 1
  }

  /// Computes the row of an album from its fragments, and updates its place in the lists. Deletes an album without
  /// tracks unless it is a favorite.
  private func updateAlbum(_ id: Int64) throws(StoreError) {
    guard let old = try AlbumRow(id, context.connection) else { return }
    var new = old
    // The fragments are in the order of their first discs.
    let parts = try fragments.rows(where: "album", is: id).sorted {
      ($0.discs.trailingZeroBitCount, $0.id) < ($1.discs.trailingZeroBitCount, $1.id)
    }
    var values = try tagValues.credits(ofAlbum: id)
    new.combine(parts, genre: try genreNames(ofAlbum: id), credits: values)
    if let main = AlbumRow.mainFragment(of: parts), new.trackCount > 0 {
      values[.albumArtist] = try fragments.albumArtists(of: main)
    }
    try tagValues.setValues(values, ofAlbum: id, old.trackCount, new.trackCount)
    try count(old, -1)
    try count(new, 1)
    for sort in AlbumSort.allCases {
      guard let list = sort.list, let oldKey = old.key(by: sort), let newKey = new.key(by: sort) else { continue }
      if old.trackCount > 0 { context.checkpoints.record(list, oldKey, id, -1) }
      if new.trackCount > 0 { context.checkpoints.record(list, newKey, id, 1) }
    }
    context.counts.current.albums += (new.trackCount > 0 ? 1 : 0) - (old.trackCount > 0 ? 1 : 0)
    try context.search.replace(album: id, old.searchText, with: new.searchText)
    if new.trackCount == 0, try !context.userData.isFavorite(.album, id) {
      return try context.connection.statement("DELETE FROM album WHERE id = ?", id).run()
    }
    try new.write(context.connection)
    for part in parts {
      try fragments.setListKey(part.id, part.listKey, new.listKey(part), trackCount: part.trackCount)
    }
  }

  /// Counts an album with its year and its genres (`delta` is 1), or undoes that (`delta` is -1).
  private func count(_ album: AlbumRow, _ delta: Int64) throws(StoreError) {
    guard album.trackCount > 0 else { return }
    years.countAlbum(album.year, delta)
    for name in album.genre?.split(separator: "\n") ?? [] {
      genres.countAlbum(try genres.findOrInsert(String(name)), delta)
    }
  }

  /// Returns the names of an album's genres, one per line, or nil if there are none.
  private func genreNames(ofAlbum id: Int64) throws(StoreError) -> String? {
    let names = try context.connection.statement(
      """
      SELECT DISTINCT g.name FROM part p JOIN part_genre x ON x.part = p.id JOIN genre g ON g.id = x.genre
      WHERE p.album = ? ORDER BY g.fold
      """, id
    ).map { $0.text(0) ?? "" }
    return names.isEmpty ? nil : names.joined(separator: "\n")
  }
}

// MARK: Tracks without an album artist

extension AlbumGrouping {
  /// The number of tracks of a fragment whose artists are compared.
  private static let maximumCompared = 256

  /// The fragments of one title in a folder: one whose tracks name no album artist, and one with the artist
  /// `artistFold`.
  private struct Pair {
    let unlabelled: Int64
    let labelled: Int64
    let artistFold: String
  }

  /// Moves tracks that name no album artist although the others of the album in their folder do to the album fragment
  /// of the others, in the folders of at most `limit` stale fragments.
  func joinUnlabelledTracks(limit: Int) throws(StoreError) {
    var seen: Set<Int64> = []
    for id in try fragments.staleIDs(limit: limit) {
      guard let row = try fragments.rows(where: "id", is: id).first, !row.titleFold.isEmpty,
        let pair = try pair(of: row),
        seen.insert(pair.unlabelled).inserted, try belongTogether(pair, row)
      else { continue }
      let unlabelled = try context.connection.statement("SELECT id FROM track WHERE part = ?", pair.unlabelled)
      for track in try unlabelled.integers() { try tracks.assign(track, to: pair.labelled) }
    }
  }

  /// Returns the fragments of the same title in a folder; nil unless one has no artist and exactly one has.
  private func pair(of row: AlbumFragmentRow) throws(StoreError) -> Pair? {
    let found = try context.connection.statement(
      """
      SELECT id, artist_fold FROM part WHERE folder = ? AND title_fold = ?
        AND EXISTS (SELECT 1 FROM track WHERE track.part = part.id)
      ORDER BY artist_fold LIMIT 3
      """, row.folder, row.titleFold
    ).map { (id: $0.integer(0) ?? 0, artistFold: $0.text(1) ?? "") }
    guard found.count == 2, found[0].artistFold.isEmpty else { return nil }
    return Pair(unlabelled: found[0].id, labelled: found[1].id, artistFold: found[1].artistFold)
  }

  /// Returns whether the tracks are of one album: no number occurs twice, and they have an artist in common or are the
  /// only album of their folder.
  private func belongTogether(_ pair: Pair, _ row: AlbumFragmentRow) throws(StoreError) -> Bool {
    let numbered = "(place & \(UInt32.max)) < \(AlbumFragmentTable.unnumbered)"
    let collisions = try context.connection.integer(
      """
      SELECT EXISTS (
        SELECT 1 FROM track WHERE part = \(pair.unlabelled) AND \(numbered)
          AND place IN (SELECT place FROM track WHERE part = \(pair.labelled)))
      """)
    guard collisions == 0 else { return false }
    if pair.artistFold == NameNormalization.various { return true }
    if try shareArtist(pair) { return true }
    return try context.connection.integer("SELECT count(DISTINCT title_fold) FROM part WHERE folder = \(row.folder)")
      == 1
  }

  private func shareArtist(_ pair: Pair) throws(StoreError) -> Bool {
    let wanted = Set(
      pair.artistFold.split(separator: ",").map { NameNormalization.fold(String($0)) } + [pair.artistFold])
    let rows = try context.connection.statement(
      "SELECT artist, artists FROM track WHERE part = ? LIMIT ?", pair.unlabelled, Self.maximumCompared)
    defer { rows.reset() }
    while try rows.step() {
      for name in (rows.text(1).map(TextList.values) ?? []) + [rows.text(0)].compactMap(\.self) {
        let fold = NameNormalization.fold(name)
        if wanted.contains(fold) || wanted.contains(NameNormalization.leadArtist(fold)) { return true }
      }
    }
    return false
  }
}

/// A row of the table `album`.
struct AlbumRow: Equatable {
  let id: Int64
  private(set) var title = ""
  /// The album artist, or nil for a compilation.
  private(set) var artist: String?
  /// The year, or 0 if it is unknown.
  private(set) var year: Int64 = 0
  private(set) var isCompilation = false
  private(set) var trackCount: Int64 = 0
  private(set) var discCount: Int64 = 0
  private(set) var duration: Int64 = 0
  private(set) var added: Int64 = 0
  /// The track whose picture is the album's cover.
  private(set) var art: Int64?
  /// The names of all genres of its tracks, one per line.
  private(set) var genre: String?
  /// The names of the composers, conductors and works of its tracks, one per line.
  private(set) var composers: String?
  private(set) var conductors: String?
  private(set) var works: String?
  /// The sort key by title, then artist.
  private(set) var titleKey: [UInt8] = []
  /// The sort key by artist, then year, then title.
  private(set) var artistKey: [UInt8] = []
}

extension AlbumRow {
  /// Returns the key of the album in the list with an order; nil if there is no such list.
  func key(by sort: AlbumSort) -> ListKey? {
    switch sort {
    case .title: .bytes(titleKey)
    case .artist: .bytes(artistKey)
    case .year: .number(year)
    case .added: .number(added)
    case .random: nil
    }
  }

  /// The text by which the search finds the album, or nil if the album has no tracks.
  var searchText: SearchText.Album? {
    trackCount > 0
      ? SearchText.Album(
        title: title, artist: artist, genre: genre, composer: composers, conductor: conductors, work: works,
        year: Int(year)) : nil
  }

  /// Sets the columns that are computed from the fragments. The largest fragment determines the title and the artist.
  ///
  /// - Parameters:
  ///   - genre: The names of all genres of the tracks, one per line.
  ///   - credits: The names of composers, conductors and works.
  mutating func combine(_ fragments: [AlbumFragmentRow], genre: String?, credits: [LibraryTag: [String]]) {
    self.genre = genre
    composers = Self.lines(credits[.composer])
    conductors = Self.lines(credits[.conductor])
    works = Self.lines(credits[.work])
    trackCount = fragments.reduce(0) { $0 + $1.trackCount }
    guard let main = Self.mainFragment(of: fragments) else { return }
    title = main.title
    artist = main.artist
    year = main.year
    isCompilation = main.isCompilation
    duration = fragments.reduce(0) { MediaTime.sum($0, $1.duration) }
    discCount = Int64(max(1, fragments.reduce(0) { $0 | $1.discs }.nonzeroBitCount))
    added = fragments.reduce(.max) { min($0, $1.added) }
    art = (fragments.first(where: \.hasArt) ?? main).art
    titleKey = main.titleKey + [0] + main.artistKey
    artistKey = main.artistKey + [0] + Self.bytes(UInt16(clamping: year)) + main.titleKey
  }

  /// Returns the fragment that determines the title and the artist of an album.
  static func mainFragment(of fragments: [AlbumFragmentRow]) -> AlbumFragmentRow? {
    fragments.max { $0.trackCount < $1.trackCount }
  }

  /// The number of composers, conductors and works by which the search finds an album.
  private static let maximumNames = 100

  private static func lines(_ names: [String]?) -> String? {
    names.flatMap { SearchText.lines(Array($0.prefix(maximumNames))) }
  }

  /// Returns the key of a fragment in the list of tracks by album: the title and artist of the album, then the disc.
  func listKey(_ fragment: AlbumFragmentRow) -> [UInt8] {
    titleKey + [0] + Self.bytes(UInt64(id)) + [UInt8(clamping: fragment.discs.trailingZeroBitCount)]
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// The columns, in the order of the table, of a favorite album that `UserDataRecovery` copies so that it keeps its
  /// id. The album has no tracks until they are scanned again.
  static let recoveredColumns = """
    id, identity, title, artist, year, compilation, 0, disc_count, 0, added, NULL, NULL, title_key, artist_key, NULL,
    NULL, NULL, NULL, NULL
    """

  private static let columns = """
    id, title, artist, year, compilation, track_count, disc_count, duration, added, art, genre, title_key,
    artist_key, composers, conductors, works
    """

  /// Returns nil if there is no such album.
  init?(_ id: Int64, _ connection: SQLiteConnection) throws(StoreError) {
    let find = try connection.statement("SELECT \(Self.columns) FROM album WHERE id = ?", id)
    guard let row = try find.first({ AlbumRow($0) }) else { return nil }
    self = row
  }

  private init(_ row: SQLiteStatement) {
    self.init(
      id: row.integer(0) ?? 0, title: row.text(1) ?? "", artist: row.text(2), year: row.integer(3) ?? 0,
      isCompilation: row.integer(4) == 1, trackCount: row.integer(5) ?? 0, discCount: row.integer(6) ?? 0,
      duration: row.integer(7) ?? 0, added: row.integer(8) ?? 0, art: row.integer(9), genre: row.text(10),
      composers: row.text(13), conductors: row.text(14), works: row.text(15), titleKey: row.blob(11),
      artistKey: row.blob(12))
  }

  func write(_ connection: SQLiteConnection) throws(StoreError) {
    try connection.statement(
      """
      UPDATE album SET title = ?1, artist = ?2, year = ?3, compilation = ?4, track_count = ?5, disc_count = ?6,
        duration = ?7, added = ?8, art = ?9, genre = ?10, title_key = ?11, artist_key = ?12,
        composers = ?14, conductors = ?15, works = ?16, (art_folder, art_name) = (SELECT folder, name FROM track WHERE track.id = ?9)
      WHERE id = ?13
      """, title, artist, year, isCompilation, trackCount, discCount, duration, added, art, genre, titleKey, artistKey,
      id, composers, conductors, works
    ).run()
  }
}
