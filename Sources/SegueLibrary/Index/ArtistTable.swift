// On the thread "index" only.

internal import SegueLink

extension LibraryWriter {
  /// The number of an artist, who is made if need be. `key` is what he is sorted by, empty if that is not known;
  /// `isGiven` if the file says how to sort him.
  func artist(_ name: String, key: [UInt8], isGiven: Bool = false) throws(StoreError) -> Int64 {
    let fold = NameNormalization.fold(name)
    if let id = artists[fold], !isGiven { return id }
    let find = try connection.statement("SELECT id, sort_key FROM artist WHERE fold = ?")
    find.bind(1, fold)
    defer { find.reset() }
    let id: Int64
    if try find.step() {
      id = find.integer(0) ?? 0
      let present = find.blob(1)
      if !key.isEmpty, key != present, isGiven || present.first == SortKeys.lettersMark {
        try setKey(.artist, id, key)
      }
    } else {
      let insert = try connection.statement("INSERT INTO artist VALUES (NULL, ?, ?, ?, 0, 0, 0)")
      insert.bind(1, fold)
      insert.bind(2, name)
      insert.bind(3, blob: key.isEmpty ? SortKeys.byLetters(name) : key)
      try insert.run()
      id = connection.lastRow
      if key.isEmpty { try noteUnsorted(.artist, id) }
    }
    artists[fold] = id
    return id
  }

  /// 0 if there is none of that name.
  func knownArtist(_ name: String) throws(StoreError) -> Int64 {
    let fold = NameNormalization.fold(name)
    if let id = artists[fold] { return id }
    let find = try connection.statement("SELECT id FROM artist WHERE fold = ?")
    find.bind(1, fold)
    defer { find.reset() }
    return try find.step() ? find.integer(0) ?? 0 : 0
  }

  /// He was sorted by another key until now.
  func noteResorted(_ id: Int64, _ old: [UInt8], _ new: [UInt8]) throws(StoreError) {
    let find = try connection.statement("SELECT track_count, main_count FROM artist WHERE id = ?")
    find.bind(1, id)
    defer { find.reset() }
    guard try find.step() else { return }
    let (tracks, main) = (find.integer(0) ?? 0, find.integer(1) ?? 0)
    for (key, sign) in [(old, Int64(-1)), (new, 1)] {
      marks.note(.tracksByArtist, .bytes(key), id, sign * main)
      marks.note(.artistsByName, .bytes(key), id, tracks > 0 ? sign : 0)
    }
  }

  func genre(_ name: String) throws(StoreError) -> Int64 {
    let fold = NameNormalization.fold(name)
    if let id = genres[fold] { return id }
    let find = try connection.statement("SELECT id FROM genre WHERE fold = ?")
    find.bind(1, fold)
    defer { find.reset() }
    let id: Int64
    if try find.step() {
      id = find.integer(0) ?? 0
    } else {
      let insert = try connection.statement("INSERT INTO genre (fold, name, track_count, sort_key) VALUES (?, ?, 0, ?)")
      insert.bind(1, fold)
      insert.bind(2, name)
      insert.bind(3, blob: SortKeys.byLetters(name))
      try insert.run()
      id = connection.lastRow
      try noteUnsorted(.genre, id)
    }
    genres[fold] = id
    return id
  }

  /// Adds up what tracks came and went. An artist comes to light with his first track, and goes with his last unless he
  /// is a favourite.
  func flushArtists() throws(StoreError) {
    guard !artistChanges.isEmpty else { return }
    let find = try connection.statement("SELECT name, sort_key, track_count, main_count FROM artist WHERE id = ?")
    let update = try connection.statement("UPDATE artist SET track_count = ?, main_count = ? WHERE id = ?")
    for (id, change) in artistChanges where change.tracks != 0 || change.main != 0 {
      find.bind(1, id)
      defer { find.reset() }
      guard try find.step() else { continue }
      let (name, key) = (find.text(0) ?? "", find.blob(1))
      let (oldTracks, oldMain) = (find.integer(2) ?? 0, find.integer(3) ?? 0)
      let (tracks, main) = (oldTracks + change.tracks, oldMain + change.main)
      update.bind(1, tracks)
      update.bind(2, main)
      update.bind(3, id)
      try update.run()
      marks.note(.tracksByArtist, .bytes(key), id, change.main)
      let appears = (tracks > 0 ? 1 : 0) - (oldTracks > 0 ? 1 : 0)
      guard appears != 0 else { continue }
      counts.artists += appears
      marks.note(.artistsByName, .bytes(key), id, Int64(appears))
      let (oldText, newText) = appears > 0 ? (nil, name) : (name, nil)
      searchChanges.add { search throws(StoreError) in try search.replace(artist: id, oldText, with: newText) }
      if appears < 0, main == 0 { try removeArtist(id, name) }
    }
    artistChanges = [:]
  }

  private func removeArtist(_ id: Int64, _ name: String) throws(StoreError) {
    guard try !isFavorite(.artist, id) else { return }
    let delete = try connection.statement("DELETE FROM artist WHERE id = ?")
    delete.bind(1, id)
    try delete.run()
    artists[NameNormalization.fold(name)] = nil
  }

  func flushGenres() throws(StoreError) {
    let update = try connection.statement("UPDATE genre SET track_count = track_count + ? WHERE id = ?")
    let delete = try connection.statement("DELETE FROM genre WHERE id = ? AND track_count = 0")
    for (id, delta) in genreChanges where delta != 0 {
      update.bind(1, delta)
      update.bind(2, id)
      try update.run()
      guard delta < 0 else { continue }
      delete.bind(1, id)
      try delete.run()
      genres = [:]
    }
    genreChanges = [:]
  }
}
