// The thread "scan". It owns everything here. It waits in `sleep`, for the index where it needs an answer, and in the
// file system.

internal import Glibc
internal import SegueSystem
internal import SegueWire

/// What the thread does: hears what changed, walks, serves the workers, sleeps.
final class ScanLoop {
  private let port: ScanPort
  private let crew: ScanCrew
  private let sorting: SortRun
  private let watch: FolderWatch
  private var mounts = MountTable()
  private let limits: ScanLimits
  private let wake: EventCounter
  private let takeOrders: () -> [LibraryScanner.Order]
  private let report: (ScanStatus) -> Void

  private var roots: [FilePath] = []
  /// Of which nothing can be reached; from the index, once it was asked.
  private var offline: Set<FilePath> = []
  private var knowsOffline = false
  /// Which folders the music folders were when they were walked last.
  private var identities: [FilePath: FileIdentity] = [:]
  private var walk: ScanRun?
  private var wanted = Wanted()
  /// Whoever waits for the end of the walk.
  private var waiting: [() -> Void] = []
  private var status = ScanStatus()
  private var reported = ScanStatus()
  private var lastReport = MonotonicTime(nanoseconds: 0)
  private var nextWalk: MonotonicTime?
  /// A walk was broken off, and with it went what was heard of changes.
  private var mustWalkAll = false
  /// So many in a row.
  private var brokenOff: Int64 = 0
  private var isClosed = false

  /// What is to be walked next.
  private struct Wanted {
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

  private static let reportInterval = MediaTime(seconds: 0.25)
  private static let shortestPause = MediaTime(seconds: 5)

