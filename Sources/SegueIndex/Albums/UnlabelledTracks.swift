// On the thread "index" only.

internal import SegueFiles
internal import SegueSQLite
internal import SegueSystem

/// The tracks of an album that name no album artist although the others in their folder do. They are moved to the album
/// fragment of the others.
struct UnlabelledTracks {
  private let connection: SQLiteConnection
  private let tracks: TrackTable
  private let fragments: AlbumFragmentTable

  /// The number of tracks of a fragment whose artists are compared.
  private static let maximumCompared = 256

  init(_ connection: SQLiteConnection, _ tracks: TrackTable, _ fragments: AlbumFragmentTable) {
    self.connection = connection
    self.tracks = tracks
    self.fragments = fragments
  }

  private struct Pair {
    let unlabelled: Int64
    let labelled: Int64
    let artistFold: String
  }

  /// Moves the tracks in the folders of at most `limit` stale fragments.
  func join(limit: Int) throws(StoreError) {
    var seen: Set<Int64> = []
    for id in try fragments.staleIDs(limit: limit) {
      guard let row = try AlbumFragmentRow(id, connection), !row.titleFold.isEmpty, let pair = try pair(of: row),
        seen.insert(pair.unlabelled).inserted, try belongTogether(pair, row)
      else { continue }
      for track in try trackIDs(of: pair.unlabelled) { try tracks.assign(track, to: pair.labelled) }
    }
  }

  /// Returns the fragments of the same title in a folder; nil unless one has no artist and exactly one has.
  private func pair(of row: AlbumFragmentRow) throws(StoreError) -> Pair? {
    let rows = try connection.statement(
      """
      SELECT id, artist_fold FROM part WHERE folder = ? AND title_fold = ?
        AND EXISTS (SELECT 1 FROM track WHERE track.part = part.id)
      ORDER BY artist_fold LIMIT 3
      """)
    rows.bind(1, row.folder)
    rows.bind(2, row.titleFold)
    defer { rows.reset() }
    var found: [(id: Int64, artistFold: String)] = []
    while try rows.step() { found.append((rows.integer(0) ?? 0, rows.text(1) ?? "")) }
    guard found.count == 2, found[0].artistFold.isEmpty else { return nil }
    return Pair(unlabelled: found[0].id, labelled: found[1].id, artistFold: found[1].artistFold)
  }

  /// Returns whether the tracks are of one album: no number occurs twice, and they have an artist in common or are the only
  /// album of their folder.
  private func belongTogether(_ pair: Pair, _ row: AlbumFragmentRow) throws(StoreError) -> Bool {
    let numbered = "(place & \(UInt32.max)) < \(AlbumFragmentTable.unnumbered)"
    let collisions = try connection.integer(
      """
      SELECT EXISTS (
        SELECT 1 FROM track WHERE part = \(pair.unlabelled) AND \(numbered)
          AND place IN (SELECT place FROM track WHERE part = \(pair.labelled)))
      """)
    guard collisions == 0 else { return false }
    if pair.artistFold == NameNormalization.various { return true }
    if try shareArtist(pair) { return true }
    return try connection.integer("SELECT count(DISTINCT title_fold) FROM part WHERE folder = \(row.folder)") == 1
  }

  private func shareArtist(_ pair: Pair) throws(StoreError) -> Bool {
    let wanted = Set(
      pair.artistFold.split(separator: ",").map { NameNormalization.fold(String($0)) } + [pair.artistFold])
    let rows = try connection.statement(
      "SELECT artist, artists FROM track WHERE part = ? LIMIT \(Self.maximumCompared)")
    rows.bind(1, pair.unlabelled)
    defer { rows.reset() }
    while try rows.step() {
      for name in (rows.text(1).map(TextList.values) ?? []) + [rows.text(0)].compactMap(\.self) {
        let fold = NameNormalization.fold(name)
        if wanted.contains(fold) || wanted.contains(NameNormalization.leadArtist(fold)) { return true }
      }
    }
    return false
  }

  private func trackIDs(of fragment: Int64) throws(StoreError) -> [Int64] {
    let rows = try connection.statement("SELECT id FROM track WHERE part = ?")
    rows.bind(1, fragment)
    defer { rows.reset() }
    return try rows.integers()
  }
}
