// Thread: "scan". The time is a parameter of every method that depends on it, for the tests.

internal import SegueSystem
internal import SegueWire

/// A schedule of walks: the requests for the next walk, and the time of a walk without a request.
struct ScanSchedule {
  /// The requests that the next walk has to fulfil.
  struct Request {
    fileprivate(set) var coversEverything = false
    fileprivate(set) var paths: Set<FilePath> = []
    /// Whether something was mounted or unmounted. If so, a watch may belong to another folder than the one at its
    /// path.
    fileprivate(set) var hasMountChanges = false
    /// The closures to call after the walk.
    fileprivate(set) var completions: [() -> Void] = []

    var isEmpty: Bool { !coversEverything && paths.isEmpty }

    /// A request for more paths than this is a request for everything.
    private static let maximumPaths = 4096

    fileprivate mutating func add(_ path: FilePath) {
      guard !coversEverything else { return }
      paths.insert(path)
      if paths.count > Self.maximumPaths { (coversEverything, paths) = (true, []) }
    }
  }

  private let limits: ScanLimits
  private var request = Request()
  private var nextWalk: MonotonicTime?
  /// The pauses after failed walks.
  private var backoff: Backoff
  /// The pause after the last walk if it was abandoned.
  private var pauseAfterFailure: MediaTime?

  init(limits: ScanLimits) {
    self.limits = limits
    backoff = Backoff(min(.seconds(5), limits.walkInterval)...limits.walkInterval)
  }

  /// Whether a walk was abandoned. The changes that it had taken are lost, so a walk through everything must follow.
  var mustCoverEverything: Bool { pauseAfterFailure != nil }

  // MARK: Requests

  mutating func requestEverything() { request.coversEverything = true }

  mutating func requestPath(_ path: FilePath) { request.add(path) }

  mutating func addCompletion(_ completion: @escaping () -> Void) { request.completions.append(completion) }

  mutating func recordMountChange() { request.hasMountChanges = true }

  // MARK: Due walks

  /// Returns the time at which changes are to be looked at: when there have been none for a while, but not much later
  /// than the first.
  func dueTime(ofChanges times: FolderWatcher.ChangeTimes?) -> MonotonicTime? {
    times.map { min($0.last + limits.debounceInterval, $0.first + limits.maximumDelay) }
  }

  func areDue(_ changes: FolderWatcher.ChangeTimes?, at now: MonotonicTime = .now) -> Bool {
    dueTime(ofChanges: changes).map { $0 <= now } == true
  }

  func isWalkDue(_ changes: FolderWatcher.ChangeTimes?, at now: MonotonicTime = .now) -> Bool {
    !request.isEmpty || areDue(changes, at: now) || nextWalk.map { $0 <= now } == true
  }

  /// Returns the time at which a walk becomes due although no event occurs; nil if never. `changes` is nil during a
  /// walk, which postpones them.
  func deadline(_ changes: FolderWatcher.ChangeTimes?) -> MonotonicTime? {
    [nextWalk, dueTime(ofChanges: changes)].compactMap(\.self).min()
  }

  /// Removes and returns the requests, and whether a timed walk is due.
  mutating func take(at now: MonotonicTime = .now) -> (request: Request, isTimed: Bool) {
    let isTimed = nextWalk.map { $0 <= now } == true
    // The walk is no longer due, even if it fails.
    if isTimed { nextWalk = nil }
    defer { request = Request() }
    return (request, isTimed)
  }

  /// Drops the requests, and returns their completions.
  mutating func dropRequests() -> [() -> Void] {
    defer { request = Request() }
    return request.completions
  }

  // MARK: Results

  /// Records that a walk through everything has started, so that no timed one is due.
  mutating func recordFullWalkStart() { nextWalk = nil }

  mutating func recordFullWalkEnd() {
    backoff.reset()
    pauseAfterFailure = nil
  }

  mutating func recordAbandonedWalk() { pauseAfterFailure = backoff.next() }

  /// Plans a walk if changes may go unnoticed or were lost. A walk that is planned for an earlier time stays so.
  /// `isWatchIncomplete`: whether some folder is not watched.
  mutating func planWalk(isWatchIncomplete: Bool, at now: MonotonicTime = .now) {
    guard isWatchIncomplete || mustCoverEverything else { return }
    let time = now + (pauseAfterFailure ?? limits.walkInterval)
    nextWalk = min(nextWalk ?? time, time)
  }
}
