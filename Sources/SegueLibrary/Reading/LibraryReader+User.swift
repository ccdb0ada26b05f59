// Thread: the connection's.

internal import SegueFiles
public import SegueSQLite
public import SegueSystem
public import SegueWire

extension LibraryReader {
  /// Returns a page of the favorites, or of those of one kind. Everything that is neither an album nor an artist counts
  /// as a track. In the order by title, items without a known title come last, sorted by URI.
  public func favorites(
    of kind: LibraryKind? = nil, by sort: FavoriteSort = .date, _ order: SortOrder = .descending,
    _ page: PageRequest = PageRequest()
  ) throws(StoreError) -> LibraryPage<Favorite> {
    let key =
      switch sort {
      case .date: "v.time"
      case .rating:
        "coalesce(t.rating, (SELECT value FROM rating r WHERE r.uri = v.uri), v.rating, \(TrackRow.unrated))"
      case .year: "coalesce(t.year, a.year, v.year, 0)"
      case .title: "coalesce(t.title_key, a.title_key, s.sort_key, v.title_key, x'ff')"
      }
    let condition =
      switch kind {
      case nil: "1"
      case .track: "v.kind IN (\(FavoriteKind.unknown.rawValue), \(FavoriteKind.track.rawValue))"
      case .album: "v.kind = \(FavoriteKind.album.rawValue)"
      case .artist: "v.kind = \(FavoriteKind.artist.rawValue)"
      }
    let favorites = try connection.statement(
      """
      SELECT v.uri, v.time, v.kind, v.item, v.title, v.artist, v.album, v.date, v.year FROM favorite v
        LEFT JOIN track t ON v.kind = 1 AND t.id = v.item LEFT JOIN album a ON v.kind = 2 AND a.id = v.item
        LEFT JOIN artist s ON v.kind = 3 AND s.id = v.item
      WHERE \(condition) ORDER BY \(key) \(order.sql), v.uri \(order.sql) LIMIT ? OFFSET ?
      """, page.limit, page.offset
    ).map { row throws(StoreError) in
      let item = try item(row.integer(2).flatMap(FavoriteKind.init) ?? .unknown, row.integer(3) ?? 0)
      var metadata = Metadata()
      (metadata.title, metadata.artist, metadata.album) = (row.text(4), row.text(5), row.text(6))
      metadata.artists = [metadata.artist].compactMap(\.self)
      (metadata.date, metadata.year) = (row.text(7), row.integer(8).map(Int.init))
      return Favorite(
        uri: row.text(0) ?? "", time: UnixTime(nanoseconds: row.integer(1) ?? 0), item: item, metadata: metadata)
    }
    let total = try connection.integer("SELECT count(*) FROM favorite v WHERE \(condition)")
    return LibraryPage(items: favorites, total: Int(total), offset: page.offset)
  }

  private func item(_ kind: FavoriteKind, _ id: Int64) throws(StoreError) -> Favorite.Item {
    switch kind {
    case .track: try tracks([id]).first.map { .track($0) } ?? .unknown
    case .album: try album(id).map { .album($0) } ?? .unknown
    case .artist: try artist(id).map { .artist($0) } ?? .unknown
    case .unknown: .unknown
    }
  }

  public func isFavorite(_ uri: String) throws(StoreError) -> Bool {
    try connection.integer("SELECT 1 FROM favorite WHERE uri = ?", uri) == 1
  }

  /// Whether the user has what a URI names: a track or a folder of the library, a favorite, or something that was
  /// played. `roots` are the music folders: the index also has the folders that they are in.
  public func knows(_ uri: String, in roots: [FilePath]) throws(StoreError) -> Bool {
    if case .file(let path, _) = try? MediaURI(uri) {
      if roots.contains(where: { path == $0 || path.isBelow($0) }),
        try connection.integer("SELECT 1 FROM folder WHERE path = ?", path.bytes) == 1
      {
        return true
      }
      let track = try connection.integer(
        "SELECT 1 FROM track WHERE folder = (SELECT id FROM folder WHERE path = ?) AND name = ?", path.parent.bytes,
        Array(path.lastComponent))
      if track == 1 { return true }
    }
    if try isFavorite(uri) { return true }
    return try connection.integer("SELECT 1 FROM play WHERE uri = ?", uri) == 1
  }

