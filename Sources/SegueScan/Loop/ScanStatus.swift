public import SegueSystem

/// The progress of the scan.
public struct ScanStatus: Equatable, Sendable {
  public var isScanning = false
  /// The number of requests, of which the first folders are one, that were taken up: their walk has begun, or there was
  /// nothing to walk through.
  public var requests = 0
  /// The number of walks that have ended.
  public var endedWalks = 0
  /// The number of files that the current or last walk has read, successfully or not.
  public var done = 0
  /// The number of files that are new or changed.
  public var total = 0
  /// The number of files that could not be read.
  public var failed = 0
  public var folders: [ScanFolder] = []

  public init() {}
}

/// A music folder and its state.
public struct ScanFolder: Equatable, Sendable {
  public enum State: String, Sendable {
    /// The folder has not been visited yet.
    case unknown
    case online
    /// The folder is missing, empty or unreadable, but had music in it. Its tracks stay in the index.
    case offline
    /// The folder is missing or empty, and never had music in it.
    case empty
  }

  public var path: FilePath
  public var state: State

  public init(path: FilePath, state: State) {
    self.path = path
    self.state = state
  }
}
