// Thread: the connection's.

internal import SegueFiles
public import SegueSQLite
public import SegueSystem
public import SegueWire
internal import SegueWorkerProtocol

extension LibraryReader {
  // MARK: Tracks

  /// Returns the tracks with these ids, in the same order. Ids that do not exist are skipped.
  public func tracks(_ ids: [Int64]) throws(StoreError) -> [LibraryTrack] {
    let rows = try connection.statement(
      """
      SELECT \(TrackRow.listedColumns), EXISTS (SELECT 1 FROM favorite v WHERE v.kind = 1 AND v.item = t.id)
      FROM track t WHERE t.id = ?
      """)
    var tracks: [LibraryTrack] = []
    var places: [(folder: Int64, fragment: Int64, name: [UInt8], range: CueRange?)] = []
    tracks.reserveCapacity(ids.count)
    places.reserveCapacity(ids.count)
    for id in ids {
      rows.bind(1, id)
      if try rows.step() {
        let row = TrackRow(rows)
        places.append((row.folder, row.fragment, row.name, row.range))
        tracks.append(LibraryTrack(row, isFavorite: rows.integer(Int32(TrackRow.columnCount)) == 1))
      }
      rows.reset()
    }
    // Many tracks share a folder and an album fragment.
    let sql = "SELECT path, \(FolderAvailability.isOffline) FROM folder f WHERE id = ?"
    let folders = try RowLookup(places.map(\.folder), sql, connection) {
      (path: FilePath(bytes: $0.blob(0)), isOffline: $0.integer(1) == 1)
    }
    let albums = try RowLookup(places.map(\.fragment), "SELECT album FROM part WHERE id = ?", connection) {
      $0.integer(0)
    }
    for (index, place) in places.enumerated() {
      guard let folder = folders[place.folder] else { continue }
      tracks[index].uri = MediaURI.file(folder.path.appending(place.name), range: place.range).uri
      tracks[index].isOffline = folder.isOffline
      tracks[index].album = albums[place.fragment] ?? nil
    }
    return tracks
  }

  /// Returns the track with a URI as `MediaURI` writes it, or nil if the index has no such track.
  public func track(_ uri: String) throws(StoreError) -> LibraryTrack? {
    guard let id = try trackID(uri) else { return nil }
    return try tracks([id]).first
  }

  /// Returns the details of a track, or nil if the index has no such track.
  public func details(_ uri: String) throws(StoreError) -> TrackDetails? {
    guard let id = try trackID(uri) else { return nil }
    return try connection.statement("SELECT details, composers, conductors, works FROM track WHERE id = ?", id).first {
      row in
      func list(_ column: Int32) -> [String] { row.text(column).map(TextList.values) ?? [] }
      var details = TrackDetails(text: row.text(0))
      (details.tags.composers, details.tags.conductors, details.tags.works) = (list(1), list(2), list(3))
      return details
    }
  }

  private func trackID(_ uri: String) throws(StoreError) -> Int64? {
    guard case .file(let path, let range) = try? MediaURI(uri) else { return nil }
    return try connection.statement(
      """
      SELECT id FROM track
      WHERE folder = (SELECT id FROM folder WHERE path = ?) AND name = ? AND range_start = ?
      """, path.parent.bytes, Array(path.lastComponent), range?.start ?? -1
    ).first { $0.integer(0) }
  }

  // MARK: Albums

  public func album(_ id: Int64) throws(StoreError) -> LibraryAlbum? { try albums([id]).first }

  /// Returns the albums with these ids, in the same order. Ids that do not exist are skipped.
  public func albums(_ ids: [Int64]) throws(StoreError) -> [LibraryAlbum] {
    let rows = try connection.statement(
      """
      SELECT title, artist, year, track_count, disc_count, duration, compilation, added,
        EXISTS (SELECT 1 FROM favorite v WHERE v.kind = 2 AND v.item = album.id)
      FROM album WHERE id = ? AND track_count > 0
      """)
    var albums = [LibraryAlbum?](repeating: nil, count: ids.count)
    // The rows are read in the order of the file.
    for (place, id) in ids.enumerated().sorted(by: { $0.element < $1.element }) {
      rows.bind(1, id)
      if try rows.step() {
        albums[place] = LibraryAlbum(
          id: id, title: rows.text(0) ?? "", albumArtist: rows.text(1),
          year: rows.integer(2).flatMap { $0 == 0 ? nil : Int($0) }, trackCount: Int(rows.integer(3) ?? 0),
          discCount: Int(rows.integer(4) ?? 1), duration: MediaTime(nanoseconds: rows.integer(5) ?? 0),
          isCompilation: rows.integer(6) == 1, added: UnixTime(nanoseconds: rows.integer(7) ?? 0),
          isFavorite: rows.integer(8) == 1)
      }
      rows.reset()
    }
    return albums.compactMap(\.self)
  }

