internal import SegueSQLite

/// The table `state` of values by name. NULL is equivalent to a missing row.
struct StateValues {
  enum Key: String {
    case queueOrigin = "beginning"
    case daemonEntries = "filling"
    case nextID = "next_id"
    case repeatMode = "repeat"
    case shuffle
    case consume
    case shufflePosition = "shuffle_position"
    case shuffleRoundStart = "shuffle_round_start"
    case shufflePinned = "shuffle_pinned"
    case entry
    case position
    case playState = "play_state"
    case playheadTime = "playhead_time"
    case volume
    case muted
    case balance
    case sleepAt = "sleep_at"
    case sleepAfter = "sleep_after"
    /// In hundredths of the original speed.
    case speed
    case onlineSearches = "online_searches"
    /// A number that the last copy of the file has, too, unless the file has changed since.
    case copy
  }

  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) { self.connection = connection }

  func set(_ key: Key, _ value: any SQLiteBindable) throws(StoreError) {
    try connection.statement("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)", key.rawValue, value).run()
  }

  /// Sets a value unless the present one is greater.
  func raise(_ key: Key, to value: Int64) throws(StoreError) {
    if let present = try integer(key), present >= value { return }
    try set(key, value)
  }

  func integer(_ key: Key) throws(StoreError) -> Int64? { try select(key).first { $0.integer(0) } }

  func text(_ key: Key) throws(StoreError) -> String? { try select(key).first { $0.text(0) } }

  private func select(_ key: Key) throws(StoreError) -> SQLiteStatement {
    try connection.statement("SELECT value FROM state WHERE key = ?", key.rawValue)
  }
}
