internal import SegueSystem
internal import SegueWire

extension SavedState {
  /// Reads the state. A value that this version does not know is replaced by the default.
  init(reading connection: SQLiteConnection) throws(StoreError) {
    entries = try SavedEntry.readAll(connection)
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
      muted: try values.integer(.muted) == 1)
    if let time = try values.integer(.sleepAt) {
      sleep = .at(UnixTime(nanoseconds: time))
    } else {
      sleep = try values.text(.sleepAfter).flatMap(SavedSleep.End.init).map(SavedSleep.after)
    }
    settings = try SavedSetting.readAll(connection)
  }
}
