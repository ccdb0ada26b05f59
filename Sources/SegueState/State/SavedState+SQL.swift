internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

extension SavedState {
  /// Reads the state. A value that this version does not know is replaced by the default.
  init(reading connection: SQLiteConnection) throws(StoreError) {
    self.init()
    entries = try SavedEntry.readAll(connection)
    history = try SavedStep.readAll(connection)
    order = try SavedShuffleOrder(reading: connection)
    try readValues(connection)
    settings = try SavedSetting.readAll(connection)
  }

  /// Reads everything but the entries of the queue, their order, its history and the settings.
  mutating func readValues(_ connection: SQLiteConnection) throws(StoreError) {
    let values = StateValues(connection)
    nextID = UInt64(max(try values.integer(.nextID) ?? 1, 1))
    queueOrigin = try QueueOrigin(reading: values, hadEntries: nextID > 1 || !entries.isEmpty)
    modes = SavedModes(
      repeatMode: try values.text(.repeatMode).flatMap(RepeatMode.init) ?? .all,
      shuffle: try values.text(.shuffle).flatMap(ShuffleMode.init) ?? .off,
      consume: try values.integer(.consume) == 1)
    playhead = SavedPlayhead(
      entry: try values.integer(.entry).map(UInt64.init(bitPattern:)),
      position: MediaTime(nanoseconds: try values.integer(.position) ?? 0).clamped(to: .zero ... .maximum),
      state: try values.text(.playState).flatMap(PlayState.init) ?? .stopped,
      time: UnixTime(nanoseconds: try values.integer(.playheadTime) ?? 0))
    volume = SavedVolume(
      level: Int(clamping: try values.integer(.volume) ?? 100).clamped(to: 0...100),
      muted: try values.integer(.muted) == 1, balance: try values.text(.balance))
    if let time = try values.integer(.sleepAt) {
      sleep = .at(UnixTime(nanoseconds: time))
    } else {
      sleep = try values.text(.sleepAfter).flatMap(SavedSleep.End.init).map(SavedSleep.after)
    }
    speed =
      try values.integer(.speed).flatMap { PlaybackSpeed(hundredths: Int(clamping: $0)) } ?? .normal
    onlineSearches = try values.text(.onlineSearches).map(TextList.values) ?? []
  }
}

extension SavedState {
  /// The changes that lead from an empty file to this state.
  var changes: [StateChange] {
    [
      .replaceEntries(entries), .queueOrigin(queueOrigin), .nextID(nextID), .modes(modes),
      .shuffleOrder(SavedShuffleChange(order)),
      .playhead(playhead),
      .volume(volume), .sleep(sleep), .speed(speed), .onlineSearches(onlineSearches),
    ] + history.map(StateChange.upsertStep) + settings.map { .setting($0.key, $0.value) }
  }
}

/// The representation of a `QueueOrigin` as values of the state.
extension QueueOrigin {
  private enum Name: String {
    case daemon = "filling"
    case user
  }

  /// Reads the origin.
  ///
  /// - Parameter hadEntries: Whether the saved queue has, or ever had, entries. In a file of an earlier version, which
  ///   has none of these values, this means that the user created the queue.
  init(reading values: StateValues, hadEntries: Bool) throws(StoreError) {
    self = hadEntries ? .user : .none
    switch try values.text(.queueOrigin).flatMap(Name.init) {
    case .daemon:
      if let ids = try values.text(.daemonEntries).flatMap(RangeSet<UInt64>.init(text:)), !ids.isEmpty {
        self = .daemon(ids)
      }
    case .user: self = .user
    case nil: break
    }
  }

  func write(to values: StateValues) throws(StoreError) {
    var (name, ids): (Name?, String?) = (nil, nil)
    switch self {
    case .none: break
    case .daemon(let set): (name, ids) = (.daemon, set.text)
    case .user: name = .user
    }
    try values.set(.queueOrigin, name?.rawValue)
    try values.set(.daemonEntries, ids)
  }
}

/// The representation of a set of ids as a text such as "1-4,7-7".
extension RangeSet<UInt64> {
  var text: String {
    ranges.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: ",")
  }

  /// Returns nil for a text that was not written by `text`.
  init?(text: String) {
    self.init()
    for part in text.split(separator: ",") {
      let ends = part.split(separator: "-").map { UInt64($0) }
      guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < .max else { return nil }
      insert(contentsOf: first..<(last + 1))
    }
  }
}

/// Rows of the table `setting`.
extension SavedSetting {
  static func readAll(_ connection: SQLiteConnection) throws(StoreError) -> [String: SavedSetting] {
    // A file of an earlier version that is not writable is not migrated, and has no such table.
    guard try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'setting'") > 0 else { return [:] }
    let rows = try connection.statement("SELECT name, value, instead FROM setting")
    defer { rows.reset() }
    var found: [String: SavedSetting] = [:]
    while try rows.step() {
      guard let name = rows.text(0), let value = rows.text(1) else { continue }
      found[name] = SavedSetting(value: value, replaced: rows.text(2))
    }
    return found
  }

  /// Writes a setting, or deletes it if `setting` is nil.
  static func write(
    _ setting: SavedSetting?, named name: String, to connection: SQLiteConnection
  ) throws(StoreError) {
    guard let setting else {
      return try connection.statement("DELETE FROM setting WHERE name = ?", name).run()
    }
    try connection.statement(
      "INSERT OR REPLACE INTO setting (name, value, instead) VALUES (?, ?, ?)", name, setting.value, setting.replaced
    ).run()
  }
}