  /// Returns the rating, 0…10, or nil if there is none.
  public func rating(_ uri: String) throws(StoreError) -> Int? {
    try connection.statement("SELECT value FROM rating WHERE uri = ?", uri).first { Int($0.integer(0) ?? 0) }
  }

  public func bookmark(_ uri: String) throws(StoreError) -> Bookmark? {
    try connection.statement("SELECT position, speed, time FROM bookmark WHERE uri = ?", uri).first {
      Bookmark(uri: uri, point: ResumePoint($0, from: 0), time: UnixTime(nanoseconds: $0.integer(2) ?? 0))
    }
  }

  /// Returns a page of the plays, the newest first, or of the played tracks, the most often played first.
  public func plays(
    by sort: HistorySort = .time, _ page: PageRequest = PageRequest()
  ) throws(StoreError) -> LibraryPage<Play> {
    let facts = "uri, title, artist, artists, album, duration, kind"
    let (selection, count) =
      switch sort {
      case .time:
        (
          """
          WITH page AS MATERIALIZED (SELECT id, time, \(facts) FROM play ORDER BY time DESC, id DESC LIMIT ? OFFSET ?),
            counts AS MATERIALIZED
              (SELECT uri, count(*) AS plays FROM play WHERE uri IN (SELECT uri FROM page) GROUP BY uri)
          SELECT time, \(facts), plays FROM page JOIN counts USING (uri) ORDER BY time DESC, id DESC
          """, "SELECT count(*) FROM play"
        )
      case .plays:
        // The facts are those of the last play.
        (
          """
          WITH page AS MATERIALIZED
            (SELECT uri, count(*) AS plays, max(time) AS last FROM play GROUP BY uri
             ORDER BY plays DESC, last DESC, uri LIMIT ? OFFSET ?)
          SELECT last, play.\(facts), plays FROM page JOIN play
            ON play.id = (SELECT id FROM play WHERE uri = page.uri ORDER BY time DESC, id DESC LIMIT 1)
          ORDER BY plays DESC, last DESC, page.uri
          """, "SELECT count(DISTINCT uri) FROM play"
        )
      }
    let plays = try connection.statement(selection, page.limit, page.offset).map { row throws(StoreError) in
      let uri = row.text(1) ?? ""
      return Play(
        time: UnixTime(nanoseconds: row.integer(0) ?? 0), uri: uri, count: Int(row.integer(8) ?? 0),
        track: try track(uri), known: PlayedFacts(row, from: 2))
    }
    return LibraryPage(items: plays, total: Int(try connection.integer(count)), offset: page.offset)
  }

  /// Returns the searches in the history that contain `text`, regardless of case, the newest first.
  public func searches(containing text: String = "") throws(StoreError) -> [String] {
    let folded = NameNormalization.fold(text)
    let rows = try connection.statement("SELECT query, fold FROM search_history ORDER BY time DESC")
    let searches = try rows.map { (query: $0.text(0) ?? "", fold: $0.text(1) ?? "") }
    return searches.filter { folded.isEmpty || $0.fold.contains(folded) }.map(\.query)
  }
}

extension PlayedFacts {
  /// Creates the facts from a row. `first` is the column of the title. The other columns follow in the order of the
  /// table.
  fileprivate init(_ row: SQLiteStatement, from first: Int32) {
    self.init()
    title = row.text(first)
    artist = row.text(first + 1)
    artists = row.text(first + 2).map(TextList.values) ?? []
    album = row.text(first + 3)
    duration = row.integer(first + 4).map(MediaTime.init(nanoseconds:))
    durationKind = row.text(first + 5).flatMap(DurationKind.init)
  }
}

extension LibraryReader {
  /// Returns the points at which playback of tracks was left, by URI.
  public func bookmarks() throws(StoreError) -> [String: ResumePoint] {
    let rows = try connection.statement("SELECT uri, position, speed FROM bookmark")
    defer { rows.reset() }
    var bookmarks: [String: ResumePoint] = [:]
    while try rows.step() { bookmarks[rows.text(0) ?? ""] = ResumePoint(rows, from: 1) }
    return bookmarks
  }
}

extension ResumePoint {
  /// Reads the position from a column and the speed from the next one.
  fileprivate init(_ row: SQLiteStatement, from column: Int32) {
    self.init(
      position: MediaTime(nanoseconds: row.integer(column) ?? 0).clamped(to: .zero ... .maximum),
      speed: row.integer(column + 1).flatMap { PlaybackSpeed(hundredths: Int(clamping: $0)) })
  }
}
