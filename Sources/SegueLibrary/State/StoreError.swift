internal import Glibc
public import SegueSystem

/// Why the store could not do what it was asked.
public struct StoreError: Error, Equatable, CustomStringConvertible {
  public enum Kind: Sendable {
    /// The disk or the quota is full.
    case full
    /// The file or its folder may not be written.
    case readOnly
    /// What is in the file is no database, or a broken one.
    case corrupt
    /// A later version of Segue wrote it.
    case newer
    /// Another process held it for longer than the busy timeout.
    case busy
    /// Everything else: the reason says what.
    case other
  }

  public let kind: Kind
  public let path: FilePath
  /// What SQLite or the system said.
  public let reason: String

  init(_ kind: Kind, _ path: FilePath, _ reason: String) {
    self.kind = kind
    self.path = path
    self.reason = reason
  }

  init(_ error: SystemError, _ path: FilePath) {
    self.init(Kind(systemCode: error.code), path, error.reason)
  }

  public var description: String { "\(path): \(reason)" }

  /// Whether nothing can be done with what is in the file: the store sets it aside, and begins a new one.
  public var isFileUnusable: Bool { kind == .corrupt || kind == .newer }
}

extension StoreError.Kind {
  /// `systemCode` is an errno, 0 if there was none.
  init(systemCode: Int32) {
    switch systemCode {
    case ENOSPC, EDQUOT: self = .full
    case EACCES, EPERM, EROFS: self = .readOnly
    default: self = .other
    }
  }
}
