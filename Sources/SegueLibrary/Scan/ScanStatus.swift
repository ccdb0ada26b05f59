public import SegueSystem

/// How far the scan is.
public struct ScanStatus: Equatable, Sendable {
  public var isScanning = false
  /// How many have ended.
  public var ended = 0
  /// Of the scan that runs, or the last one: files that were looked into, of so many that are new or changed, and in
  /// vain.
  public var done = 0
  public var total = 0
  public var failed = 0
  public var folders: [ScanFolder] = []

  public init() {}
}

/// A music folder, and how it stands.
public struct ScanFolder: Equatable, Sendable {
  public enum State: String, Sendable {
    /// It was not looked at yet.
    case unknown
    case online
    /// It is gone, empty or unreadable, though there was music in it: what is known of it is kept.
    case offline
    /// It is not there, or empty, and never held anything.
    case empty
  }

  public var path: FilePath
  public var state: State

  public init(path: FilePath, state: State) {
    self.path = path
    self.state = state
  }
}
