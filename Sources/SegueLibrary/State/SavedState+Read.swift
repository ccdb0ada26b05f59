internal import SegueSystem
internal import SegueWire

extension SavedState {
  /// Reads everything. A value that this version does not know counts as its default.
  init(reading connection: SQLiteConnection) throws(StoreError) {
    entries = try Self.entries(connection)
    let values = StateValues(connection)
    nextID = UInt64(bitPattern: try values.integer(.nextID) ?? 1)
    modes = SavedModes(
      repeatMode: try values.text(.repeatMode).flatMap(RepeatMode.init) ?? .all,
      shuffle: try values.text(.shuffle).flatMap(ShuffleMode.init) ?? .off,
      consume: try values.integer(.consume) == 1)
    playhead = SavedPlayhead(
      entry: try values.integer(.entry).map(UInt64.init(bitPattern:)),
      position: MediaTime(nanoseconds: try values.integer(.position) ?? 0),
      state: try values.text(.playState).flatMap(PlayState.init) ?? .stopped,
      time: WallTime(nanoseconds: try values.integer(.playheadTime) ?? 0))
    volume = SavedVolume(
      level: Int(clamping: try values.integer(.volume) ?? 100).clamped(to: 0...100),
      muted: try values.integer(.muted) == 1)
    if let time = try values.integer(.sleepAt) {
      sleep = .at(WallTime(nanoseconds: time))
    } else {
      sleep = try values.text(.sleepAfter).flatMap(SavedSleep.Mark.init).map(SavedSleep.after)
    }
    device = try values.text(.device)
  }

  private static func entries(_ connection: SQLiteConnection) throws(StoreError) -> [SavedEntry] {
    var entries: [SavedEntry] = []
    entries.reserveCapacity(Int(try connection.integer("SELECT count(*) FROM queue")))
    let rows = try connection.statement(
      "SELECT id, rank, uri, duration, kind, metadata, error, probed FROM queue ORDER BY id")
    defer { rows.reset() }
    var inOrder = true
    while try rows.step() {
      let entry = SavedEntry(
        id: UInt64(bitPattern: rows.integer(0) ?? 0), rank: rows.integer(1) ?? 0, uri: rows.text(2) ?? "",
        duration: rows.integer(3).map(MediaTime.init(nanoseconds:)),
        durationKind: rows.text(4).flatMap(DurationKind.init), metadata: metadata(rows, 5), error: rows.text(6),
        probed: rows.integer(7) == 1)
      if let last = entries.last, last.rank > entry.rank { inOrder = false }
      entries.append(entry)
    }
    // By id they mostly are in order, and then SQLite need not sort.
    if !inOrder { entries.sort { ($0.rank, $0.id) < ($1.rank, $1.id) } }
    return entries
  }

  private static func metadata(_ row: SQLiteStatement, _ column: Int32) -> Metadata {
    row.withText(column) { text in
      guard let text, let json = try? JSON(parsing: text) else { return Metadata() }
      return Metadata(json)
    }
  }
}
