internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// A row of the table `album`.
struct AlbumRow: Equatable {
  let id: Int64
  private(set) var title = ""
  /// The album artist, or nil for a compilation.
  private(set) var artist: String?
  /// The year, or 0 if it is unknown.
  private(set) var year: Int64 = 0
  private(set) var isCompilation = false
  private(set) var trackCount: Int64 = 0
  private(set) var discCount: Int64 = 0
  private(set) var duration: Int64 = 0
  private(set) var added: Int64 = 0
  /// The track whose picture is the album's cover.
  private(set) var art: Int64?
  /// The names of all genres of its tracks, one per line.
  private(set) var genre: String?
  /// The sort key by title, then artist.
  private(set) var titleKey: [UInt8] = []
  /// The sort key by artist, then year, then title.
  private(set) var artistKey: [UInt8] = []
}

/// The columns of an album fragment from which the row of the album is computed.
struct AlbumFragmentSummary {
  let id: Int64
  let title: String
  let titleKey: [UInt8]
  let artistKey: [UInt8]
  let artist: String?
  let year: Int64
  let isCompilation: Bool
  let trackCount: Int64
  let duration: Int64
  let discs: UInt64
  let added: Int64
  let art: Int64?
  let hasArt: Bool
  let listKey: [UInt8]?

  /// Returns the fragments of an album, in the order of their first discs.
  static func all(of album: Int64, _ connection: SQLiteConnection) throws(StoreError) -> [AlbumFragmentSummary] {
    let rows = try connection.statement(
      """
      SELECT id, title, title_key, artist_key, artist, year, compilation, track_count, duration, discs, added, art,
        has_art, list_key
      FROM part WHERE album = ? ORDER BY id
      """)
    rows.bind(1, album)
    defer { rows.reset() }
    var fragments: [AlbumFragmentSummary] = []
    while try rows.step() {
      fragments.append(
        AlbumFragmentSummary(
          id: rows.integer(0) ?? 0, title: rows.text(1) ?? "", titleKey: rows.blob(2), artistKey: rows.blob(3),
          artist: rows.text(4), year: rows.integer(5) ?? 0, isCompilation: rows.integer(6) == 1,
          trackCount: rows.integer(7) ?? 0, duration: rows.integer(8) ?? 0,
          discs: UInt64(bitPattern: rows.integer(9) ?? 0), added: rows.integer(10) ?? 0, art: rows.integer(11),
          hasArt: rows.integer(12) == 1, listKey: rows.isNull(13) ? nil : rows.blob(13)))
    }
    return fragments.sorted { ($0.discs.trailingZeroBitCount, $0.id) < ($1.discs.trailingZeroBitCount, $1.id) }
  }
}

extension AlbumRow {
  /// Returns the key of the album in the list with an order; nil if there is no such list.
  func key(by sort: AlbumSort) -> ListKey? {
    switch sort {
    case .title: .bytes(titleKey)
    case .artist: .bytes(artistKey)
    case .year: .number(year)
    case .added: .number(added)
    case .random: nil
    }
  }

  /// The text by which the search finds the album, or nil if the album has no tracks.
  var searchText: SearchText.Album? {
    trackCount > 0 ? SearchText.Album(title: title, artist: artist, genre: genre, year: Int(year)) : nil
  }

  /// Sets the columns that are computed from the fragments. The largest fragment determines the title and the artist.
  ///
  /// - Parameter genre: The names of all genres of the tracks, one per line.
  mutating func combine(_ fragments: [AlbumFragmentSummary], genre: String?) {
    self.genre = genre
    trackCount = fragments.reduce(0) { $0 + $1.trackCount }
    guard let main = fragments.max(by: { $0.trackCount < $1.trackCount }) else { return }
    title = main.title
    artist = main.artist
    year = main.year
    isCompilation = main.isCompilation
    duration = fragments.reduce(0) { MediaTime.sum($0, $1.duration) }
    discCount = Int64(max(1, fragments.reduce(0) { $0 | $1.discs }.nonzeroBitCount))
    added = fragments.reduce(.max) { min($0, $1.added) }
    art = (fragments.first(where: \.hasArt) ?? main).art
    titleKey = main.titleKey + [0] + main.artistKey
    artistKey = main.artistKey + [0] + Self.bytes(UInt16(clamping: year)) + main.titleKey
  }

  /// Returns the key of a fragment in the list of tracks by album: the title and artist of the album, then the disc.
  func listKey(_ fragment: AlbumFragmentSummary) -> [UInt8] {
    titleKey + [0] + Self.bytes(UInt64(id)) + [UInt8(clamping: fragment.discs.trailingZeroBitCount)]
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// The columns, in the order of the table, of a favorite album that `UserDataRecovery` copies so that it keeps its
  /// id. The album has no tracks until they are scanned again.
  static let recoveredColumns = """
    id, identity, title, artist, year, compilation, 0, disc_count, 0, added, NULL, NULL, title_key, artist_key, NULL,
    NULL
    """

  private static let columns = """
    id, title, artist, year, compilation, track_count, disc_count, duration, added, art, genre, title_key,
    artist_key
    """

  /// Returns nil if there is no such album.
  init?(_ id: Int64, _ connection: SQLiteConnection) throws(StoreError) {
    let row = try connection.statement("SELECT \(Self.columns) FROM album WHERE id = ?")
    row.bind(1, id)
    defer { row.reset() }
    guard try row.step() else { return nil }
    self.init(row)
  }

  private init(_ row: SQLiteStatement) {
    self.init(
      id: row.integer(0) ?? 0, title: row.text(1) ?? "", artist: row.text(2), year: row.integer(3) ?? 0,
      isCompilation: row.integer(4) == 1, trackCount: row.integer(5) ?? 0, discCount: row.integer(6) ?? 0,
      duration: row.integer(7) ?? 0, added: row.integer(8) ?? 0, art: row.integer(9), genre: row.text(10),
      titleKey: row.blob(11), artistKey: row.blob(12))
  }

  func write(_ connection: SQLiteConnection) throws(StoreError) {
    let update = try connection.statement(
      """
      UPDATE album SET title = ?1, artist = ?2, year = ?3, compilation = ?4, track_count = ?5, disc_count = ?6,
        duration = ?7, added = ?8, art = ?9, genre = ?10, title_key = ?11, artist_key = ?12,
        (art_folder, art_name) = (SELECT folder, name FROM track WHERE track.id = ?9)
      WHERE id = ?13
      """)
    update.bind(1, title)
    update.bind(2, artist)
    update.bind(3, year)
    update.bind(4, isCompilation ? 1 : 0)
    update.bind(5, trackCount)
    update.bind(6, discCount)
    update.bind(7, duration)
    update.bind(8, added)
    update.bind(9, art)
    update.bind(10, genre)
    update.bind(11, blob: titleKey)
    update.bind(12, blob: artistKey)
    update.bind(13, id)
    try update.run()
  }
}
