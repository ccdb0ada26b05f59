// Thread: "index".

internal import SegueSQLite
internal import SegueWire

/// The work that is still to be done on the search tables.
///
/// FTS5 writes everything it has collected before each statement that SQLite may have to roll back alone, and nearly
/// every statement that writes to another table is one. Changes are therefore collected and written together at the end
/// of a batch. New tracks are not even collected: writing one row per track would be more than half of the cost of a
/// scan, and many rows at once cost less. `flush` indexes a few new tracks at once; many new tracks are indexed in
/// steps by `maintain`.
final class SearchIndexQueue {
  private typealias Change = (SearchWriter) throws(StoreError) -> Void

  /// The state of the maintenance of the search tables: indexing new tracks, merging segments, building the vocabulary.
  private enum Maintenance {
    case notNeeded, needed
    /// A job that calls `maintain` is in the queue of the thread.
    case scheduled
  }

  private let connection: SQLiteConnection
  private let writer: SearchWriter
  private let counts: StoredCounts
  private let userData: UserDataTable

  private var changes: [Change] = []
  private var maintenance: Maintenance
  /// The number of texts that were written since the last maintenance.
  private var writtenTexts: Int64
  private var savedWrittenTexts: Int64
  /// The last track that is indexed. Tracks with greater ids are not.
  private var lastIndexed: Int64
  /// The greatest id of a track.
  private var lastAdded: Int64
  private var saved: (lastIndexed: Int64, lastAdded: Int64)
  /// Whether so many tracks were indexed at once that FTS5 keeps a large buffer.
  private(set) var hasIndexedLargeStep = false

  /// Up to this many new tracks are indexed by `flush`.
  private static let maximumAtOnce: Int64 = 128
  /// The number of tracks that are indexed in one step. `flush` does a step as soon as there are so many new tracks.
  private static let stepSize: Int64 = 4096
  private static let maximumChanges = 1024

  init(_ connection: SQLiteConnection, _ counts: StoredCounts, _ userData: UserDataTable) throws(StoreError) {
    self.connection = connection
    self.counts = counts
    self.userData = userData
    writer = try SearchWriter(connection)
    try writer.restoreAffinityTexts()
    writtenTexts = try StoredNumber.read(.unmaintainedTexts, connection)
    savedWrittenTexts = writtenTexts
    lastIndexed = try StoredNumber.read(.lastIndexedTrack, connection)
    lastAdded = try StoredNumber.read(.lastAddedTrack, connection)
    saved = (lastIndexed, lastAdded)
    // The process may have ended before the maintenance was done.
    let isBehind = lastAdded > lastIndexed || writtenTexts > 0
    if isBehind { writer.vocabulary.discard() }
    let isInProgress = try writer.isMaintenanceInProgress
    maintenance = isBehind || isInProgress ? .needed : .notNeeded
  }

  /// Whether there are tracks that are not indexed.
  var hasUnindexedTracks: Bool { unindexedTracks > 0 }
  /// The number of ids after that of the last indexed track.
  var unindexedTracks: Int64 { lastAdded - lastIndexed }

  // MARK: Changes

  /// Records that `row` was written, in place of `old` under the same id.
  func put(_ row: TrackRow, replacing old: TrackRow?) {
    if row.id > lastIndexed {
      lastAdded = max(lastAdded, row.id)
      if let old { replaceAffinityText(row.id, old.searchText, with: row.searchText) }
    } else {
      let (id, oldText, newText) = (row.id, old?.searchText, row.searchText)
      add { writer throws(StoreError) in try writer.replace(track: id, oldText, with: newText) }
    }
    writtenTexts += 1
  }

  func remove(_ row: TrackRow) throws(StoreError) {
    let (id, text) = (row.id, row.searchText)
    if id > lastIndexed {
      replaceAffinityText(id, text, with: nil)
    } else {
      add { writer throws(StoreError) in try writer.replace(track: id, text, with: nil) }
    }
    try writeIfFull()
    writtenTexts += 1
  }

  /// Records that an album has another text. A text is nil if the album has no tracks.
  func replace(album id: Int64, _ old: SearchText.Album?, with new: SearchText.Album?) throws(StoreError) {
    guard old != new else { return }
    add { writer throws(StoreError) in try writer.replace(album: id, old, with: new) }
    try writeIfFull()
    writtenTexts += 1
  }

  func replace(artist id: Int64, _ old: String?, with new: String?) {
    add { writer throws(StoreError) in try writer.replace(artist: id, old, with: new) }
  }

  func setAffinity(_ affinity: TrackAffinity, of row: TrackRow) {
    let (id, text) = (row.id, row.searchText)
    add { writer throws(StoreError) in try writer.setAffinity(affinity, ofTrack: id, text) }
  }

