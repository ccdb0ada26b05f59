// On the thread of its connection only.

public import SegueSQLite
internal import SegueSystem
public import SegueWire

extension LibraryReader {
  /// Returns a page of tracks. Without a filter and except in random
  /// order, any page takes a few milliseconds, however large the library is.
  public func tracks(
    _ filter: LibraryFilter = LibraryFilter(), by sort: TrackSort = .album, _ order: SortOrder = .ascending,
    _ page: PageRequest = PageRequest()
  ) throws(StoreError) -> LibraryPage<LibraryTrack> {
    guard filter == LibraryFilter(), let list = sort.list else {
      let (ids, total) = try FilterQuery(tracks: filter, self).page(sort, order, page)
      return LibraryPage(items: try tracks(ids), total: total, offset: page.offset)
    }
    let pager = try ListPager(list, connection)
    let ids = try pager.ids(page, order, expanding: expansion(sort))
    return LibraryPage(items: try tracks(ids), total: pager.total, offset: page.offset)
  }

  /// Returns a page of albums. The filters `format` and `ratings` apply to tracks only.
  public func albums(
    _ filter: LibraryFilter = LibraryFilter(), by sort: AlbumSort = .title, _ order: SortOrder = .ascending,
    _ page: PageRequest = PageRequest()
  ) throws(StoreError) -> LibraryPage<LibraryAlbum> {
    guard filter == LibraryFilter(), let list = sort.list else {
      let (ids, total) = try FilterQuery(albums: filter, self).page(sort, order, page)
      return LibraryPage(items: try albums(ids), total: total, offset: page.offset)
    }
    let pager = try ListPager(list, connection)
    return LibraryPage(items: try albums(try pager.ids(page, order)), total: pager.total, offset: page.offset)
  }

  /// Returns a page of artists, sorted by name.
  public func artists(
    _ order: SortOrder = .ascending, _ page: PageRequest = PageRequest()
  ) throws(StoreError) -> LibraryPage<LibraryArtist> {
    let pager = try ListPager(.artistsByName, connection)
    return LibraryPage(items: try artists(try pager.ids(page, order)), total: pager.total, offset: page.offset)
  }

  /// Returns a page of genres, sorted by name.
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

  /// Returns at most `count` different tracks that are available. All tracks are equally likely. The result is shorter if
  /// folders are offline.
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
    // If most ids are unused or most tracks are wanted, guessing ids would take too long. Otherwise, 64 guesses for each
    // track are enough, unless the stored number of tracks is wrong.
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

  /// Returns a page of the files that could not be read.
  public func failures(_ page: PageRequest = PageRequest()) throws(StoreError) -> LibraryPage<URIFailure> {
    let rows = try connection.statement(
      """
      SELECT f.path, x.name, x.kind, x.message, x.template FROM failed_file x JOIN folder f ON f.id = x.folder
      ORDER BY x.folder, x.name LIMIT ? OFFSET ?
      """)
    rows.bind(1, Int64(page.limit))
    rows.bind(2, Int64(page.offset))
    defer { rows.reset() }
    var files: [URIFailure] = []
    while try rows.step() {
      let message = LocalizableMessage.saved(rows.text(3) ?? "", rows.text(4))
      let failure = Failure(rows.text(2).flatMap(Failure.Kind.init) ?? .unplayable, message)
      let path = FilePath(bytes: rows.blob(0)).appending(rows.blob(1))
      files.append(URIFailure(uri: FileURI.encode(path), failure: failure))
    }
    return LibraryPage(items: files, total: try counts().failed, offset: page.offset)
  }

  /// Returns the function that expands a row of the list to tracks, or nil if each row is a track.
  private func expansion(_ sort: TrackSort) -> ListPager.Expansion? {
    switch sort {
    case .title, .year, .added, .rating, .random: nil
    case .album: tracks(ofFragment:_:_:)
    case .artist: tracks(ofArtist:_:_:)
    }
  }

  func tracks(ofFragment fragment: Int64, _ skipped: Int, _ limit: Int) throws(StoreError) -> [Int64] {
    let rows = try connection.statement("SELECT id FROM track WHERE part = ? ORDER BY place, id LIMIT ? OFFSET ?")
    rows.bind(1, fragment)
    rows.bind(2, Int64(limit))
    rows.bind(3, Int64(skipped))
    defer { rows.reset() }
    return try rows.integers()
  }

  /// Returns the tracks that are sorted by an artist, album by album.
  private func tracks(ofArtist artist: Int64, _ skipped: Int, _ limit: Int) throws(StoreError) -> [Int64] {
    let fragments = try connection.statement(
      """
      SELECT a.part, count(*) FROM track_artist a JOIN part p ON p.id = a.part
      WHERE a.artist = ? AND a.main = 1 GROUP BY a.part ORDER BY p.list_key, a.part
      """)
    fragments.bind(1, artist)
    defer { fragments.reset() }
    var left = skipped
    var ids: [Int64] = []
    while ids.count < limit, try fragments.step() {
      let count = Int(fragments.integer(1) ?? 0)
      if left >= count {
        left -= count
        continue
      }
      let rows = try connection.statement(
        """
        SELECT track FROM track_artist WHERE artist = ? AND main = 1 AND part = ? ORDER BY place, track LIMIT ? OFFSET ?
        """)
      rows.bind(1, artist)
      rows.bind(2, fragments.integer(0))
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
  /// The list with this order; nil for the random order.
  var list: LibraryList? {
    switch self {
    case .title: .tracksByTitle
    case .artist: .tracksByArtist
    case .album: .tracksByAlbum
    case .year: .tracksByYear
    case .added: .tracksByAdded
    case .rating: .tracksByRating
    case .random: nil
    }
  }
}

extension AlbumSort {
  /// The list with this order; nil for the random order.
  var list: LibraryList? {
    switch self {
    case .title: .albumsByTitle
    case .artist: .albumsByArtist
    case .year: .albumsByYear
    case .added: .albumsByAdded
    case .random: nil
    }
  }
}

extension SortOrder {
  var sql: String { self == .ascending ? "ASC" : "DESC" }
}
