// On the thread "index" only.

public import SegueSystem
internal import SegueWire

/// What a favourite's URI names in the index.
enum FavoriteKind: Int64 {
  case unknown = 0
  case track, album, artist
}

extension LibraryWriter {
  // MARK: What the user makes

  /// Of tracks, streams, albums and artists. What is one already keeps its time.
  public func setFavorite(_ uris: [String], _ isFavorite: Bool, at time: UnixTime = .now) throws(StoreError) {
    for uri in uris {
      let item = try named(uri)
      if isFavorite {
        let insert = try connection.statement(
          "INSERT OR IGNORE INTO favorite (uri, time, kind, item) VALUES (?, ?, ?, ?)")
        insert.bind(1, uri)
        insert.bind(2, time.nanoseconds)
        insert.bind(3, item.kind.rawValue)
        insert.bind(4, item.id)
        try insert.run()
        hasUserRows = true
      } else {
        let delete = try connection.statement("DELETE FROM favorite WHERE uri = ?")
        delete.bind(1, uri)
        try delete.run()
      }
      if item.kind == .track, let row = try read(item.id) { try regard(row) }
    }
    try flush()
  }

  /// 0…10; nil takes it away. Precondition: `rating` is in that range.
  public func setRating(_ uri: String, _ rating: Int?, at time: UnixTime = .now) throws(StoreError) {
    precondition(rating.map { (0...10).contains($0) } ?? true, "a rating is 0 to 10")
    if let rating {
      let insert = try connection.statement("INSERT OR REPLACE INTO rating (uri, value, time) VALUES (?, ?, ?)")
      insert.bind(1, uri)
      insert.bind(2, Int64(rating))
      insert.bind(3, time.nanoseconds)
      try insert.run()
      hasUserRows = true
    } else {
      let delete = try connection.statement("DELETE FROM rating WHERE uri = ?")
      delete.bind(1, uri)
      try delete.run()
    }
    let item = try named(uri)
    if item.kind == .track, let row = try read(item.id) {
      try rate(row, Int64(rating ?? TrackRow.unrated))
      try regard(row)
    }
    try flush()
  }

  /// One hearing.
  public func addPlay(
    _ uri: String, _ known: PlayedFacts = PlayedFacts(), at time: UnixTime = .now
  ) throws(StoreError) {
    let insert = try connection.statement(
      """
      INSERT INTO play (time, uri, title, artist, artists, album, duration, kind) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """)
    insert.bind(1, time.nanoseconds)
    insert.bind(2, uri)
    insert.bind(3, known.title)
    insert.bind(4, known.artist)
    insert.bind(5, TextList.text(of: known.artists))
    insert.bind(6, known.album)
    insert.bind(7, known.duration?.nanoseconds)
    insert.bind(8, known.durationKind?.rawValue)
    try insert.run()
    hasUserRows = true
    let item = try named(uri)
    if item.kind == .track, let row = try read(item.id) { try regard(row) }
    try flush()
  }

  /// Only the last five are kept; one that comes again, in whatever case, moves to the front.
  public func addSearch(_ query: String, at time: UnixTime = .now) throws(StoreError) {
    let fold = NameNormalization.fold(query)
    guard !fold.isEmpty else { return }
    // The newest, though the clock was set back since the others.
    let insert = try connection.statement(
      """
      INSERT OR REPLACE INTO search_history (fold, query, time)
      VALUES (?1, ?2, max(?3, coalesce((SELECT max(time) + 1 FROM search_history), ?3)))
      """)
    insert.bind(1, fold)
    insert.bind(2, query)
    insert.bind(3, time.nanoseconds)
    try insert.run()
    try connection.execute(
      """
      DELETE FROM search_history
      WHERE fold NOT IN (SELECT fold FROM search_history ORDER BY time DESC LIMIT \(SearchHistory.length))
      """)
  }

  /// Where listening was left; nil takes it away.
  public func setBookmark(_ uri: String, _ position: MediaTime?, at time: UnixTime = .now) throws(StoreError) {
    guard let position else {
      let delete = try connection.statement("DELETE FROM bookmark WHERE uri = ?")
      delete.bind(1, uri)
      return try delete.run()
    }
    let insert = try connection.statement("INSERT OR REPLACE INTO bookmark (uri, position, time) VALUES (?, ?, ?)")
    insert.bind(1, uri)
    insert.bind(2, position.nanoseconds)
    insert.bind(3, time.nanoseconds)
    try insert.run()
    hasUserRows = true
  }

  // MARK: Between what he made and the rows

