// On the thread "index" only.

internal import SegueLink
internal import SegueSystem
internal import SegueWire

extension LibraryWriter {
  /// Makes albums and counts true again after `put`, `remove` and `rename`, and after those of a process that ended
  /// before it came to that. Until then what is new is in no album, and most of it is not found. Costs by what was
  /// changed; looks at `most` parts of albums, and is to be called again if it answers true.
  @discardableResult
  public func finishScan(most: Int = .max) throws(StoreError) -> Bool {
    try flush()
    var affected = Affected()
    let stale = try staleRows(most)
    for part in stale { try survey(part, &affected) }
    for kin in affected.kins { try group(kin, &affected) }
    for album in affected.albums { try sumUp(album) }
    for artist in affected.artists { try countAlbums(artist) }
    if let last = stale.last { try connection.execute("DELETE FROM stale WHERE part <= \(last)") }
    try flush()
    if stale.count == most { return true }
    isScanning = false
    try marks.renew(connection)
    if unsettled > 0 || isTelling { isSettling = true }
    return false
  }

  /// Puts the search in order after a scan, some milliseconds' worth; true while there is more to do.
  func settle() throws(StoreError) -> Bool {
    isSettleDue = false
    guard !isScanning else { return false }
    if isTelling {
      try tellSearch(Self.mostSearchedInStep)
    } else {
      isSettling = try search.settle(changes: Int(unsettled))
      unsettled = 0
    }
    try flush()
    isSettleDue = isSettling
    return isSettling
  }

  /// What has to be made true again.
  struct Affected {
    var kins: Set<String> = []
    var albums: Set<Int64> = []
    var artists: Set<Int64> = []
  }

  private func staleRows(_ most: Int) throws(StoreError) -> [Int64] {
    let rows = try connection.statement("SELECT part FROM stale ORDER BY part LIMIT ?")
    rows.bind(1, Int64(most))
    defer { rows.reset() }
    return try rows.integers()
  }

  /// Looks at the tracks of a part and writes down what they have in common.
  private func survey(_ part: Int64, _ affected: inout Affected) throws(StoreError) {
    guard let old = try AlbumFragmentRow(part, connection) else { return }
    let found = try AlbumFragmentAggregate(part, old.artistFold, self)
    if let kin = old.kin { affected.kins.insert(kin) }
    if let album = old.album { affected.albums.insert(album) }
    try relate(part, "part_artist", "artist", to: found.artists) { affected.artists.insert($0) }
    try relate(part, "part_genre", "genre", to: found.genres) { _ in }
    guard found.trackCount > 0 else {
      if let key = old.listKey { marks.note(.tracksByAlbum, .bytes(key), part, -old.trackCount) }
      let delete = try connection.statement("DELETE FROM part WHERE id = ?")
      delete.bind(1, part)
      try delete.run()
      parts = [:]
      return
    }
    let kin = kin(of: found, old)
    if let kin { affected.kins.insert(kin) }
    let update = try connection.statement(
      """
      UPDATE part SET kin = ?, artist = ?, release = ?, year = ?, compilation = ?, track_count = ?, duration = ?,
        discs = ?, added = ?, art = ?, has_art = ?, artist_key = ? WHERE id = ?
      """)
    update.bind(1, kin)
    update.bind(2, found.artist)
    update.bind(3, found.release)
    update.bind(4, Int64(found.year))
    update.bind(5, found.artistFold == NameNormalization.various ? 1 : 0)
    update.bind(6, found.trackCount)
    update.bind(7, found.duration)
    update.bind(8, Int64(bitPattern: found.discs))
    update.bind(9, found.added)
    update.bind(10, found.art)
    update.bind(11, found.hasArt ? 1 : 0)
    update.bind(12, blob: try artistKey(of: found, old))
    update.bind(13, part)
    try update.run()
    if let key = old.listKey {
      marks.note(.tracksByAlbum, .bytes(key), part, found.trackCount - old.trackCount)
    }
    if kin == nil { try list(part, old.listKey, found.trackCount, under: try looseKey(old.folder)) }
  }

  /// nil for what names no album.
  private func kin(of found: AlbumFragmentAggregate, _ part: AlbumFragmentRow) -> String? {
    guard !part.titleFold.isEmpty else { return nil }
    // Where only the folder holds it together, of another folder's album of that title nothing is known.
    let place = found.isScattered ? "\u{1F}\(part.folder)" : ""
    return "\(found.artistFold)\u{1F}\(part.titleFold)\(place)"
  }

  private func artistKey(of found: AlbumFragmentAggregate, _ old: AlbumFragmentRow) throws(StoreError) -> [UInt8] {
    if found.artistFold == NameNormalization.various { return [0xFF] }
    if !old.artistFold.isEmpty, !old.artistKey.isEmpty { return old.artistKey }
    let find = try connection.statement("SELECT sort_key FROM artist WHERE fold = ?")
    find.bind(1, found.artistFold)
    defer { find.reset() }
    return try find.step() ? find.blob(0) : SortKeys.byLetters(found.artistFold)
  }

  /// What belongs to no album comes behind the albums, in the order of the folders.
  private func looseKey(_ folder: Int64) throws(StoreError) -> [UInt8] { [0xFF] + (try path(ofFolder: folder).bytes) }

  /// Puts a part under `key` in the list of the tracks by album.
  func list(_ part: Int64, _ old: [UInt8]?, _ count: Int64, under key: [UInt8]) throws(StoreError) {
    guard old != key else { return }
    let update = try connection.statement("UPDATE part SET list_key = ? WHERE id = ?")
    update.bind(1, blob: key)
    update.bind(2, part)
    try update.run()
    if let old { marks.note(.tracksByAlbum, .bytes(old), part, -count) }
    marks.note(.tracksByAlbum, .bytes(key), part, count)
  }

  /// Makes the rows of `part` in a table of pairs these and no others; tells of those that came or went.
  private func relate(
    _ part: Int64, _ table: String, _ column: String, to wanted: Set<Int64>, _ changed: (Int64) -> Void
  ) throws(StoreError) {
    let rows = try connection.statement("SELECT \(column) FROM \(table) WHERE part = ?")
    rows.bind(1, part)
    var present: Set<Int64> = []
    while try rows.step() { present.insert(rows.integer(0) ?? 0) }
    rows.reset()
    let insert = try connection.statement("INSERT INTO \(table) (\(column), part) VALUES (?, ?)")
    for id in wanted.subtracting(present) {
      insert.bind(1, id)
      insert.bind(2, part)
      try insert.run()
      changed(id)
    }
    let delete = try connection.statement("DELETE FROM \(table) WHERE \(column) = ? AND part = ?")
    for id in present.subtracting(wanted) {
      delete.bind(1, id)
      delete.bind(2, part)
      try delete.run()
      changed(id)
    }
  }
}
