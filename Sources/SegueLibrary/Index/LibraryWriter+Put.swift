// On the thread "index" only.

internal import Glibc
internal import SegueLink
public import SegueSystem
internal import SegueWire

extension LibraryWriter {
  /// Adds what was found or writes it anew. A file that was elsewhere before keeps its row, and what the user made of
  /// it follows. Some hundred at once are best: a portion costs about as much as ten files.
  public func put(_ files: [ScannedFile]) throws(StoreError) {
    isScanning = true
    let now = WallTime.now
    for file in files { try put(file, at: now) }
    try flush()
  }

  private func put(_ file: ScannedFile, at now: WallTime) throws(StoreError) {
    let folder = try folder(file.path.parent)
    let name = Array(file.path.lastComponent)
    var old = try tracks(folder, name)
    switch file.result {
    case .failure(let failure):
      for track in old { try remove(track.id) }
      try remember(failure, of: file, folder, name)
    case .success(let facts):
      if counts.failed > 0 { try forgetFailure(folder, name) }
      if old.isEmpty { old = try adopt(file.stamp, folder, name) }
      for var row in TrackRow.rows(of: file, facts) {
        row.folder = folder
        row.added = now
        let range = row.range?.start ?? -1
        var before: TrackRow?
        if let index = old.firstIndex(where: { $0.range == range }) {
          before = try read(old.remove(at: index).id)
        }
        try enter(&row, keys: row.range == nil ? facts.sortKeys : file.keys(range), facts.details, instead: before)
      }
      for track in old { try remove(track.id) }
    }
  }

  /// Takes files out of the index, and what failed; what the user made stays, by its URI.
  public func remove(_ files: [FilePath]) throws(StoreError) {
    for file in files {
      guard let folder = try knownFolder(file.parent) else { continue }
      let name = Array(file.lastComponent)
      for track in try tracks(folder, name) { try remove(track.id) }
      try forgetFailure(folder, name)
      try prune(folder)
    }
    try flush()
  }

  // MARK: Rows

  /// The tracks of a file: their numbers, and where each begins (-1 for a whole file).
  func tracks(_ folder: Int64, _ name: [UInt8]) throws(StoreError) -> [(id: Int64, range: Int64)] {
    let find = statements.tracksOfFile
    find.bind(1, folder)
    find.bind(2, blob: name)
    defer { find.reset() }
    var tracks: [(Int64, Int64)] = []
    while try find.step() { tracks.append((find.integer(0) ?? 0, find.integer(1) ?? -1)) }
    return tracks
  }

  func read(_ id: Int64) throws(StoreError) -> TrackRow? {
    let find = statements.readTrack
    find.bind(1, id)
    defer { find.reset() }
    return try find.step() ? TrackRow(find) : nil
  }

  /// Writes `row`, in place of `old` under its number, with all that hangs on it.
  private func enter(
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
      let genre = try self.genre(genre)
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

  // MARK: Names

  /// The numbers of `row.artists`.
  private func people(of row: TrackRow, _ keys: SortKeys, _ details: TagDetails) throws(StoreError) -> [Int64] {
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

  /// Fills in `part` and `place`. A part that is new takes the album's number from where the track was before, so that
  /// a corrected title makes no other album.
  private func findPart(_ row: inout TrackRow, _ keys: SortKeys, instead old: TrackRow?) throws(StoreError) {
    let home = try home(ofFolder: row.folder)
    let (title, titleDisc) = Filing.withoutDisc(row.metadata.album ?? "")
    var place = PartPlace(folder: home.part, titleFold: Filing.fold(title), artistFold: "")
    if !place.titleFold.isEmpty {
      place.artistFold = Filing.fold(row.metadata.albumArtist ?? "")
      if Filing.isVarious(place.artistFold) || (place.artistFold.isEmpty && row.flags.contains(.isCompilation)) {
        place.artistFold = Filing.various
      }
    }
    row.part = try part(place, title, keys, claiming: old?.part)

    let disc = Int64((row.metadata.disc ?? home.disc ?? titleDisc ?? 1).clamped(to: 0...9999))
    // Behind those that have a number those whose name has one, and then the rest.
    let number =
      row.metadata.track.map { $0.clamped(to: 0...0xFF_FFFF) }
      ?? Filing.leadingNumber(row.name).map { 0x100_0000 + $0 } ?? 0x200_0000
    row.place = disc << 32 | Int64(number)
  }

  private func part(
    _ place: PartPlace, _ title: String, _ keys: SortKeys, claiming old: Int64?
  ) throws(StoreError) -> Int64 {
    if let id = parts[place] { return id }
    let find = try connection.statement(
      "SELECT id, title_key FROM part WHERE folder = ? AND title_fold = ? AND artist_fold = ?")
    find.bind(1, place.folder)
    find.bind(2, place.titleFold)
    find.bind(3, place.artistFold)
    defer { find.reset() }
    let titleKey = keys.album.isEmpty ? SortKeys.byLetters(title) : keys.album
    let artistKey = place.artistFold == Filing.various ? [0xFF] : keys.albumArtist
    if try find.step() {
      let id = find.integer(0) ?? 0
      if !keys.album.isEmpty, find.blob(1) != titleKey {
        let update = try connection.statement("UPDATE part SET title_key = ?, artist_key = ? WHERE id = ?")
        update.bind(1, blob: titleKey)
        update.bind(2, blob: artistKey)
        update.bind(3, id)
        try update.run()
      }
      parts[place] = id
      return id
    }
    let insert = try connection.statement(
      """
      INSERT INTO part (folder, title_fold, artist_fold, title, title_key, artist_key, album)
      VALUES (?, ?, ?, ?, ?, ?, (SELECT album FROM part WHERE id = ?))
      """)
    insert.bind(1, place.folder)
    insert.bind(2, place.titleFold)
    insert.bind(3, place.artistFold)
    insert.bind(4, title)
    insert.bind(5, blob: titleKey)
    insert.bind(6, blob: artistKey)
    insert.bind(7, place.titleFold.isEmpty ? nil : old)
    try insert.run()
    let id = connection.lastRow
    if keys.album.isEmpty { try noteUnsorted(.album, id) }
    if keys.albumArtist.isEmpty { try noteUnsorted(.albumArtist, id) }
    parts[place] = id
    return id
  }

  // MARK: Files that failed

  private func remember(
    _ failure: Failure, of file: ScannedFile, _ folder: Int64, _ name: [UInt8]
  ) throws(StoreError) {
    try forgetFailure(folder, name)
    let insert = try connection.statement("INSERT INTO failed_file VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    insert.bind(1, folder)
    insert.bind(2, blob: name)
    insert.bind(3, Int64(bitPattern: file.stamp.device))
    insert.bind(4, Int64(bitPattern: file.stamp.inode))
    insert.bind(5, file.stamp.size)
    insert.bind(6, file.stamp.modified)
    insert.bind(7, failure.kind.rawValue)
    insert.bind(8, failure.message)
    try insert.run()
    counts.failed += 1
  }

  func forgetFailure(_ folder: Int64, _ name: [UInt8]) throws(StoreError) {
    guard counts.failed > 0 else { return }
    let delete = try connection.statement("DELETE FROM failed_file WHERE folder = ? AND name = ?")
    delete.bind(1, folder)
    delete.bind(2, blob: name)
    try delete.run()
    counts.failed -= connection.changedByLast
  }
}

extension ScannedFile {
  /// Of the track that begins at `start`.
  fileprivate func keys(_ start: Int64) -> SortKeys { ranges.first { $0.range.start == start }?.sortKeys ?? SortKeys() }
}
