// Thread: the connection's.

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
    let genres = try connection.statement(
      """
      SELECT name, track_count FROM genre WHERE track_count > 0
      ORDER BY sort_key \(order.sql), fold \(order.sql) LIMIT ? OFFSET ?
      """, page.limit, page.offset
    ).map { LibraryGenre(name: $0.text(0) ?? "", trackCount: Int($0.integer(1) ?? 0)) }
    let total = try connection.integer("SELECT count(*) FROM genre WHERE track_count > 0")
    return LibraryPage(items: genres, total: Int(total), offset: page.offset)
  }

  /// Returns at most `count` different tracks that are available. All tracks are equally likely. The result is shorter
  /// if folders are offline.
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
    var ids: Set<Int64> = []
    // If most ids are unused or most tracks are wanted, guessing ids would take too long. Otherwise, 64 guesses for
    // each track are enough, unless the stored number of tracks is wrong.
    var guesses = wanted > total / 2 || greatest / 8 > total ? 0 : 64 * wanted
    while ids.count < wanted, guesses > 0, greatest > 0 {
      guesses -= 1
      let id = Int64.random(in: 1...greatest)
      if try connection.integer("SELECT 1 FROM track WHERE id = ?", id) == 1 { ids.insert(id) }
    }
    if ids.count == wanted { return Array(ids) }
    return Array(try connection.statement("SELECT id FROM track").integers().shuffled().prefix(wanted))
  }

  /// Returns a page of the files that could not be read.
  public func failures(_ page: PageRequest = PageRequest()) throws(StoreError) -> LibraryPage<URIFailure> {
    let files = try connection.statement(
      """
      SELECT f.path, x.name, x.kind, x.message, x.template FROM failed_file x JOIN folder f ON f.id = x.folder
      ORDER BY x.folder, x.name LIMIT ? OFFSET ?
      """, page.limit, page.offset
    ).map { row in
      let message = LocalizableMessage.saved(row.text(3) ?? "", row.text(4))
      let failure = Failure(row.text(2).flatMap(Failure.Kind.init) ?? .unplayable, message)
      let path = FilePath(bytes: row.blob(0)).appending(row.blob(1))
      return URIFailure(uri: FileURI.encode(path), failure: failure)
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
    try connection.statement(
      "SELECT id FROM track WHERE part = ? ORDER BY place, id LIMIT ? OFFSET ?", fragment, limit, skipped
    ).integers()
  }

  /// Returns the tracks that are sorted by an artist, album by album.
  private func tracks(ofArtist artist: Int64, _ skipped: Int, _ limit: Int) throws(StoreError) -> [Int64] {
    let fragments = try connection.statement(
      """
      SELECT a.part, count(*) FROM track_artist a JOIN part p ON p.id = a.part
      WHERE a.artist = ? AND a.main = 1 GROUP BY a.part ORDER BY p.list_key, a.part
      """, artist)
    defer { fragments.reset() }
    var left = skipped
    var ids: [Int64] = []
    while ids.count < limit, try fragments.step() {
      let count = Int(fragments.integer(1) ?? 0)
      if left >= count {
        left -= count
        continue
      }
      ids += try connection.statement(
        """
        SELECT track FROM track_artist WHERE artist = ? AND main = 1 AND part = ? ORDER BY place, track LIMIT ? OFFSET ?
        """, artist, fragments.integer(0), limit - ids.count, left
      ).integers()
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

/// A reader of a list that can start at any position.
struct ListPager {
  /// A row and its weight: the number of items that it stands for.
  struct Row {
    var id: Int64
    var weight: Int
  }

  private let connection: SQLiteConnection
  private let list: LibraryList
  /// The numbers of items between the checkpoints. If the checkpoints are outdated, it has one element: the total.
  private var counts: [Int] = []
  private let hasCheckpoints: Bool
  /// The number of items in the list.
  let total: Int

  init(_ list: LibraryList, _ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    self.list = list
    hasCheckpoints = try StoredNumber.read(.checkpointsAreCurrent, connection) == 1
    if hasCheckpoints {
      let rows = try connection.statement("SELECT count FROM mark WHERE list = ? ORDER BY key, id", list.rawValue)
      counts = try rows.map { Int($0.integer(0) ?? 0) }
    } else {
      counts = [
        Int(
          try connection.integer("SELECT coalesce(sum(\(list.weight)), 0) FROM \(list.table) WHERE \(list.condition)"))
      ]
    }
    total = counts.reduce(0, +)
  }

  private func checkpoint(_ index: Int) throws(StoreError) -> (key: ListKey, id: Int64) {
    guard hasCheckpoints else { return (.first, .min) }
    return try connection.statement(
      "SELECT key, id FROM mark WHERE list = ? ORDER BY key, id LIMIT 1 OFFSET ?", list.rawValue, index
    ).first { (ListKey($0, 0), $0.integer(1) ?? 0) } ?? (.first, .min)
  }

  /// Calls `visit` with the rows from position `start` on, in order, until it returns false. The first row may begin
  /// before `start`: `skipped` is the number of its items before `start`.
  func visit(from start: Int, _ visit: (Row, _ skipped: Int) throws(StoreError) -> Bool) throws(StoreError) {
    guard start < total else { return }
    var left = start
    var index = 0
    while index < counts.count - 1, left >= counts[index] {
      left -= counts[index]
      index += 1
    }
    let checkpoint = try checkpoint(index)
    // The rows with the key of the checkpoint come first, because a long run of one key may contain several
    // checkpoints.
    for equal in [true, false] {
      if equal, checkpoint.key == .first { continue }
      let rows = try connection.statement(
        equal
          ? list.rows("\(list.key) = ?1 AND id >= ?2")
          : list.rows(checkpoint.key == .first ? "1" : "\(list.key) > ?1"))
      if checkpoint.key != .first { checkpoint.key.bind(to: rows, at: 1) }
      if equal { rows.bind(2, checkpoint.id) }
      defer { rows.reset() }
      while try rows.step() {
        let row = Row(id: rows.integer(1) ?? 0, weight: Int(rows.integer(2) ?? 0))
        if left >= row.weight {
          left -= row.weight
          continue
        }
        guard try visit(row, left) else { return }
        left = 0
      }
    }
  }

  /// Returns the ids of a page of the list in `order`. If there is an expansion, it replaces each row by its items.
  func ids(_ page: PageRequest, _ order: SortOrder, expanding: Expansion? = nil) throws(StoreError) -> [Int64] {
    var (first, count) = (page.offset, min(page.limit, max(0, total - page.offset)))
    if order == .descending { first = max(0, total - page.offset - count) }
    guard count > 0 else { return [] }
    var ids: [Int64] = []
    ids.reserveCapacity(count)
    try visit(from: first) { (row, skipped) throws(StoreError) in
      if let expanding {
        let found = try expanding(row.id, skipped, count)
        ids += found
        count -= found.count
      } else {
        ids.append(row.id)
        count -= 1
      }
      return count > 0
    }
    return order == .descending ? ids.reversed() : ids
  }

  /// A function that returns the items of a row: at most `limit` of them, without the first `skipped` ones.
  typealias Expansion = (_ row: Int64, _ skipped: Int, _ limit: Int) throws(StoreError) -> [Int64]
}
