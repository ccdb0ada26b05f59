// Thread: the connection's.

public import SegueFiles
public import SegueSQLite
public import SegueSystem
internal import SegueWire

/// Queries of the play queue.
extension LibraryReader {
  /// The number of searches that the search history keeps.
  public static let maximumSearches = SearchHistory.length

  /// The maximum number of tracks that are added to a queue for a `segue:` URI.
  private static let maximumTracksOfURI = 200_000
  /// The number of rows that are read at once.
  private static let batchSize = 20_000

  /// Returns the URIs of the tracks that `name` stands for, in playback order, or nil if there is no such album,
  /// artist, genre or other value.
  ///
  /// - Precondition: `name` is not a playlist, which is a file and not in the index.
  public func uris(of name: LibraryURI) throws(StoreError) -> [String]? {
    switch name {
    case .album(let id):
      guard try album(id) != nil else { return nil }
      return try tracks(ofAlbum: id).map(\.uri)
    case .artist(let id):
      guard try artist(id) != nil else { return nil }
      return try uris(ofArtist: id)
    case .genre(let genre):
      var filter = LibraryFilter()
      filter.genre = genre
      let uris = try uris(filter, by: .artist)
      return uris.isEmpty ? nil : uris
    case .value(let tag, let value):
      guard let filter = LibraryFilter(tag, value) else { return nil }
      let uris = try uris(filter, by: .album)
      return uris.isEmpty ? nil : uris
    case .search(let query):
      // Filters alone rank no track before another, so that albums are played in order.
      let sort: SearchSort = search.hasWords(query) ? .best : .album
      return try tracks(try search(query, .track, PageRequest(limit: Self.maximumTracksOfURI), by: sort).ids).map(\.uri)
    case .playlist: preconditionFailure("playlists are files")
    }
  }

  /// Returns the tracks of an artist: album by album, the oldest first, then the tracks without an album.
  private func uris(ofArtist id: Int64) throws(StoreError) -> [String] {
    var filter = LibraryFilter()
    filter.artist = id
    var uris: [String] = []
    for album in try albums(ofArtist: id) {
      filter.album = album.id
      uris += try self.uris(filter, by: .album)
    }
    filter.album = nil
    let known = Set(uris)
    return uris + (try self.uris(filter, by: .album)).filter { !known.contains($0) }
  }

  private func uris(_ filter: LibraryFilter, by sort: TrackSort) throws(StoreError) -> [String] {
    var uris: [String] = []
    while uris.count < Self.maximumTracksOfURI {
      let page = PageRequest(offset: uris.count, limit: min(Self.batchSize, Self.maximumTracksOfURI - uris.count))
      let found = try tracks(filter, by: sort, .ascending, page).items
      uris += found.map(\.uri)
      if found.count < page.limit { break }
    }
    return uris
  }

  /// Returns the tracks with these URIs, in the same order. An element is nil if the index has no such track or if its
  /// stamp differs.
  public func unchangedTracks(_ files: [(uri: String, stamp: FileStamp?)]) throws(StoreError) -> [LibraryTrack?] {
    let find = try connection.statement(
      """
      SELECT id FROM track WHERE folder = (SELECT id FROM folder WHERE path = ?) AND name = ? AND range_start = ?
        AND inode = ? AND modified = ? AND size = ? AND device = ?
      """)
    var ids: [Int64?] = []
    for file in files {
      guard let stamp = file.stamp, case .file(let path, let range) = try? MediaURI(file.uri) else {
        ids.append(nil)
        continue
      }
      find.bind(1, blob: path.parent.bytes)
      find.bind(2, blob: Array(path.lastComponent))
      find.bind(3, range?.start ?? -1)
      find.bind(4, Int64(bitPattern: stamp.inode))
      find.bind(5, stamp.modified)
      find.bind(6, stamp.size)
      find.bind(7, Int64(bitPattern: stamp.device))
      ids.append(try find.step() ? find.integer(0) : nil)
      find.reset()
    }
    let tracks = Dictionary(try self.tracks(ids.compactMap(\.self)).map { ($0.id, $0) }) { first, _ in first }
    return ids.map { $0.flatMap { tracks[$0] } }
  }

  /// Returns the tracks with these URIs, in the same order, whether or not their files have changed. An element is nil
  /// if the index has no such track.
  public func tracks(_ uris: [String]) throws(StoreError) -> [LibraryTrack?] {
    var tracks: [LibraryTrack?] = []
    for uri in uris { tracks.append(try track(uri)) }
    return tracks
  }

  /// Returns the URIs of all favorites.
  public func favoriteURIs() throws(StoreError) -> Set<String> {
    Set(try connection.statement("SELECT uri FROM favorite").map { $0.text(0) ?? "" })
  }

  /// Returns the ratings of all rated tracks, from 0 to 10, by their URIs.
  public func ratings() throws(StoreError) -> [String: Int] {
    let rows = try connection.statement("SELECT uri, value FROM rating").map { ($0.text(0) ?? "", $0.integer(1)) }
    return Dictionary(rows.compactMap { uri, value in value.map { (uri, Int($0)) } }) { first, _ in first }
  }
}
