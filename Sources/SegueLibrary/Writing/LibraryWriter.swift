// Thread: "index", inside the transaction of a `LibraryStore.write`. `LibraryChanges` is a value of any thread.

public import SegueSQLite
internal import SegueSystem
internal import SegueWorkerProtocol

/// The writing side of the library.
///
/// Each table has an owner, which keeps a cache of its rows and changes that are still to be written. `flush` writes
/// them at the end of every change. If a transaction fails, the writer is discarded, since its caches may not match the
/// file.
public final class LibraryWriter: LibraryAccess {
  static let mode = LibraryFile.Mode.writing

  let connection: SQLiteConnection
  let counts: StoredCounts
  let pendingSortKeys: PendingSortKeyTable
  let userData: UserDataTable
  let search: SearchIndexQueue
  public let folders: FolderTable
  let artists: ArtistTable
  let genres: GenreTable
  let years: YearTable
  let tagValues: TagValueTable
  let fragments: AlbumFragmentTable
  let tracks: TrackTable
  let failedFiles: FailedFileTable
  public let folderDigests: FolderDigestTable
  let vanished: VanishedTrackTable
  let moves: MoveTable
  private let checkpoints: ListCheckpoints
  private let changes: ChangeRecord
  private let albumGrouping: AlbumGrouping
  private var scan = Scan.notRunning
  /// When the scan began that is running or, if it goes on with what others have left, the first of those; nil if
  /// nothing is unfinished. It is stored, because tracks that were added since then may have left their former paths
  /// since then.
  private(set) var scanStart: UnixTime?

  private enum Scan: Equatable {
    case notRunning
    /// Between the first batch of a scan and its end. `hadTracks` tells whether the index had tracks before.
    case running(hadTracks: Bool)
  }

  init(_ connection: SQLiteConnection) throws(StoreError) {
    let context = try WriterContext(connection)
    self.connection = connection
    counts = context.counts
    checkpoints = context.checkpoints
    changes = context.changes
    pendingSortKeys = context.pendingSortKeys
    userData = context.userData
    search = context.search
    folders = FolderTable(connection, changes)
    artists = ArtistTable(context)
    genres = GenreTable(context)
    years = YearTable(connection)
    tagValues = TagValueTable(context, artists)
    fragments = try AlbumFragmentTable(context, folders)
    tracks = try TrackTable(context, folders, artists, genres, years, fragments)
    failedFiles = FailedFileTable(connection, counts, changes)
    folderDigests = FolderDigestTable(connection)
    vanished = try VanishedTrackTable(connection)
    moves = MoveTable(connection)
    albumGrouping = AlbumGrouping(context, folders, artists, genres, years, tagValues, fragments, tracks)
    let start = try StoredNumber.read(.unfinishedScanStart, connection)
    scanStart = start > 0 ? UnixTime(nanoseconds: start) : nil
  }

  /// Writes what the owners have collected. Called at the end of every change.
  func flush() throws(StoreError) {
    tracks.flush()
    try artists.flush()
    try genres.flush()
    try years.flush()
    try tagValues.flush()
    try fragments.flush()
    try checkpoints.flush()
    try search.flush()
    try counts.flush()
  }

  /// Returns the lists that have changed since the last call.
  func takeChanges() -> LibraryChanges { changes.take() }

  /// The numbers of items in the index.
  var currentCounts: LibraryCounts {
    var counts = counts.current
    counts.setSearchable(unindexed: search.unindexedTracks)
    return counts
  }

  /// Whether the index has no tracks.
  public var isEmpty: Bool { counts.current.tracks == 0 }

  // MARK: Scans

  /// Whether a scan is between its first batch and its end.
  var isScanning: Bool { scan != .notRunning }

  var expectsMoreWork: Bool { isScanning || search.needsMaintenance }

  func beginScanIfNeeded() throws(StoreError) {
    if isScanning { return }
    scan = .running(hadTracks: counts.current.tracks > 0)
    if scanStart == nil { try setScanStart(.now) }
  }

  private func setScanStart(_ time: UnixTime?) throws(StoreError) {
    scanStart = time
    try StoredNumber.write(.unfinishedScanStart, time?.nanoseconds ?? 0, connection)
  }

  /// Whether a file of the scan may have been elsewhere before: there were tracks when the scan began or before it, or
  /// the user has rated or played a track.
  var mayHaveMovedFiles: Bool {
    switch scan {
    case .notRunning: true
    case .running(let hadTracks): hadTracks || userData.hasRows || vanished.hasRows
    }
  }

  /// Ends a scan without finishing it. The next scan does what is left.
  public func abandonScan() { scan = .notRunning }

