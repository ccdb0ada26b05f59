public import SegueWire

extension LocalizableMessage {
  /// The messages of SQLite that users may see, as clients translate them.
  private static let sqliteMessages: [LocalizableMessage] = [
    LocalizableMessage("access permission denied"), LocalizableMessage("attempt to write a readonly database"),
    LocalizableMessage("database disk image is malformed"), LocalizableMessage("database is locked"),
    LocalizableMessage("database or disk is full"), LocalizableMessage("disk I/O error"),
    LocalizableMessage("file is not a database"), LocalizableMessage("locking protocol"),
    LocalizableMessage("out of memory"), LocalizableMessage("SQL logic error"),
    LocalizableMessage("unable to open database file"),
  ]

  /// Creates the message for a text of SQLite.
  init(sqlite text: String) { self = .known(text, in: Self.sqliteMessages) }
}

extension LocalizableMessage.StringInterpolation {
  /// Appends the description of an error, whose reason is translated by itself.
  public mutating func appendInterpolation(_ error: StoreError) {
    appendInterpolation("\(error.path): \(error.reason)" as LocalizableMessage)
  }
}