  init(
    _ store: LibraryStore, worker: FilePath, _ limits: ScanLimits, wake: EventCounter,
    orders: @escaping () -> [LibraryScanner.Order], found: @escaping @Sendable ([ScannedFile]) -> Void,
    report: @escaping (ScanStatus) -> Void
  ) {
    self.limits = limits
    self.wake = wake
    takeOrders = orders
    self.report = report
    port = ScanPort(store, wake: wake, found: found)
    crew = ScanCrew(program: worker, limits: limits)
    sorting = SortRun(program: worker)
    watch = FolderWatch(mostWatches: limits.mostWatches)
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

  // MARK: Walking

  /// Does a part of what there is to do. True if there is more of it.
  private func proceed() -> Bool {
    do throws(Failure) {
      if let trouble = port.takeTrouble() {
        guard port.takeFilling() else { throw trouble }
        beginAnew()
      }
      if walk == nil { try begin() }
      guard let run = walk else { return false }
      if try run.step() { return true }
      if walk === run, run.phase == .done { end(run) }
      return walk == nil && isDue
    } catch {
      abandon(error)
      return false
    }
  }

  private var isDue: Bool { !wanted.isEmpty || changesAreDue || nextWalk.map { $0 <= .now } == true }

  /// It has been quiet for a while, or has not been for long.
  private var changesAreDue: Bool { changesDue.map { $0 <= .now } == true }

  private var changesDue: MonotonicTime? {
    guard let first = watch.changes.first, let last = watch.changes.last else { return nil }
    return min(last + limits.quiet, first + limits.longestDelay)
  }

  private func begin() throws(Failure) {
    guard isDue else { return }
    let isTimely = nextWalk.map { $0 <= .now } == true
    // Whatever goes wrong from here on, it is not due any more.
    if isTimely { nextWalk = nil }
    watch.recycle()
    let changes = wanted.isAll || changesAreDue ? watch.takeChanges() : FolderWatch.Changes()
    for move in changes.moves { follow(move.old, to: move.new) }
    let isWhole = wanted.isAll || changes.isAll || isTimely
    if !knowsOffline {
      offline = Set(try port.ask { writer throws(StoreError) in try writer.offlineFolders() })
      knowsOffline = true
    }
    var places: [ScanRun.Place] = []
    if isWhole {
      nextWalk = nil
      port.post { [roots] writer throws(StoreError) in try writer.keepOnly(roots) }
      places = roots.map { place($0) }
    } else {
      if changes.hasRoots { places += roots.filter(needsAttention).map { place($0) } }
      places += wanted.paths.compactMap { place(named: $0) }
      places += changes.moves.compactMap { place(named: $0.new) }
      places += changes.folders.compactMap { place(changed: $0) }
    }
    let doubtsWatches = wanted.hasMounts || changes.isAll || mustWalkAll
    waiting += wanted.then
    wanted = Wanted()
    guard !places.isEmpty else {
      // There may be no music folder any more.
      if status.isScanning { (status.isScanning, status.ended) = (false, status.ended + 1) }
      return callBack()
    }
    (status.done, status.total, status.failed) = (0, 0, 0)
    status.isScanning = true
    walk = try ScanRun(
      places, roots: roots, offline: offline, hasMoves: !changes.moves.isEmpty, isWhole: isWhole,
      doubtsWatches: doubtsWatches, watch: watch, port: port, crew: crew, sorting: sorting)
  }

  /// The index has nothing of what was found: that is found again.
  private func beginAnew() {
    walk = nil
    crew.dismiss()
    (offline, knowsOffline) = ([], false)
    wanted.isAll = true
  }

  private func place(_ root: FilePath) -> ScanRun.Place {
    ScanRun.Place(path: root, name: root.bytes, parent: -1, isDeep: true, isFresh: false)
  }

  /// A folder in the music folders, or that of a file; the nearest above it that the walk knows.
  private func place(named path: FilePath) -> ScanRun.Place? {
    let path = path.normalized
    guard let root = roots.first(where: { path == $0 || path.isBelow($0) }) else {
      Log.notice("\(path) lies in no music folder: it is not scanned")
      return nil
    }
    var folder = path
    while folder != root {
      if let node = watch.tree.node(folder, under: root), let parent = watch.tree.parent(of: node) {
        return ScanRun.Place(
          path: folder, name: Array(folder.lastComponent), parent: parent, isDeep: true, isFresh: false)
      }
      folder = folder.parent
    }
    return place(root)
  }

  private func place(changed node: FolderTree.Node) -> ScanRun.Place? {
    guard let name = watch.tree.name(of: node) else { return nil }
    return ScanRun.Place(
      path: watch.tree.path(of: node), name: name, parent: watch.tree.parent(of: node) ?? -1, isDeep: false,
      isFresh: false)
  }

  /// A music folder that is not as it was when it was last walked: there and gone, gone and there, or another file
  /// system.
  private func needsAttention(_ root: FilePath) -> Bool {
    guard case .folder(let identity) = try? FileKind(root), watch.tree.node(root: root) != nil else { return true }
    return offline.contains(root) || identities[root] != identity
  }

  private func follow(_ old: FilePath, to new: FilePath) {
    port.post { writer throws(StoreError) in
      try writer.forgetSeen(under: old)
      try writer.forgetSeen(under: new)
      try writer.rename(old, to: new)
    }
  }

  private func end(_ run: ScanRun) {
    offline = run.offline
    identities.merge(run.identities) { $1 }
    if run.isWhole { (mustWalkAll, brokenOff) = (false, 0) }
    update(from: run)
    status.isScanning = false
    status.ended += 1
    for (path, state) in run.states {
      if let index = status.folders.firstIndex(where: { $0.path == path }) { status.folders[index].state = state }
    }
    if roots.allSatisfy({ watch.tree.node(root: $0) != nil }) { watch.callBack() }
    rest()
  }

  /// Something does not work: another walk begins anew, after a while if nothing else causes it. Soon at first: somebody
  /// may only have locked the index.
  private func abandon(_ failure: Failure) {
    Log.error("scanning: \(failure.message)")
    if let walk {
      offline = walk.offline
      update(from: walk)
    }
    status.isScanning = false
    status.ended += 1
    waiting += wanted.then
    wanted = Wanted()
    mustWalkAll = true
    brokenOff += 1
    rest()
  }

  private func rest() {
    walk = nil
    crew.dismiss()
    if watch.isShort || mustWalkAll, nextWalk == nil { nextWalk = .now + pause }
    Memory.giveBack()
    callBack()
  }

  private var pause: MediaTime {
    guard mustWalkAll else { return limits.interval }
    return min(
      limits.interval, MediaTime(nanoseconds: Self.shortestPause.nanoseconds << min(max(brokenOff - 1, 0), 16)))
  }

  private func callBack() {
    for then in waiting { then() }
    waiting = []
  }

  // MARK: The music folders

  private func take(_ folders: [FilePath]) {
    // One that lies in another is walked with it.
    let named = folders.map(\.normalized)
    let outermost = named.filter { folder in !named.contains { folder.isBelow($0) } }
    var unique: [FilePath] = []
    for folder in outermost where !unique.contains(folder) { unique.append(folder) }
    for root in roots where !unique.contains(root) {
      if let node = watch.tree.node(root: root) { watch.remove(node) }
    }
    offline = offline.filter { place in unique.contains { place == $0 || place.isBelow($0) } }
    roots = unique
    let states = Dictionary(status.folders.map { ($0.path, $0.state) }) { $1 }
    status.folders = roots.map { ScanFolder(path: $0, state: states[$0] ?? .unknown) }
    wanted.isAll = true
    // What is being walked may be of the folders before.
    walk = nil
    crew.dismiss()
  }

  private func noteMounts() {
    for place in mounts.takeChanges() {
      wanted.hasMounts = true
      for root in roots {
        if place.isBelow(root) {
          wanted.add(place)
        } else if place == root || root.isBelow(place) {
          wanted.add(root)
        }
      }
    }
  }

  // MARK: Telling

  private func update(from walk: ScanRun) {
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