  /// What `uri` names in the index.
  private func named(_ uri: String) throws(StoreError) -> (kind: FavoriteKind, id: Int64) {
    switch LibraryURI(uri) {
    case .album(let id): return (.album, id)
    case .artist(let id): return (.artist, id)
    case .genre, .playlist, .search, nil: break
    }
    guard case .file(let path, let range) = try? MediaURI(uri), let folder = try knownFolder(path.parent) else {
      return (.unknown, 0)
    }
    let start = range?.start ?? -1
    let track = try tracks(folder, Array(path.lastComponent)).first { $0.range == start }
    return track.map { (.track, $0.id) } ?? (.unknown, 0)
  }

  /// As `MediaURI` writes it.
  func uri(_ row: TrackRow) throws(StoreError) -> String {
    _ = try home(ofFolder: row.folder)
    let folder = lastFolder?.path ?? FilePath("/")
    return MediaURI.file(folder.appending(row.name), range: row.range).uri
  }

  func rating(_ uri: String) throws(StoreError) -> Int? {
    let find = try connection.statement("SELECT value FROM rating WHERE uri = ?")
    find.bind(1, uri)
    defer { find.reset() }
    return try find.step() ? find.integer(0).map(Int.init) : nil
  }

  func isFavorite(_ kind: FavoriteKind, _ id: Int64) throws(StoreError) -> Bool {
    let find = try connection.statement("SELECT 1 FROM favorite WHERE kind = ? AND item = ?")
    find.bind(1, kind.rawValue)
    find.bind(2, id)
    defer { find.reset() }
    return try find.step()
  }

  /// A row came to the index of which the user may have said something.
  func link(_ row: TrackRow) throws(StoreError) {
    let update = try connection.statement("UPDATE favorite SET kind = ?, item = ? WHERE uri = ?")
    update.bind(1, FavoriteKind.track.rawValue)
    update.bind(2, row.id)
    update.bind(3, try uri(row))
    try update.run()
    try regard(row)
  }

  /// A row left the index; the favourite stays, by its URI.
  func unlinkFavorite(_ kind: FavoriteKind, _ id: Int64) throws(StoreError) {
    let update = try connection.statement("UPDATE favorite SET kind = 0, item = 0 WHERE kind = ? AND item = ?")
    update.bind(1, kind.rawValue)
    update.bind(2, id)
    try update.run()
  }

  private func rate(_ row: TrackRow, _ rating: Int64) throws(StoreError) {
    guard row.rating != rating else { return }
    let update = try connection.statement("UPDATE track SET rating = ? WHERE id = ?")
    update.bind(1, rating)
    update.bind(2, row.id)
    try update.run()
    marks.note(.tracksByRating, .number(row.rating), row.id, -1)
    marks.note(.tracksByRating, .number(rating), row.id, 1)
  }

  /// Tells the search what the user thinks of a track.
  func regard(_ row: TrackRow) throws(StoreError) {
    let plays = try connection.statement("SELECT count(*) FROM play WHERE uri = ?")
    let uri = try uri(row)
    plays.bind(1, uri)
    defer { plays.reset() }
    let count = try plays.step() ? plays.integer(0) ?? 0 : 0
    let regard = TrackAffinity(
      isFavorite: try isFavorite(.track, row.id), rating: try rating(uri) ?? 0, plays: Int(count))
    let (id, text) = (row.id, row.searchText)
    searchChanges.add { search throws(StoreError) in
      try search.regard(track: id, text, regard == TrackAffinity() ? nil : regard)
    }
  }

  // MARK: Moves

  private static let tablesByURI = ["favorite", "rating", "play", "bookmark"]

  func renameUserRows(_ old: String, _ new: String) throws(StoreError) {
    for table in Self.tablesByURI {
      let update = try connection.statement("UPDATE OR REPLACE \(table) SET uri = ? WHERE uri = ?")
      update.bind(1, new)
      update.bind(2, old)
      try update.run()
    }
  }

  /// All that lies under a folder that was moved.
  func renameUserRows(under old: FilePath, _ new: FilePath) throws(StoreError) {
    let (first, last) = old.rangeBelow
    for table in Self.tablesByURI {
      let update = try connection.statement(
        "UPDATE OR REPLACE \(table) SET uri = ?1 || substr(uri, ?2) WHERE uri >= ?3 AND uri < ?4")
      let oldURI = FileURI.encode(old)
      update.bind(1, FileURI.encode(new))
      update.bind(2, Int64(oldURI.utf8.count + 1))
      update.bind(3, FileURI.encode(FilePath(bytes: first)))
      // "0" follows "/" in a URI as it does in a path.
      update.bind(4, FileURI.encode(FilePath(bytes: last)))
      try update.run()
    }
  }
}

enum SearchHistory {
  /// So many searches are kept.
  static let length = 5
}
