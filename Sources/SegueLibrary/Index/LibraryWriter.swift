// On the thread "index" only, inside the transaction of a `LibraryStore.write`.

internal import SegueSystem

/// What may be changed in the library.
public final class LibraryWriter: LibraryRole {
  static let threadsRole = LibraryFile.Role.writing

  let connection: SQLiteConnection
  let search: SearchWriter
  let statements: WriterStatements

  // What was read of the file or is to be written to it at the end of a change. A transaction that fails drops the
  // writer, and with it what was remembered and is not true.
  var searchChanges = SearchChanges()
  var marks: ListCheckpoints
  var counts: LibraryCounts
  var savedCounts: LibraryCounts
  /// Whether the user made anything that names a track.
  var hasUserRows: Bool
  var unsettled: Int64
  private var savedUnsettled: Int64
  /// What the search was told of: tracks with greater numbers, which came in great numbers, it is told of by `settle`.
  var searched: Int64
  /// No track has a greater number.
  var newest: Int64
  private var savedSearched: (Int64, Int64)
  /// Whether there are tracks that the search was not told of.
  var isTelling: Bool { newest > searched }
  /// Whether it was told of so many at once that FTS5 keeps much memory for as many.
  var hasToldMany = false
  /// Whether `settle` has something to do.
  public internal(set) var isSettling: Bool
  /// Whether it is to be called by the thread.
  var isSettleDue = false
  /// Between the first portion of a scan and its end.
  var isScanning = false
  /// The folder that this portion made last, and what it put there: of its other files the index knows none.
  private(set) var newFolder: Int64?
  var newNames: Set<[UInt8]> = []
  /// What is put was somewhere else before, maybe: there was something when the scan began, or the user made something.
  var mayHaveMoved: Bool { hadTracks || hasUserRows }
  var hadTracks = true
  // Of the track before; nil at the end of a portion.
  var lastPart: CachedAlbumFragment?
  var lastPeople: CachedTrackArtists?
  var lastGenre: (name: String, id: Int64)?
  var goesOn: Bool { isScanning || isSettling }
  var lastFolder: (path: FilePath, id: Int64, part: Int64, disc: Int?)?
  var parts: [PartPlace: Int64] = [:]
  var staleParts: Set<Int64> = []
  var artists: [String: Int64] = [:]
  var artistChanges: [Int64: ArtistChange] = [:]
  var genres: [String: Int64] = [:]
  var genreChanges: [Int64: Int64] = [:]

  /// Where a part of an album is: see the table `part`.
  struct PartPlace: Hashable {
    var folder: Int64
    var titleFold: String
    var artistFold: String
  }

  struct ArtistChange {
    var tracks: Int64 = 0
    var main: Int64 = 0
  }

  /// Of so few new tracks the search is told as they are written, of more once there are so many, or by `settle`.
  static let mostSearchedAtOnce: Int64 = 128
  static let mostSearchedInStep: Int64 = 4096

  /// So many names are remembered of each kind.
  static let mostRemembered = 4096

  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    search = try SearchWriter(connection)
    statements = try WriterStatements(connection)
    marks = try ListCheckpoints(connection)
    counts = try LibraryCounts(connection)
    savedCounts = counts
    unsettled = try Meta.read(.unsettled, connection)
    savedUnsettled = unsettled
    searched = try Meta.read(.searched, connection)
    newest = try Meta.read(.newest, connection)
    savedSearched = (searched, newest)
    // The process may have ended before the search was put in order.
    let isBehind = newest > searched || unsettled > 0
    if isBehind { search.newWords.loseTrack() }
    let isUnsettled = try search.isUnsettled
    isSettling = isBehind || isUnsettled
    hasUserRows =
      try connection.integer(
        """
        SELECT EXISTS (SELECT 1 FROM favorite) OR EXISTS (SELECT 1 FROM rating) OR EXISTS (SELECT 1 FROM play)
          OR EXISTS (SELECT 1 FROM bookmark)
        """) == 1
  }

  func begin(newFolder folder: Int64?) {
    newFolder = folder
    newNames.removeAll(keepingCapacity: true)
  }

  /// A scan ends here, without its end: what it left is done by the next one.
  public func abandonScan() { isScanning = false }

  /// Writes what many rows have in common. At the end of every change.
  func flush() throws(StoreError) {
    (lastPart, lastPeople, lastGenre) = (nil, nil, nil)
    try flushArtists()
    try flushGenres()
    for part in staleParts {
      statements.addStale.bind(1, part)
      try statements.addStale.run()
    }
    staleParts = []
    try marks.flush(connection)
    try searchChanges.write(search)
    if isTelling {
      if newest - searched <= Self.mostSearchedAtOnce { try tellSearch(Self.mostSearchedAtOnce) }
      if newest - searched >= Self.mostSearchedInStep { try tellSearch(Self.mostSearchedInStep) }
    }
    if (searched, newest) != savedSearched {
      try Meta.write(.searched, searched, connection)
      try Meta.write(.newest, newest, connection)
      savedSearched = (searched, newest)
    }
    if unsettled != savedUnsettled {
      try Meta.write(.unsettled, unsettled, connection)
      savedUnsettled = unsettled
    }
    if counts != savedCounts {
      try counts.write(connection)
      savedCounts = counts
    }
    if parts.count > Self.mostRemembered { parts = [:] }
    if artists.count > Self.mostRemembered { artists = [:] }
    if genres.count > Self.mostRemembered { genres = [:] }
  }
}

/// What the index remembers of a file.
public struct IndexedFile: Hashable, Sendable {
  public var stamp: FileStamp
  /// Whether it was looked into in vain; such a file is asked again when its stamp changes.
  public var hasFailed: Bool
  /// Whether an earlier version of Segue looked into it, which may have found something else.
  public var isOutdated: Bool

  public init(stamp: FileStamp, hasFailed: Bool, isOutdated: Bool = false) {
    self.stamp = stamp
    self.hasFailed = hasFailed
    self.isOutdated = isOutdated
  }
}
