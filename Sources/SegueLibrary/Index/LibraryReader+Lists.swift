// On the thread of its connection only.

internal import SegueSystem
public import SegueWire

extension LibraryReader {
  /// Without a filter any page takes a few milliseconds, however long the library.
  public func tracks(
    _ filter: LibraryFilter = LibraryFilter(), by sort: TrackSort = .album, _ order: SortOrder = .ascending,
    _ page: PageRequest = PageRequest()
  ) throws(StoreError) -> LibraryPage<LibraryTrack> {
    guard filter == LibraryFilter() else {
      let (ids, total) = try FilterQuery(tracks: filter, self).page(sort, order, page)
      return LibraryPage(items: try tracks(ids), total: total, offset: page.offset)
    }
    let walk = try ListPager(sort.list, connection)
    let ids = try walk.ids(page, order, expanding: expansion(sort))
    return LibraryPage(items: try tracks(ids), total: walk.total, offset: page.offset)
  }

  /// `format` and `ratings` are of tracks: an album has none.
  public func albums(
    _ filter: LibraryFilter = LibraryFilter(), by sort: AlbumSort = .title, _ order: SortOrder = .ascending,
    _ page: PageRequest = PageRequest()
  ) throws(StoreError) -> LibraryPage<LibraryAlbum> {
    guard filter == LibraryFilter() else {
      let (ids, total) = try FilterQuery(albums: filter, self).page(sort, order, page)
      return LibraryPage(items: try albums(ids), total: total, offset: page.offset)
    }
    let walk = try ListPager(sort.list, connection)
    return LibraryPage(items: try albums(try walk.ids(page, order)), total: walk.total, offset: page.offset)
  }

  /// By name.
  public func artists(
    _ order: SortOrder = .ascending, _ page: PageRequest = PageRequest()
  ) throws(StoreError) -> LibraryPage<LibraryArtist> {
    let walk = try ListPager(.artistsByName, connection)
    return LibraryPage(items: try artists(try walk.ids(page, order)), total: walk.total, offset: page.offset)
  }

  /// By name.
  public func genres(
    _ order: SortOrder = .ascending, _ page: PageRequest = PageRequest()
  ) throws(StoreError) -> LibraryPage<LibraryGenre> {
    let rows = try connection.statement(
      """
      SELECT name, track_count FROM genre WHERE track_count > 0
      ORDER BY sort_key \(order.sql), fold \(order.sql) LIMIT ? OFFSET ?
      """)
    rows.bind(1, Int64(page.limit))
    rows.bind(2, Int64(page.offset))
    defer { rows.reset() }
    var genres: [LibraryGenre] = []
    while try rows.step() {
      genres.append(LibraryGenre(name: rows.text(0) ?? "", trackCount: Int(rows.integer(1) ?? 0)))
    }
    let total = try connection.integer("SELECT count(*) FROM genre WHERE track_count > 0")
    return LibraryPage(items: genres, total: Int(total), offset: page.offset)
  }

  /// At most `count` different ones that can be played now, each as likely as any other; fewer where folders are
  /// offline.
  public func random(_ count: Int, _ filter: LibraryFilter = LibraryFilter()) throws(StoreError) -> [LibraryTrack] {
    var ids: [Int64] = []
    if filter == LibraryFilter() {
      ids = try randomIDs(max(0, count))
    } else {
      ids = try FilterQuery(tracks: filter, self).sample(max(0, count))
    }
    return try tracks(ids.shuffled()).filter { !$0.isOffline }
  }

  private func randomIDs(_ count: Int) throws(StoreError) -> [Int64] {
    let total = try counts().tracks
    let greatest = try connection.integer("SELECT max(id) FROM track")
    let wanted = min(count, total)
    let find = try connection.statement("SELECT 1 FROM track WHERE id = ?")
    var ids: Set<Int64> = []
    // Where few of the numbers are taken, or most are wanted, guessing would take long. Otherwise more than sixteen
    // guesses for each are the worst of luck, or the file says that there are more than there are.
    var guesses = wanted > total / 2 || greatest / 8 > total ? 0 : 64 * wanted
    while ids.count < wanted, guesses > 0, greatest > 0 {
      guesses -= 1
      let id = Int64.random(in: 1...greatest)
      find.bind(1, id)
      if try find.step() { ids.insert(id) }
      find.reset()
    }
    return ids.count == wanted ? Array(ids) : Array(try allIDs().shuffled().prefix(wanted))
  }