  /// Updates albums and counts after `put`, `remove` and `rename`, including those of a process that ended before it
  /// called this function. Until then, new tracks are in no album, and most of them are not found. The cost is
  /// proportional to the number of changes.
  ///
  /// - Parameter limit: The number of album fragments, or of replaced tracks, that are updated at most.
  /// - Returns: Whether there are more. This function is to be called again then.
  @discardableResult
  public func finishScan(limit: Int = .max) throws(StoreError) -> Bool {
    if try settleReplacedTracks(limit: limit) { return true }
    try flush()
    try albumGrouping.joinUnlabelledTracks(limit: limit)
    try flush()
    let count = try albumGrouping.updateStaleFragments(limit: limit)
    try flush()
    if count == limit { return true }
    scan = .notRunning
    if scanStart != nil { try setScanStart(nil) }
    try vanished.trim(at: .now)
    try moves.trim()
    try checkpoints.rebuild()
    search.requestMaintenance()
    return false
  }

  /// Returns whether a scan wrote files that no `finishScan` has finished: the scan was abandoned, or the process
  /// ended.
  public func hasUnfinishedScan() throws(StoreError) -> Bool {
    if isScanning || scanStart != nil || !checkpoints.areCurrent { return true }
    return try connection.integer("SELECT EXISTS (SELECT 1 FROM stale)") == 1
  }
}

extension LibraryWriter {
  /// Sets the order of the sort keys, which `collation` names. If it differs from the order of the existing keys, all
  /// of them are to be computed anew. Returns whether that is so.
  public func setCollation(_ collation: String) throws(StoreError) -> Bool {
    let name = Int64(bitPattern: StableHash.hash(Array(collation.utf8)))
    let known = try StoredNumber.read(.collation, connection)
    if known == name { return false }
    try StoredNumber.write(.collation, name, connection)
    // If no order is known yet, the existing keys have this one.
    if known == 0 { return false }
    try pendingSortKeys.insertAll()
    return true
  }

  /// Returns at most `limit` texts that have no current sort key, or none if there are no more.
  public func pendingSortKeys(limit: Int) throws(StoreError) -> [PendingSortKey] {
    try pendingSortKeys.texts(limit: limit)
  }

  /// Writes the sort keys of texts: one key for each text. If a key is empty, an item keeps its key, and a favorite
  /// gets a provisional one.
  public func setSortKeys(_ keys: [[UInt8]], of texts: [PendingSortKey]) throws(StoreError) {
    for (text, key) in zip(texts, keys) {
      switch text.row {
      case .item(let kind, let id):
        if !key.isEmpty { try setSortKey(kind, id, key) }
        try pendingSortKeys.remove(kind, id)
      case .favorite(let uri):
        try userData.setTitleKey(
          ofFavorite: uri, key.isEmpty ? SortKeys.provisionalKey(of: text.text.text) : key)
      }
    }
    try flush()
  }

  private func setSortKey(_ kind: PendingSortKey.Kind, _ id: Int64, _ key: [UInt8]) throws(StoreError) {
    changes.add(.items)
    switch kind {
    case .track: try tracks.setTitleKey(id, key)
    case .artist: try artists.setSortKey(id, key)
    case .album: try fragments.setTitleKey(id, key)
    case .albumArtist: try fragments.setArtistKey(id, key)
    case .genre: try genres.setSortKey(id, key)
    case .tagValue: try tagValues.setSortKey(id, key)
    }
  }
}

/// The lists that writing to the library has changed.
public struct LibraryChanges: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The tracks, albums, artists, genres and folders, their order, or the files that could not be read.
  public static let items = LibraryChanges(rawValue: 1)
  public static let favorites = LibraryChanges(rawValue: 1 << 1)
  public static let ratings = LibraryChanges(rawValue: 1 << 2)
  public static let history = LibraryChanges(rawValue: 1 << 3)

  public static let all: LibraryChanges = [.items, .favorites, .ratings, .history]
}

/// A record of the lists that the current transaction has changed. The tables add to it.
final class ChangeRecord {
  private let connection: SQLiteConnection
  private var changes: LibraryChanges = []

  init(_ connection: SQLiteConnection) { self.connection = connection }

  func add(_ changes: LibraryChanges) { self.changes.formUnion(changes) }

  /// Runs a statement, and adds `changes` if it has changed a row.
  func run(_ statement: SQLiteStatement, changing changes: LibraryChanges) throws(StoreError) {
    try statement.run()
    if connection.changedRowCount > 0 { add(changes) }
  }

  /// Returns what has changed since the last call.
  func take() -> LibraryChanges {
    defer { changes = [] }
    return changes
  }
}