  private func replaceAffinityText(_ id: Int64, _ old: SearchText, with new: SearchText?) {
    guard userData.hasRows else { return }
    add { writer throws(StoreError) in try writer.replaceAffinityText(id, old, with: new) }
  }

  private func add(_ change: @escaping Change) { changes.append(change) }

  private func writeIfFull() throws(StoreError) {
    if changes.count >= Self.maximumChanges { try writeChanges() }
  }

  private func writeChanges() throws(StoreError) {
    for change in changes { try change(writer) }
    changes = []
  }

  /// Writes the collected changes, and indexes new tracks if there are few of them or enough for a step.
  func flush() throws(StoreError) {
    try writeChanges()
    if hasUnindexedTracks {
      if unindexedTracks <= Self.maximumAtOnce { try indexTracks(Self.maximumAtOnce) }
      if unindexedTracks >= Self.stepSize { try indexTracks(Self.stepSize) }
    }
    if (lastIndexed, lastAdded) != saved {
      try StoredNumber.write(.lastIndexedTrack, lastIndexed, connection)
      try StoredNumber.write(.lastAddedTrack, lastAdded, connection)
      saved = (lastIndexed, lastAdded)
    }
    if writtenTexts != savedWrittenTexts {
      try StoredNumber.write(.unmaintainedTexts, writtenTexts, connection)
      savedWrittenTexts = writtenTexts
    }
  }

  /// Indexes at most `limit` new tracks.
  private func indexTracks(_ limit: Int64) throws(StoreError) {
    let rows = try connection.statement(
      "SELECT id, \(SearchText.trackColumns) FROM track WHERE id > ? ORDER BY id LIMIT ?", lastIndexed, limit)
    if writer.rebuildsVocabulary(after: Int(unindexedTracks), of: counts.current.tracks) {
      writer.vocabulary.discard()
    }
    defer { rows.reset() }
    var count = 0
    while try rows.step() {
      let id = rows.integer(0) ?? 0
      try writer.replace(track: id, nil, with: SearchText(rows))
      lastIndexed = id
      count += 1
    }
    // The last tracks may have been removed in the meantime.
    if count < limit { lastIndexed = lastAdded }
    if count >= Self.stepSize { hasIndexedLargeStep = true }
  }

  // MARK: Maintenance

  /// Whether `maintain` has something to do.
  var needsMaintenance: Bool { maintenance != .notNeeded }

  /// Returns whether a job that calls `maintain` is to be added to the queue of the thread. Assumes then that it is.
  func scheduleMaintenance() -> Bool {
    guard maintenance == .needed else { return false }
    maintenance = .scheduled
    return true
  }

  /// Requests maintenance if texts were written or tracks are not indexed.
  func requestMaintenance() {
    if !needsMaintenance, writtenTexts > 0 || hasUnindexedTracks { maintenance = .needed }
  }

  /// Records that the scheduled job has started and does nothing for now.
  func postponeMaintenance() { maintenance = .needed }

  /// Does one step of the maintenance, which takes some milliseconds. The caller calls `flush` and then
  /// `finishMaintenanceStep`.
  func maintain() throws(StoreError) {
    maintenance = .needed
    if hasUnindexedTracks { return try indexTracks(Self.stepSize) }
    let goesOn = try writer.maintain(changes: Int(writtenTexts))
    writtenTexts = 0
    if !goesOn { maintenance = .notNeeded }
  }

  /// Returns whether there is more to do. The caller adds another job to the queue of the thread then.
  func finishMaintenanceStep() -> Bool {
    guard needsMaintenance else { return false }
    maintenance = .scheduled
    return true
  }
}

/// A writer of the search tables. Every call belongs in the transaction that changes the row of the index.
struct SearchWriter {
  unowned let connection: SQLiteConnection
  let vocabulary: PendingVocabulary

