// On the thread "index" only.

extension LibraryWriter {
  /// Parts of one kin (artist and title) that are one album.
  private struct Group {
    /// What sets it apart from others of its kin.
    var mark: String
    var years: Set<Int64> = []
    var parts: [AlbumFragmentRow] = []
  }

  /// Makes albums of the parts of one kin: those of one release are one, and of those that name no release those of one
  /// year. Who says nothing of the kind goes with the first.
  func group(_ kin: String, _ affected: inout Affected) throws(StoreError) {
    var groups: [Group] = []
    let parts = try AlbumFragmentRow.all(ofKin: kin, connection)
    for part in parts where part.release != nil { Self.add(part, to: &groups, "release \(part.release ?? "")") }
    for part in parts where part.release == nil && part.year != 0 {
      let mark = groups.first { $0.years.contains(part.year) }?.mark
      Self.add(part, to: &groups, mark ?? "year \(part.year)")
    }
    for part in parts where part.release == nil && part.year == 0 {
      Self.add(part, to: &groups, groups.first?.mark ?? "year 0")
    }
    var taken: Set<Int64> = []
    for group in groups {
      let identity = "\(kin)\u{1F}\(group.mark)"
      let album = try number(of: group, kin, identity, taken)
      taken.insert(album)
      affected.albums.insert(album)
      for part in group.parts where part.album != album { try move(part, to: album, &affected) }
    }
  }

  private static func add(_ part: AlbumFragmentRow, to groups: inout [Group], _ mark: String) {
    let index = groups.firstIndex { $0.mark == mark } ?? groups.count
    if index == groups.count { groups.append(Group(mark: mark)) }
    groups[index].parts.append(part)
    if part.year != 0 { groups[index].years.insert(part.year) }
  }

  /// The number that the album had, or a new one.
  private func number(
    of group: Group, _ kin: String, _ identity: String, _ taken: Set<Int64>
  ) throws(StoreError) -> Int64 {
    for part in group.parts {
      guard let album = part.album, !taken.contains(album), try isFree(album, for: kin) else { continue }
      return album
    }
    let find = try connection.statement("SELECT id FROM album WHERE identity = ?")
    find.bind(1, identity)
    let known = try find.step() ? find.integer(0) : nil
    find.reset()
    if let known, !taken.contains(known), try isFree(known, for: kin) { return known }
    let insert = try connection.statement(
      """
      INSERT INTO album (identity, title, year, compilation, track_count, disc_count, duration, added, title_key, artist_key)
      VALUES (?, '', 0, 0, 0, 0, 0, 0, x'', x'')
      """)
    insert.bind(1, identity)
    try insert.run()
    return connection.lastRow
  }

  /// Whether no part of another kin is of this album.
  private func isFree(_ album: Int64, for kin: String) throws(StoreError) -> Bool {
    let find = try connection.statement(
      """
      SELECT EXISTS (SELECT 1 FROM album WHERE id = ?1)
        AND NOT EXISTS (SELECT 1 FROM part WHERE album = ?1 AND kin IS NOT ?2)
      """)
    find.bind(1, album)
    find.bind(2, kin)
    defer { find.reset() }
    return try find.step() && find.integer(0) == 1
  }

  private func move(_ part: AlbumFragmentRow, to album: Int64, _ affected: inout Affected) throws(StoreError) {
    let update = try connection.statement("UPDATE part SET album = ? WHERE id = ?")
    update.bind(1, album)
    update.bind(2, part.id)
    try update.run()
    if let old = part.album { affected.albums.insert(old) }
    let heard = try connection.statement("SELECT artist FROM part_artist WHERE part = ?")
    heard.bind(1, part.id)
    defer { heard.reset() }
    while try heard.step() { affected.artists.insert(heard.integer(0) ?? 0) }
  }

  /// Writes down what the parts of an album come to, and puts it in its place in the lists.
  func sumUp(_ id: Int64) throws(StoreError) {
    guard let old = try AlbumRow(id, connection) else { return }
    var new = old
    let parts = try AlbumFragmentSummary.all(of: id, connection)
    new.sum(parts)
    new.genre = try genres(ofAlbum: id)
    for list in AlbumRow.lists {
      if old.trackCount > 0 { marks.note(list, old.key(of: list), id, -1) }
      if new.trackCount > 0 { marks.note(list, new.key(of: list), id, 1) }
    }
    counts.albums += (new.trackCount > 0 ? 1 : 0) - (old.trackCount > 0 ? 1 : 0)
    let (oldText, newText) = (old.searchText, new.searchText)
    if oldText != newText {
      searchChanges.add { search throws(StoreError) in try search.replace(album: id, oldText, with: newText) }
      if searchChanges.isFull { try searchChanges.write(search) }
      unsettled += 1
    }
    if new.trackCount == 0, try !isFavorite(.album, id) {
      let delete = try connection.statement("DELETE FROM album WHERE id = ?")
      delete.bind(1, id)
      return try delete.run()
    }
    try new.write(connection)
    for part in parts { try list(part.id, part.listKey, part.trackCount, under: new.listKey(part)) }
  }

  /// A line each; nil if there are none.
  private func genres(ofAlbum id: Int64) throws(StoreError) -> String? {
    let rows = try connection.statement(
      """
      SELECT DISTINCT g.name FROM part p JOIN part_genre x ON x.part = p.id JOIN genre g ON g.id = x.genre
      WHERE p.album = ? ORDER BY g.fold
      """)
    rows.bind(1, id)
    defer { rows.reset() }
    var names: [String] = []
    while try rows.step() { names.append(rows.text(0) ?? "") }
    return names.isEmpty ? nil : names.joined(separator: "\n")
  }

  /// On how many albums an artist is heard.
  func countAlbums(_ artist: Int64) throws(StoreError) {
    let update = try connection.statement(
      """
      UPDATE artist SET album_count = (
        SELECT count(DISTINCT p.album) FROM part_artist a JOIN part p ON p.id = a.part
        WHERE a.artist = ?1 AND p.album IS NOT NULL
      ) WHERE id = ?1
      """)
    update.bind(1, artist)
    try update.run()
  }
}
