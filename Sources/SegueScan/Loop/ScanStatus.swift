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

/// A reporter of the scan's status, on the thread "scan". It reports progress at intervals, and the start and the end
/// of a walk at once.
struct ScanStatusReporter {
  private var status = ScanStatus()
  private var reported = ScanStatus()
  private var lastReport = MonotonicTime(nanoseconds: 0)
  private let onStatus: (ScanStatus) -> Void

  private static let interval = MediaTime.milliseconds(250)

  init(_ onStatus: @escaping (ScanStatus) -> Void) { self.onStatus = onStatus }

  /// The time at which the status is reported next; nil if it has been reported.
  var deadline: MonotonicTime? { status == reported ? nil : lastReport + Self.interval }

  /// Replaces the music folders. Those that stay keep their states.
  mutating func setFolders(_ paths: [FilePath]) {
    let states = Dictionary(status.folders.map { ($0.path, $0.state) }) { $1 }
    status.folders = paths.map { ScanFolder(path: $0, state: states[$0] ?? .unknown) }
  }

  /// Records that the first `requests` requests are taken up.
  mutating func takeUp(_ requests: Int) { status.requests = requests }

  mutating func start() {
    (status.done, status.total, status.failed) = (0, 0, 0)
    status.isScanning = true
  }

  mutating func finish(_ walk: ScanWalk) {
    end(walk)
    for (path, state) in walk.states {
      if let index = status.folders.firstIndex(where: { $0.path == path }) { status.folders[index].state = state }
    }
  }

  /// Records the end of a walk without its findings on the music folders: it may have been abandoned.
  mutating func end(_ walk: ScanWalk?) {
    if let walk { update(walk) }
    status.isScanning = false
    status.endedWalks += 1
  }

  /// Records that there are no folders to walk through. If a walk was discarded before, it counts as ended.
  mutating func finishWithoutWalk() {
    if status.isScanning { end(nil) }
  }

  private mutating func update(_ walk: ScanWalk) {
    (status.done, status.total, status.failed) = (walk.done, walk.total, walk.failed)
  }

  /// Reports the status if it has changed and the time has come.
  mutating func report(_ walk: ScanWalk?) {
    if let walk { update(walk) }
    guard status != reported else { return }
    let now = MonotonicTime.now
    let isTransition =
      status.isScanning != reported.isScanning || status.endedWalks != reported.endedWalks
      || status.requests != reported.requests
    guard isTransition || now - lastReport >= Self.interval else { return }
    (reported, lastReport) = (status, now)
    onStatus(status)
  }
}