  /// Adds the tokenizer to `connection`. A connection without it can neither create nor use the search tables.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    vocabulary = PendingVocabulary(try connection.addSearchTokenizer())
  }

  /// Replaces the text of a track, and removes the affinity if `new` is nil. `old` is the text that was written last
  /// for the track, or nil if there is none.
  func replace(track id: Int64, _ old: SearchText?, with new: SearchText?) throws(StoreError) {
    guard old != new else { return }
    if let old { try run(Self.tracks.remove, id, Self.values(old, nil)) }
    if let new {
      try run(Self.tracks.insert, id, Self.values(new, nil))
      vocabulary.add(new)
    }
    if let old { try replaceAffinityText(id, old, with: new) }
  }

  /// Replaces the text of a track in the table of tracks with an affinity, if it is there.
  func replaceAffinityText(_ id: Int64, _ old: SearchText, with new: SearchText?) throws(StoreError) {
    guard old != new, let affinity = try affinity(of: id) else { return }
    try run(Self.tracksWithAffinity.remove, id, Self.values(old, affinity))
    if let new {
      try run(Self.tracksWithAffinity.insert, id, Self.values(new, affinity))
    } else {
      try removeAffinity(id)
    }
  }

  /// Sets the affinity of a track. `text` is the current text of the track.
  func setAffinity(_ affinity: TrackAffinity, ofTrack id: Int64, _ text: SearchText) throws(StoreError) {
    let old = try self.affinity(of: id)
    let new = affinity == TrackAffinity() ? nil : affinity
    guard old != new else { return }
    if let old { try run(Self.tracksWithAffinity.remove, id, Self.values(text, old)) }
    guard let new else { return try removeAffinity(id) }
    try run(Self.tracksWithAffinity.insert, id, Self.values(text, new))
    try connection.statement(
      "INSERT OR REPLACE INTO loved (id, score, favorite, rating, plays) VALUES (?1, ?2, ?3, ?4, ?5)", id, new.score,
      new.isFavorite, new.rating, new.plays
    ).run()
  }

  /// Writes the texts of all tracks with an affinity again if a migration has removed them.
  fileprivate func restoreAffinityTexts() throws(StoreError) {
    guard try StoredNumber.read(.affinityTextsAreMissing, connection) == 1 else { return }
    if connection.isInTransaction {
      try writeAffinityTexts()
    } else {
      try connection.transaction { () throws(StoreError) in try writeAffinityTexts() }
    }
  }

  private func writeAffinityTexts() throws(StoreError) {
    let rows = try connection.statement(
      """
      SELECT track.id, \(SearchText.trackColumns), loved.favorite, loved.rating, loved.plays
      FROM loved JOIN track ON track.id = loved.id
      """)
    defer { rows.reset() }
    let first = Int32(SearchText.trackColumnCount + 1)
    while try rows.step() {
      let affinity = TrackAffinity(rows, from: first)
      try run(Self.tracksWithAffinity.insert, rows.integer(0) ?? 0, Self.values(SearchText(rows), affinity))
    }
    try StoredNumber.write(.affinityTextsAreMissing, 0, connection)
  }

  func replace(album id: Int64, _ old: SearchText.Album?, with new: SearchText.Album?) throws(StoreError) {
    guard old != new else { return }
    if let old { try run(Self.albums.remove, id, Self.values(old)) }
    if let new { try run(Self.albums.insert, id, Self.values(new)) }
  }

  func replace(artist id: Int64, _ old: String?, with new: String?) throws(StoreError) {
    guard old != new else { return }
    if let old { try run(Self.artists.remove, id, [old]) }
    if let new { try run(Self.artists.insert, id, [new]) }
  }

  /// The statements that insert and remove a row of a table. Their parameters are the id and the texts.
  private struct Statements {
    let insert: String
    let remove: String

    init(_ table: String, _ columns: [String]) {
      let names = columns.joined(separator: ", ")
      let places = columns.map { _ in ", ?" }.joined()
      insert = "INSERT INTO \(table) (rowid, \(names)) VALUES (?\(places))"
      remove = "INSERT INTO \(table) (\(table), rowid, \(names)) VALUES ('delete', ?\(places))"
    }
  }

  private static let trackColumns = ["title", "artist", "album", "genre", "composer", "conductor", "work", "facts"]
  private static let tracks = Statements("track_text", trackColumns)
  private static let tracksWithAffinity = Statements("loved_text", trackColumns)
  private static let albums = Statements(
    "album_text", ["title", "artist", "genre", "composer", "conductor", "work", "facts"])
  private static let artists = Statements("artist_text", ["name"])

  private static func values(_ text: SearchText, _ affinity: TrackAffinity?) -> [String?] {
    text.names + [SearchText.facts(text.year, text.formats, affinity)]
  }

  private static func values(_ album: SearchText.Album) -> [String?] {
    [
      album.title, album.artist, album.genre, album.composer, album.conductor, album.work,
      SearchText.facts(album.year, []),
    ]
  }

  private func run(_ sql: String, _ id: Int64, _ values: [String?]) throws(StoreError) {
    let statement = try connection.statement(sql, id)
    for (index, value) in values.enumerated() { statement.bind(Int32(index + 2), value) }
    try statement.run()
  }

  private func removeAffinity(_ id: Int64) throws(StoreError) {
    try connection.statement("DELETE FROM loved WHERE id = ?1", id).run()
  }

  private func affinity(of id: Int64) throws(StoreError) -> TrackAffinity? {
    try connection.statement("SELECT favorite, rating, plays FROM loved WHERE id = ?1", id).first {
      TrackAffinity($0, from: 0)
    }
  }
}

extension TrackAffinity {
  /// Reads the columns favorite, rating and plays of a row.
  fileprivate init(_ row: SQLiteStatement, from first: Int32) {
    self.init(
      isFavorite: row.integer(first) == 1, rating: Int(row.integer(first + 1) ?? 0),
      plays: Int(row.integer(first + 2) ?? 0))
  }
}
