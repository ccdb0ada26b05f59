// The thread "scan". It owns everything here. It waits in `sleep`, for the index where it needs an answer, and in the
// file system.

internal import Glibc
internal import SegueSystem
internal import SegueWire

/// What the thread does: hears what changed, walks, serves the workers, sleeps.
final class ScanLoop {
  let port: ScanIndexAccess
  let crew: ScanWorkerPool
  let sorting: SortKeyUpdater
  let watch: FolderWatcher
  var mounts = MountTable()
  let limits: ScanLimits
  private let wake: EventCounter
  private let takeOrders: () -> [LibraryScanner.Order]
  private let report: (ScanStatus) -> Void

  var roots: [FilePath] = []
  /// Of which nothing can be reached; from the index, once it was asked.
  var offline: Set<FilePath> = []
  var knowsOffline = false
  /// Which folders the music folders were when they were walked last.
  var identities: [FilePath: FileIdentity] = [:]
  var walk: ScanRun?
  var wanted = Wanted()
  /// Whoever waits for the end of the walk.
  var waiting: [() -> Void] = []
  var status = ScanStatus()
  private var reported = ScanStatus()
  private var lastReport = MonotonicTime(nanoseconds: 0)
  var nextWalk: MonotonicTime?
  /// A walk was broken off, and with it went what was heard of changes.
  var mustWalkAll = false
  /// So many in a row.
  var brokenOff: Int64 = 0
  private var isClosed = false

  /// What is to be walked next.
  struct Wanted {
    var isAll = false
    private(set) var paths: Set<FilePath> = []
    /// Something was mounted or unmounted: what is watched may not be what lies there now.
    var hasMounts = false
    var then: [() -> Void] = []

    var isEmpty: Bool { !isAll && paths.isEmpty }

    /// Who names more than these means everything.
    private static let mostPaths = 4096

    mutating func add(_ path: FilePath) {
      guard !isAll else { return }
      paths.insert(path)
      if paths.count > Self.mostPaths { (isAll, paths) = (true, []) }
    }
  }

  private static let reportInterval = MediaTime.milliseconds(250)

  init(
    _ store: LibraryStore, worker: FilePath, _ limits: ScanLimits, wake: EventCounter,
    orders: @escaping () -> [LibraryScanner.Order], found: @escaping @Sendable ([ScannedFile]) -> Void,
    report: @escaping (ScanStatus) -> Void
  ) {
    self.limits = limits
    self.wake = wake
    takeOrders = orders
    self.report = report
    port = ScanIndexAccess(store, wake: wake, found: found)
    crew = ScanWorkerPool(program: worker, limits: limits)
    sorting = SortKeyUpdater(program: worker, crew: crew)
    watch = FolderWatcher(mostWatches: limits.mostWatches)
    crew.onGiveUp = { [unowned self] reason in
      walk?.cutOff()
      abandon(Failure(.unavailable, "no decoder can be started: \(reason)"))
    }
  }

  func run() {
    while true {
      for order in takeOrders() { obey(order) }
      guard !isClosed else {
        walk?.flush()
        return crew.dismiss()
      }
      watch.hear()
      crew.hear()
      crew.endTheHung()
      let goesOn = proceed()
      tell()
      sleep(goesOn ? .zero : nil)
    }
  }

  private func obey(_ order: LibraryScanner.Order) {
    switch order {
    case .scan(let paths, let then):
      if let paths { for path in paths { wanted.add(path) } } else { wanted.isAll = true }
      if let then { wanted.then.append(then) }
    case .folders(let folders): take(folders)
    case .close: isClosed = true
    }
  }

  // MARK: Telling

  func update(from walk: ScanRun) {
    (status.done, status.total, status.failed) = (walk.done, walk.total, walk.failed)
  }

  private func tell() {
    if let walk { update(from: walk) }
    guard status != reported else { return }
    let now = MonotonicTime.now
    let isNews = status.isScanning != reported.isScanning || status.ended != reported.ended
    guard isNews || now - lastReport >= Self.reportInterval else { return }
    (reported, lastReport) = (status, now)
    report(status)
  }

  // MARK: Sleeping

  /// Until something happens, or for `time` at most.
  private func sleep(_ time: MediaTime?) {
    var waiting = [
      pollfd(fd: wake.raw, events: Int16(POLLIN), revents: 0), pollfd(fd: watch.raw, events: Int16(POLLIN), revents: 0),
      pollfd(fd: mounts.raw, events: MountTable.events, revents: 0),
    ]
    waiting += crew.workers.map { pollfd(fd: $0.raw, events: Int16(POLLIN), revents: 0) }
    var milliseconds: Int32 = -1
    if let time {
      milliseconds = Int32(time.nanoseconds / 1_000_000)
    } else if let deadline {
      let left = max(0, (deadline - .now).nanoseconds)
      milliseconds = Int32(clamping: (left + 999_999) / 1_000_000)
    }
    poll(&waiting, nfds_t(waiting.count), milliseconds)
    if waiting[0].revents != 0 { wake.clear() }
    if waiting[2].revents != 0 { noteMounts() }
  }

  /// When something is to be done though nothing happens; nil if never.
  private var deadline: MonotonicTime? {
    var deadlines = [crew.deadline, nextWalk]
    if walk == nil { deadlines.append(changesDue) }
    if walk != nil, status != reported { deadlines.append(lastReport + Self.reportInterval) }
    return deadlines.compactMap(\.self).min()
  }
}
