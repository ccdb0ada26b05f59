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

  func set(_ key: Key, _ value: Int64?) throws(StoreError) {
    let statement = try upsert(key)
    statement.bind(2, value)
    try statement.run()
  }

  func set(_ key: Key, _ value: String?) throws(StoreError) {
    let statement = try upsert(key)
    statement.bind(2, value)
    try statement.run()
  }

  /// Sets a value unless the present one is greater.
  func raise(_ key: Key, to value: Int64) throws(StoreError) {
    if let present = try integer(key), present >= value { return }
    try set(key, value)
  }

  func integer(_ key: Key) throws(StoreError) -> Int64? {
    let statement = try select(key)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  func text(_ key: Key) throws(StoreError) -> String? {
    let statement = try select(key)
    defer { statement.reset() }
    return try statement.step() ? statement.text(0) : nil
  }

  private func upsert(_ key: Key) throws(StoreError) -> SQLiteStatement {
    let statement = try connection.statement("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)")
    statement.bind(1, key.rawValue)
    return statement
  }

  private func select(_ key: Key) throws(StoreError) -> SQLiteStatement {
    let statement = try connection.statement("SELECT value FROM state WHERE key = ?")
    statement.bind(1, key.rawValue)
    return statement
  }
}
