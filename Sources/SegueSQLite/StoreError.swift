internal import Glibc
public import SegueSystem
public import SegueWire

/// An error of a database.
public struct StoreError: Error, Equatable, CustomStringConvertible {
  public enum Kind: Sendable {
    /// The disk or the quota is full.
    case full
    /// The file or its folder is not writable.
    case readOnly
    /// The file is damaged, or not a database.
    case corrupt
    /// A later version of Segue wrote the file.
    case newer
    /// Another process locked the file for longer than the busy timeout.
    case busy
    /// Another error, which `reason` describes.
    case other
  }

  public let kind: Kind
  public let path: FilePath
  /// The message of SQLite or the system.
  public let reason: LocalizableMessage

  public init(_ kind: Kind, _ path: FilePath, _ reason: LocalizableMessage) {
    self.kind = kind
    self.path = path
    self.reason = reason
  }

  public init(_ error: SystemError, _ path: FilePath) {
    self.init(Kind(systemCode: error.code), path, error.localizableReason)
  }

  public var description: String { "\(path): \(reason)" }

  /// Whether the file is unusable. The store renames it then, and creates a new one.
  public var isFileUnusable: Bool { kind == .corrupt || kind == .newer }
}

extension StoreError.Kind {
  /// Creates the kind of an error number, which is 0 if there is none.
  init(systemCode: Int32) {
    switch systemCode {
    case ENOSPC, EDQUOT: self = .full
    case EACCES, EPERM, EROFS: self = .readOnly
    default: self = .other
    }
  }
}

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

/// Returns the result of `body`, which opens or reads the file at `path`. If the disk reports an error, which may be a
/// transient one, `body` is called once more. Other errors would occur again.
public func retryingAfterDiskError<Value>(
  of path: FilePath, _ body: () throws(StoreError) -> Value
) throws(StoreError) -> Value {
  do throws(StoreError) {
    return try body()
  } catch {
    guard error.kind == .other, path.exists else { throw error }
    Log.warning("\(error); trying once more")
    return try body()
  }
}
