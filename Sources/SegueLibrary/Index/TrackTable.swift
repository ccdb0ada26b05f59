// On the thread "index" only.

internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// A track's row, with all that hangs on it.
extension LibraryWriter {
  func read(_ id: Int64) throws(StoreError) -> TrackRow? {
    let find = statements.readTrack
    find.bind(1, id)
    defer { find.reset() }
    return try find.step() ? TrackRow(find) : nil
  }

  /// Writes `row`, in place of `old` under its number, with all that hangs on it.
  func enter(
    _ row: inout TrackRow, keys: SortKeys, _ details: TagDetails, instead old: TrackRow?
  ) throws(StoreError) {
    if let old { (row.id, row.added, row.rating) = (old.id, old.added, old.rating) }
    try findPart(&row, keys, instead: old)
    let people = try people(of: row, keys, details)
    row.mainArtist = people.first ?? 0
    if let old { try unlink(old) }
    let isKnownToUser = old == nil && hasUserRows
    if isKnownToUser { row.rating = Int64(try rating(uri(row)) ?? TrackRow.unrated) }
    try write(&row, people)
    if keys.title.isEmpty { try noteUnsorted(.track, row.id) }
    if row.id > searched {
      newest = max(newest, row.id)
      if let old { replace(loved: row.id, old.searchText, with: row.searchText) }
    } else {
      let (id, oldText, newText) = (row.id, old?.searchText, row.searchText)
      searchChanges.add { search throws(StoreError) in try search.replace(track: id, oldText, with: newText) }
    }
    unsettled += 1
    if isKnownToUser { try link(row) } else if old != nil, hasUserRows { try regard(row) }
  }

  /// Writes the row and counts it.
  private func write(_ row: inout TrackRow, _ people: [Int64]) throws(StoreError) {
    row.bind(to: statements.writeTrack)
    try statements.writeTrack.run()
    if row.id == 0 { row.id = connection.lastRow }
    counts.tracks += 1
    count(row, 1)
    staleParts.insert(row.part)
    for person in people.isEmpty ? [0] : people {
      let isMain = person == row.mainArtist
      bind(row, person, isMain, to: statements.addArtist)
      try statements.addArtist.run()
      count(person, isMain, 1)
    }
    for genre in row.genres {
      let genre = try self.genre(likeBefore: genre)
      statements.addGenre.bind(1, genre)
      statements.addGenre.bind(2, row.id)
      try statements.addGenre.run()
      genreChanges[genre, default: 0] += 1
    }
  }

  /// Takes back what `write` did, but for the row itself.
  private func unlink(_ row: TrackRow) throws(StoreError) {
    counts.tracks -= 1
    count(row, -1)
    staleParts.insert(row.part)
    var people: [Int64] = []
    for name in row.artists { people.append(try knownArtist(name)) }
    for person in people.isEmpty ? [0] : people {
      let isMain = person == row.mainArtist
      bind(row, person, isMain, to: statements.removeArtist)
      try statements.removeArtist.run()
      count(person, isMain, -1)
    }
    for genre in row.genres {
      let genre = try self.genre(genre)
      statements.removeGenre.bind(1, genre)
      statements.removeGenre.bind(2, row.id)
      try statements.removeGenre.run()
      genreChanges[genre, default: 0] -= 1
    }
  }

  /// Writes `row`, which is `old` in another place.
  func refile(_ row: inout TrackRow, instead old: TrackRow) throws(StoreError) {
    let find = try connection.statement("SELECT title_key, artist_key FROM part WHERE id = ?")
    find.bind(1, old.part)
    defer { find.reset() }
    let isThere = try find.step()
    let keys = SortKeys(
      title: row.titleKey, album: isThere ? find.blob(0) : [], albumArtist: isThere ? find.blob(1) : [])
    try enter(&row, keys: keys, TagDetails(), instead: old)
  }

  func remove(_ id: Int64) throws(StoreError) {
    guard let row = try read(id) else { return }
    try unlink(row)
    statements.deleteTrack.bind(1, id)
    try statements.deleteTrack.run()
    let text = row.searchText
    if id > searched {
      replace(loved: id, text, with: nil)
    } else {
      searchChanges.add { search throws(StoreError) in try search.replace(track: id, text, with: nil) }
    }
    if searchChanges.isFull { try searchChanges.write(search) }
    unsettled += 1
    if hasUserRows { try unlinkFavorite(.track, id) }
  }

  private func count(_ row: TrackRow, _ delta: Int64) {
    guard marks.areFresh else { return }
    marks.note(.tracksByTitle, .bytes(row.titleKey), row.id, delta)
    marks.note(.tracksByYear, .number(Int64(row.metadata.year ?? 0)), row.id, delta)
    marks.note(.tracksByAdded, .number(row.added.nanoseconds), row.id, delta)
    marks.note(.tracksByRating, .number(row.rating), row.id, delta)
  }

  private func count(_ artist: Int64, _ isMain: Bool, _ delta: Int64) {
    // The nobody of tracks without an artist is no artist that anybody sees.
    if artist != 0 { artistChanges[artist, default: ArtistChange()].tracks += delta }
    if isMain { artistChanges[artist, default: ArtistChange()].main += delta }
  }

  private func bind(_ row: TrackRow, _ artist: Int64, _ isMain: Bool, to statement: SQLiteStatement) {
    statement.bind(1, artist)
    statement.bind(2, isMain ? 1 : 0)
    statement.bind(3, row.part)
    statement.bind(4, row.place)
    statement.bind(5, row.id)
  }

  /// As `genre`, which the track before mostly has, too.
  private func genre(likeBefore name: String) throws(StoreError) -> Int64 {
    if let lastGenre, lastGenre.name == name { return lastGenre.id }
    let id = try genre(name)
    lastGenre = (name, id)
    return id
  }

  /// The numbers of `row.artists`, mostly those of the track before.
  private func people(of row: TrackRow, _ keys: SortKeys, _ details: TagDetails) throws(StoreError) -> [Int64] {
    if let lastPeople, lastPeople.hold(for: row, keys, details) { return lastPeople.numbers }
    let numbers = try findPeople(of: row, keys, details)
    lastPeople = CachedTrackArtists(row, keys, details, numbers)
    return numbers
  }

  private func findPeople(of row: TrackRow, _ keys: SortKeys, _ details: TagDetails) throws(StoreError) -> [Int64] {
    var numbers: [Int64] = []
    let metadata = row.metadata
    for name in row.artists {
      if let place = metadata.artists.firstIndex(of: name), metadata.artists.count > 1, place < keys.artists.count {
        numbers.append(try artist(name, key: keys.artists[place]))
      } else if name == metadata.artist || metadata.artists == [name] {
        let isGiven = details.artistSort != nil && row.range == nil
        numbers.append(try artist(name, key: keys.artist, isGiven: isGiven))
      } else {
        let isAlbumArtist = name == metadata.albumArtist
        numbers.append(
          try artist(
            name, key: isAlbumArtist ? keys.albumArtist : [],
            isGiven: isAlbumArtist && details.albumArtistSort != nil && row.range == nil))
      }
    }
    return numbers
  }
}
