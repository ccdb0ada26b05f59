// On the thread "index" only.

internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// Sort keys are made by workers. Keys come with the facts of a file; what else is sorted (the tracks of cue sheets,
/// genres) is noted in the table `unsorted` until a worker was asked, and so is everything once the order is another
/// one.
extension LibraryWriter {
  /// All keys are to be of the order that is called `collation`. True if they are of another; of those that nobody
  /// asked about yet it is the order.
  func adopt(collation: String) throws(StoreError) -> Bool {
    let name = Int64(bitPattern: FolderDigest.hash(Array(collation.utf8)))
    let known = try Meta.read(.collation, connection)
    if known == name { return false }
    try Meta.write(.collation, name, connection)
    if known == 0 { return false }
    for (kind, table) in [
      (PendingSortKey.Kind.track, "track"), (.artist, "artist"), (.album, "part"), (.albumArtist, "part"),
      (.genre, "genre"),
    ] {
      try connection.execute("INSERT OR IGNORE INTO unsorted (kind, id) SELECT \(kind.rawValue), id FROM \(table)")
    }
    return true
  }

  func noteUnsorted(_ kind: PendingSortKey.Kind, _ id: Int64) throws(StoreError) {
    let insert = try connection.statement("INSERT OR IGNORE INTO unsorted (kind, id) VALUES (?, ?)")
    insert.bind(1, kind.rawValue)
    insert.bind(2, id)
    try insert.run()
  }

  /// At most `most`; none if there are no more.
  func pendingSortKeys(_ most: Int) throws(StoreError) -> [PendingSortKey] {
    var texts: [PendingSortKey] = []
    while texts.isEmpty {
      let rows = try connection.statement("SELECT kind, id FROM unsorted LIMIT ?")
      rows.bind(1, Int64(most))
      var found: [(kind: PendingSortKey.Kind, id: Int64)] = []
      while try rows.step() {
        guard let kind = rows.integer(0).flatMap(PendingSortKey.Kind.init) else { continue }
        found.append((kind, rows.integer(1) ?? 0))
      }
      rows.reset()
      if found.isEmpty { break }
      for (kind, id) in found {
        if let text = try text(kind, id), !text.text.isEmpty {
          texts.append(PendingSortKey(kind: kind, id: id, text: text))
        } else {
          try forgetUnsorted(kind, id)
        }
      }
    }
    return texts
  }

  /// `keys`: one each.
  func sort(_ texts: [PendingSortKey], _ keys: [[UInt8]]) throws(StoreError) {
    for (text, key) in zip(texts, keys) {
      if !key.isEmpty { try setKey(text.kind, text.id, key) }
      try forgetUnsorted(text.kind, text.id)
    }
    try flush()
  }

  private func forgetUnsorted(_ kind: PendingSortKey.Kind, _ id: Int64) throws(StoreError) {
    let delete = try connection.statement("DELETE FROM unsorted WHERE kind = ? AND id = ?")
    delete.bind(1, kind.rawValue)
    delete.bind(2, id)
    try delete.run()
  }

  func setKey(_ kind: PendingSortKey.Kind, _ id: Int64, _ key: [UInt8]) throws(StoreError) {
    let (table, column) =
      switch kind {
      case .track: ("track", "title_key")
      case .artist: ("artist", "sort_key")
      case .album: ("part", "title_key")
      case .albumArtist: ("part", "artist_key")
      case .genre: ("genre", "sort_key")
      }
    let find = try connection.statement("SELECT \(column) FROM \(table) WHERE id = ?")
    find.bind(1, id)
    defer { find.reset() }
    guard try find.step() else { return }
    let old = find.blob(0)
    guard old != key else { return }
    find.reset()
    let update = try connection.statement("UPDATE \(table) SET \(column) = ? WHERE id = ?")
    update.bind(1, blob: key)
    update.bind(2, id)
    try update.run()
    switch kind {
    case .track:
      marks.note(.tracksByTitle, .bytes(old), id, -1)
      marks.note(.tracksByTitle, .bytes(key), id, 1)
    case .artist: try noteResorted(id, old, key)
    // What the album's rows make of it `finishScan` finds out.
    case .album, .albumArtist: staleParts.insert(id)
    case .genre: break
    }
  }

  /// What it is sorted by: a name that a file gives for that goes before its own. nil for what is gone.
  private func text(_ kind: PendingSortKey.Kind, _ id: Int64) throws(StoreError) -> CollationInput? {
    let sql =
      switch kind {
      case .track: "SELECT title, details, name FROM track WHERE id = ?1"
      case .artist: "SELECT name FROM artist WHERE id = ?1"
      case .album:
        """
        SELECT title, (SELECT details FROM track WHERE part = ?1 ORDER BY place, id LIMIT 1) FROM part
        WHERE id = ?1 AND title_fold <> ''
        """
      case .albumArtist:
        """
        SELECT t.album_artist, t.details FROM part p JOIN track t ON t.part = p.id
        WHERE p.id = ?1 AND p.artist_fold NOT IN ('', '\(NameNormalization.various)') ORDER BY t.place, t.id LIMIT 1
        """
      case .genre: "SELECT name FROM genre WHERE id = ?1"
      }
    let row = try connection.statement(sql)
    row.bind(1, id)
    defer { row.reset() }
    guard try row.step() else { return nil }
    let text = row.text(0)
    switch kind {
    case .track:
      let tags = TrackDetails(text: row.text(1)).tags
      return CollationInput(text ?? FilePath(bytes: row.blob(2)).stem, sortName: tags.titleSort)
    case .artist: return CollationInput(text ?? "", sortName: try sortName(ofArtist: id, text ?? ""))
    case .album: return CollationInput(text ?? "", sortName: TrackDetails(text: row.text(1)).tags.albumSort)
    case .albumArtist: return CollationInput(text ?? "", sortName: TrackDetails(text: row.text(1)).tags.albumArtistSort)
    case .genre: return CollationInput(text ?? "")
    }
  }

  /// The name that one of his tracks gives for sorting; a few are looked at.
  private func sortName(ofArtist id: Int64, _ name: String) throws(StoreError) -> String? {
    let rows = try connection.statement(
      """
      SELECT t.artist, t.album_artist, t.details FROM track_artist x JOIN track t ON t.id = x.track
      WHERE x.artist = ? AND t.details IS NOT NULL LIMIT 8
      """)
    rows.bind(1, id)
    defer { rows.reset() }
    let fold = NameNormalization.fold(name)
    while try rows.step() {
      let tags = TrackDetails(text: rows.text(2)).tags
      for (written, sortName) in [(rows.text(0), tags.artistSort), (rows.text(1), tags.albumArtistSort)] {
        if let sortName, let written, NameNormalization.fold(written) == fold { return sortName }
      }
    }
    return nil
  }
}
