// On the thread "index" only.

internal import SegueSystem
internal import SegueWire

extension LibraryWriter {
  /// Tells the search of new tracks that it was not told of, `most` of them: a row a track as they come in would be the
  /// greater half of what a scan costs, and many at once cost less.
  func tellSearch(_ most: Int64) throws(StoreError) {
    let rows = try connection.statement(
      """
      SELECT id, name, title, artist, artists, album, album_artist, composer, genre, year, codec, container
      FROM track WHERE id > ? ORDER BY id LIMIT ?
      """)
    rows.bind(1, searched)
    rows.bind(2, most)
    if search.learnsAnew(after: Int(newest - searched), of: counts.tracks) { search.newWords.loseTrack() }
    defer { rows.reset() }
    var count = 0
    while try rows.step() {
      let id = rows.integer(0) ?? 0
      try search.replace(track: id, nil, with: SearchText(rows))
      searched = id
      count += 1
    }
    // The last ones may be gone by now.
    if count < most { searched = newest }
    if count >= Self.mostSearchedInStep { hasToldMany = true }
  }

  /// As `SearchWriter.replace(loved:)`, behind what waits already.
  func replace(loved id: Int64, _ old: SearchText, with new: SearchText?) {
    guard hasUserRows else { return }
    searchChanges.add { search throws(StoreError) in try search.replace(loved: id, old, with: new) }
  }
}

extension SearchText {
  /// From a row of `tellSearch`.
  fileprivate init(_ row: SQLiteStatement) {
    var metadata = Metadata()
    metadata.title = row.text(2)
    metadata.artist = row.text(3)
    metadata.artists = row.text(4).map(TextList.values) ?? metadata.artist.map { [$0] } ?? []
    metadata.album = row.text(5)
    metadata.albumArtist = row.text(6)
    metadata.composer = row.text(7)
    metadata.genre = row.text(8).map(TextList.values) ?? []
    metadata.year = row.integer(9).flatMap { $0 == 0 ? nil : Int($0) }
    self.init(metadata, row.blob(1), codec: row.text(10) ?? "", container: row.text(11) ?? "")
  }

  /// `name`: the file's.
  init(_ metadata: Metadata, _ name: [UInt8], codec: String, container: String) {
    var names = metadata.people
    if let composer = metadata.composer { names.append(composer) }
    // Somebody may search for several artists as the file writes them.
    if metadata.artists.count > 1, let artist = metadata.artist { names.append(artist) }
    self.init(
      title: metadata.title ?? FilePath(bytes: name).stem, artist: names.isEmpty ? nil : names.joined(separator: "\n"),
      album: metadata.album, genre: metadata.genre.isEmpty ? nil : metadata.genre.joined(separator: "\n"),
      year: metadata.year ?? 0, formats: codec == container ? [codec] : [codec, container])
  }
}

extension Metadata {
  /// Its artists, the one it is sorted by first, then its album's, each once.
  var people: [String] {
    var names = artists.isEmpty ? artist.map { [$0] } ?? [] : artists
    if let albumArtist {
      // As most are.
      if names == [albumArtist] { return NameNormalization.isBlank(albumArtist) ? [] : names }
      if !NameNormalization.isVarious(NameNormalization.fold(albumArtist)) { names.append(albumArtist) }
    }
    names.removeAll(where: NameNormalization.isBlank)
    if names.count < 2 { return names }
    var seen: Set<String> = []
    return names.filter { seen.insert(NameNormalization.fold($0)).inserted }
  }
}