  private func allIDs() throws(StoreError) -> [Int64] {
    let rows = try connection.statement("SELECT id FROM track")
    defer { rows.reset() }
    return try rows.integers()
  }

  /// What was looked into in vain.
  public func failures(_ page: PageRequest = PageRequest()) throws(StoreError) -> LibraryPage<URIFailure> {
    let rows = try connection.statement(
      """
      SELECT f.path, x.name, x.kind, x.message FROM failed_file x JOIN folder f ON f.id = x.folder
      ORDER BY x.folder, x.name LIMIT ? OFFSET ?
      """)
    rows.bind(1, Int64(page.limit))
    rows.bind(2, Int64(page.offset))
    defer { rows.reset() }
    var files: [URIFailure] = []
    while try rows.step() {
      let failure = Failure(rows.text(2).flatMap(Failure.Kind.init) ?? .unplayable, rows.text(3) ?? "")
      let path = FilePath(bytes: rows.blob(0)).appending(rows.blob(1))
      files.append(URIFailure(uri: FileURI.encode(path), failure: failure))
    }
    return LibraryPage(items: files, total: try counts().failed, offset: page.offset)
  }

  /// What the rows of a list stand for, where that is not a track each.
  private func expansion(_ sort: TrackSort) -> ListPager.Expansion? {
    switch sort {
    case .title, .year, .added, .rating: nil
    case .album: tracks(ofPart:_:_:)
    case .artist: tracks(ofArtist:_:_:)
    }
  }

  func tracks(ofPart part: Int64, _ skipped: Int, _ limit: Int) throws(StoreError) -> [Int64] {
    let rows = try connection.statement("SELECT id FROM track WHERE part = ? ORDER BY place, id LIMIT ? OFFSET ?")
    rows.bind(1, part)
    rows.bind(2, Int64(limit))
    rows.bind(3, Int64(skipped))
    defer { rows.reset() }
    return try rows.integers()
  }

  /// Those that are sorted by him: album by album.
  private func tracks(ofArtist artist: Int64, _ skipped: Int, _ limit: Int) throws(StoreError) -> [Int64] {
    let parts = try connection.statement(
      """
      SELECT a.part, count(*) FROM track_artist a JOIN part p ON p.id = a.part
      WHERE a.artist = ? AND a.main = 1 GROUP BY a.part ORDER BY p.list_key, a.part
      """)
    parts.bind(1, artist)
    defer { parts.reset() }
    var left = skipped
    var ids: [Int64] = []
    while ids.count < limit, try parts.step() {
      let count = Int(parts.integer(1) ?? 0)
      if left >= count {
        left -= count
        continue
      }
      let rows = try connection.statement(
        """
        SELECT track FROM track_artist WHERE artist = ? AND main = 1 AND part = ? ORDER BY place, track LIMIT ? OFFSET ?
        """)
      rows.bind(1, artist)
      rows.bind(2, parts.integer(0))
      rows.bind(3, Int64(limit - ids.count))
      rows.bind(4, Int64(left))
      defer { rows.reset() }
      ids += try rows.integers()
      left = 0
    }
    return ids
  }
}

extension TrackSort {
  var list: LibraryList {
    switch self {
    case .title: .tracksByTitle
    case .artist: .tracksByArtist
    case .album: .tracksByAlbum
    case .year: .tracksByYear
    case .added: .tracksByAdded
    case .rating: .tracksByRating
    }
  }
}

extension AlbumSort {
  var list: LibraryList {
    switch self {
    case .title: .albumsByTitle
    case .artist: .albumsByArtist
    case .year: .albumsByYear
    case .added: .albumsByAdded
    }
  }
}

extension SortOrder {
  var sql: String { self == .ascending ? "ASC" : "DESC" }
}
