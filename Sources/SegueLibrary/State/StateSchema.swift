internal import SegueSystem

/// The tables, and how they came to be what they are. `user_version` counts the steps that were taken.
enum StateSchema {
  /// Each step leads from its index to the next version. A step that was released is never changed.
  private static let steps = [
    """
    CREATE TABLE queue (
      id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, uri TEXT NOT NULL, duration INTEGER, kind TEXT,
      error TEXT, probed INTEGER NOT NULL, title TEXT, artist TEXT, artists TEXT, album TEXT, album_artist TEXT,
      composer TEXT, genre TEXT, date TEXT, year INTEGER, track INTEGER, track_total INTEGER, disc INTEGER,
      disc_total INTEGER, art TEXT, stream TEXT
    );
    CREATE TABLE state (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    """
  ]

  static var version: Int64 { Int64(steps.count) }

  /// Throws `newer` if the file is ahead of us.
  static func check(_ connection: SQLiteConnection) throws(StoreError) {
    let found = try connection.integer("PRAGMA user_version")
    guard found <= version else {
      throw StoreError(
        .newer, connection.path, "written by a later version (schema \(found), this one knows \(version))")
    }
  }

  /// Brings a file that `check` passed up to date.
  static func migrate(_ connection: SQLiteConnection) throws(StoreError) {
    let found = try connection.integer("PRAGMA user_version")
    guard found < version else { return }
    try connection.transaction { () throws(StoreError) in
      for step in steps[Int(max(found, 0))...] { try connection.execute(step) }
      try connection.execute("PRAGMA user_version = \(version)")
    }
  }
}
