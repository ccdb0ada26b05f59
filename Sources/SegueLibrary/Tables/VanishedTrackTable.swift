// Thread: "index".

internal import SegueFiles
internal import SegueSQLite
internal import SegueSystem

/// The table of tracks that have left the index, by which a track is recognized that appears under another path later.
final class VanishedTrackTable {
  /// The fate of the file of a track.
  enum State: Int64 {
    /// The file does not exist any more.
    case gone = 0
    /// The file still exists, and is only not in a music folder any more.
    case elsewhere = 1
    /// A file that the index did not have has taken its place. The scan may still find it under another path. Queue and
    /// playlists have not left its former path.
    case replaced = 2
    /// The same, but the index had that file under another path before. Queue and playlists follow the track.
    case displaced = 3
  }

  /// A track whose place another file has taken during a scan.
  struct ReplacedTrack {
    let track: MovableTrack
    let state: State
    /// When that was noticed.
    let time: UnixTime
  }

  private let connection: SQLiteConnection
  /// Whether the table has, or had, a row.
  private(set) var hasRows: Bool
  /// Whether the table has, or had, a track that was replaced.
  private(set) var hasReplacedTracks: Bool
  private var hasGrown = false

  /// How long a track is remembered.
  private static let lifetime = MediaTime.seconds(365 * 86_400)
  /// The maximum number of tracks; those that left the index last are kept.
  private static let maximumCount: Int64 = 1_000_000

  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    hasRows = try connection.integer("SELECT EXISTS (SELECT 1 FROM vanished)") == 1
    hasReplacedTracks = try connection.integer("SELECT EXISTS (SELECT 1 FROM vanished WHERE elsewhere > 1)") == 1
  }

  private static let columns =
    "uri, range_start, audio_digest, recording, release, size, modified, added, elsewhere, time"

  /// Adds a track, unless nothing identifies it.
  func insert(_ track: MovableTrack, _ state: State, at time: UnixTime) throws(StoreError) {
    guard !track.identities.isEmpty else { return }
    try connection.statement(
      """
      INSERT OR REPLACE INTO vanished (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, track.uri, track.rangeStart, track.audioDigest, track.recording, track.release, track.size, track.modified,
      track.added.nanoseconds, state.rawValue, time.nanoseconds
    ).run()
    (hasRows, hasGrown) = (true, true)
    switch state {
    case .gone, .elsewhere: break
    case .replaced, .displaced: hasReplacedTracks = true
    }
  }

  /// Returns the track that had this URI.
  func track(_ uri: String) throws(StoreError) -> MovableTrack? {
    try tracks(connection.statement("SELECT \(Self.columns) FROM vanished WHERE uri = ?", uri)).first
  }

  func remove(_ uri: String) throws(StoreError) {
    try connection.statement("DELETE FROM vanished WHERE uri = ?", uri).run()
  }

  /// Returns tracks that may be `track`.
  func candidates(_ identity: TrackIdentity, of track: MovableTrack) throws(StoreError) -> [MovableTrack] {
    let rows = try connection.statement(
      """
      SELECT \(Self.columns) FROM vanished WHERE \(identity.column) = ? AND range_start = ?
      LIMIT \(MovableTrack.maximumCandidates)
      """, identity.value, track.rangeStart)
    return try tracks(rows)
  }

  /// Returns at most `limit` tracks whose files still existed when they left the index.
  func tracksElsewhere(limit: Int) throws(StoreError) -> [MovableTrack] {
    let rows = try connection.statement(
      "SELECT \(Self.columns) FROM vanished INDEXED BY vanished_elsewhere WHERE elsewhere = 1 LIMIT \(limit)")
    return try tracks(rows)
  }

  /// Returns at most `limit` tracks that were replaced.
  func replacedTracks(limit: Int) throws(StoreError) -> [ReplacedTrack] {
    guard hasReplacedTracks else { return [] }
    let rows = try connection.statement("SELECT \(Self.columns) FROM vanished WHERE elsewhere > 1 LIMIT \(limit)")
    return try replacedTracks(rows)
  }

  /// Returns the track that was replaced and has this URI.
  func replacedTrack(_ uri: String) throws(StoreError) -> ReplacedTrack? {
    let find = try connection.statement("SELECT \(Self.columns) FROM vanished WHERE uri = ? AND elsewhere > 1", uri)
    return try replacedTracks(find).first
  }

  /// Returns the tracks at whose path there is another file now.
  func replacedTracks(at path: FilePath) throws(StoreError) -> [ReplacedTrack] {
    guard hasReplacedTracks else { return [] }
    let (first, last) = path.rangeBelow
    let rows = try connection.statement(
      "SELECT \(Self.columns) FROM vanished WHERE elsewhere > 1 AND uri >= ? AND uri < ?",
      FileURI.encode(FilePath(bytes: first)), FileURI.encode(FilePath(bytes: last)))
    return try replacedTracks(rows)
  }

  private func replacedTracks(_ rows: SQLiteStatement) throws(StoreError) -> [ReplacedTrack] {
    try rows.map { row in
      guard let track = track(row), let state = row.integer(8).flatMap(State.init) else { return nil }
      return ReplacedTrack(track: track, state: state, time: UnixTime(nanoseconds: row.integer(9) ?? 0))
    }.compactMap(\.self)
  }

  func setState(_ state: State, of uri: String) throws(StoreError) {
    try connection.statement("UPDATE vanished SET elsewhere = ? WHERE uri = ?", state.rawValue, uri).run()
  }

  private func tracks(_ rows: SQLiteStatement) throws(StoreError) -> [MovableTrack] {
    try rows.map { track($0) }.compactMap(\.self)
  }

  private func track(_ row: SQLiteStatement) -> MovableTrack? {
    let uri = row.text(0) ?? ""
    guard case .file(let path, _) = try? MediaURI(uri) else { return nil }
    let isReplaced = row.integer(8) == State.replaced.rawValue
    return MovableTrack(
      uri: uri, path: path, followedPath: isReplaced ? path.formerPath : path, rangeStart: row.integer(1) ?? -1,
      audioDigest: row.integer(2).map(UInt64.init(bitPattern:)),
      recording: row.integer(3).map(UInt64.init(bitPattern:)), release: row.text(4), size: row.integer(5) ?? 0,
      modified: row.integer(6) ?? 0, added: UnixTime(nanoseconds: row.integer(7) ?? 0))
  }

  /// Renames all tracks below a folder, as their user data is renamed.
  func renameAll(under old: FilePath, to new: FilePath) throws(StoreError) {
    if hasRows { try connection.renameOfURIs(in: "vanished", under: old, to: new).run() }
  }

  /// Forgets the tracks that have left the index long ago, and those beyond the maximum number.
  func trim(at now: UnixTime) throws(StoreError) {
    guard hasGrown else { return }
    hasGrown = false
    try connection.execute("DELETE FROM vanished WHERE time < \(now.nanoseconds - Self.lifetime.nanoseconds)")
    guard try connection.integer("SELECT count(*) FROM vanished") > Self.maximumCount else { return }
    try connection.execute(
      """
      DELETE FROM vanished WHERE time < (SELECT time FROM vanished ORDER BY time DESC LIMIT 1 OFFSET \(Self.maximumCount))
      """)
  }
}