  /// Returns the file in which to look for the picture of an album: a track with an embedded cover, or else the first
  /// track.
  public func artSource(ofAlbum id: Int64) throws(StoreError) -> FilePath? {
    try connection.statement(
      "SELECT path, art_name FROM album JOIN folder ON folder.id = art_folder WHERE album.id = ?", id
    ).first { FilePath(bytes: $0.blob(0)).appending($0.blob(1)) }
  }

  /// Returns the tracks of an album by disc, track number and name.
  public func tracks(
    ofAlbum id: Int64, _ page: PageRequest = PageRequest(limit: .max)
  ) throws(StoreError) -> [LibraryTrack] {
    let rows = try connection.statement(
      """
      SELECT t.id FROM track t JOIN part p ON p.id = t.part WHERE p.album = ?
      ORDER BY p.list_key, p.id, t.place, t.id LIMIT ? OFFSET ?
      """, id, page.limit, page.offset)
    return try tracks(try rows.integers())
  }

  // MARK: Artists

  public func artist(_ id: Int64) throws(StoreError) -> LibraryArtist? { try artists([id]).first }

  /// Returns the artists with these ids, in the same order. Ids that do not exist are skipped.
  public func artists(_ ids: [Int64]) throws(StoreError) -> [LibraryArtist] {
    let rows = try connection.statement(
      """
      SELECT name, album_count, track_count, EXISTS (SELECT 1 FROM favorite v WHERE v.kind = 3 AND v.item = artist.id)
      FROM artist WHERE id = ? AND track_count > 0
      """)
    var artists: [LibraryArtist] = []
    artists.reserveCapacity(ids.count)
    for id in ids {
      rows.bind(1, id)
      if try rows.step() {
        artists.append(
          LibraryArtist(
            id: id, name: rows.text(0) ?? "", albumCount: Int(rows.integer(1) ?? 0),
            trackCount: Int(rows.integer(2) ?? 0), isFavorite: rows.integer(3) == 1))
      }
      rows.reset()
    }
    return artists
  }

  /// Returns the albums with tracks of an artist, by year and then title.
  public func albums(
    ofArtist id: Int64, _ page: PageRequest = PageRequest(limit: .max)
  ) throws(StoreError) -> [LibraryAlbum] {
    let rows = try connection.statement(
      """
      SELECT id FROM album WHERE track_count > 0 AND id IN (
        SELECT p.album FROM part_artist a JOIN part p ON p.id = a.part WHERE a.artist = ?
      ) ORDER BY year, title_key, id LIMIT ? OFFSET ?
      """, id, page.limit, page.offset)
    return try albums(try rows.integers())
  }
}

extension LibraryTrack {
  /// Creates a track without the values that come from its folder and its album fragment.
  fileprivate init(_ track: TrackRow, isFavorite: Bool) {
    self.init(
      id: track.id, uri: "", duration: track.duration, durationKind: track.kind, metadata: track.metadata,
      audio: track.audio, album: nil, hasCover: track.flags.contains(.hasCover),
      hasLyrics: track.flags.contains(.hasLyrics), added: track.added, isFavorite: isFavorite,
      rating: track.rating < 0 ? nil : Int(track.rating), isOffline: false)
  }
}

extension TrackRow {
  private static let names = columns.split { $0 == "," || $0 == " " || $0 == "\n" }
  static let columnCount = names.count
  /// The columns without those that no list shows and that take long to read.
  static let listedColumns = names.map {
    ["title_key", "release", "details", "composers", "conductors", "works"].contains($0) ? "NULL" : "t.\($0)"
  }
  .joined(separator: ", ")
}

/// The values of rows by their ids. Each row is read once, and the rows are read in the order of the file, which costs
/// a fraction of reading them in any order.
private struct RowLookup<Value> {
  private var values: [Int64: Value] = [:]

  /// Reads rows.
  ///
  /// - Parameter sql: A statement that selects a row by its id. The row may be missing.
  init(
    _ ids: [Int64], _ sql: String, _ connection: SQLiteConnection, _ value: (SQLiteStatement) -> Value
  ) throws(StoreError) {
    let row = try connection.statement(sql)
    for id in Set(ids).sorted() {
      row.bind(1, id)
      if try row.step() { values[id] = value(row) }
      row.reset()
    }
  }

  subscript(id: Int64) -> Value? { values[id] }
}
