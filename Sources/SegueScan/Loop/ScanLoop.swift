// Thread: "scan". It owns everything here. It waits in `sleep`, for the index where it needs a result, and in the file
// system.
// The time is a parameter of every method of `ScanSchedule` that depends on it, for the tests.

internal import Glibc
internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// The loop of the thread "scan": handles changes, walks, serves the workers, and sleeps.
final class ScanLoop {
  private let services: ScanContext
  private let commands: MessageQueue<LibraryScanner.Command>
  private var mounts = MountTable()
  private var roots = ScanRoots()
  private var schedule: ScanSchedule
  private var reporter: ScanStatusReporter
  private var walk: ScanWalk?
  /// The number of requests so far.
  private var requests = 0
  /// The closures to call after the current walk.
  private var completions: [() -> Void] = []
  private var isClosed = false

  /// The maximum number of files that a walk remembers of former music folders.
  private static let maximumFilesOutsideRoots = 200_000

  init(
    _ store: LibraryStore, worker: FilePath, _ limits: ScanLimits,
    commands: MessageQueue<LibraryScanner.Command>, onFilesRead: @escaping @Sendable ([ScannedFile]) -> Void,
    onStatus: @escaping (ScanStatus) -> Void
  ) {
    self.commands = commands
    schedule = ScanSchedule(limits: limits)
    reporter = ScanStatusReporter(onStatus)
    let index = ScanIndexAccess(store, wake: { commands.wake() }, onFilesRead: onFilesRead)
    let workers = ScanWorkerPool(program: worker, limits: limits)
    services = ScanContext(
      watcher: FolderWatcher(maximumWatches: limits.maximumWatches), index: index, workers: workers,
      sortKeys: SortKeyUpdater(program: worker, workers: workers), offline: OfflineFolders(index))
  }

  func run() {
    while true {
      for command in commands.takeAll() { handle(command) }
      guard !isClosed else {
        walk?.flush()
        return services.workers.dismiss()
      }
      services.watcher.readEvents()
      services.workers.handleEvents()
      services.workers.endOverdueWorkers()
      let canContinue = proceed()
      reporter.report(walk)
      sleep(until: canContinue ? .now : deadline)
    }
  }

  private func handle(_ command: LibraryScanner.Command) {
    switch command {
    case .scan(let paths, let completion):
      requests += 1
      if let paths { for path in paths { schedule.requestPath(path) } } else { schedule.requestEverything() }
      if let completion { schedule.addCompletion(completion) }
    case .setFolders(let folders):
      requests += 1
      setRoots(folders)
    case .close: isClosed = true
    }
  }

  private func setRoots(_ folders: [FilePath]) {
    for root in roots.replace(with: folders) {
      if let node = services.watcher.node(root: root) { services.watcher.remove(node) }
    }
    services.offline.removeFolders(notIn: roots)
    reporter.setFolders(roots.paths)
    schedule.requestEverything()
    // The current walk may visit folders that are no longer music folders.
    discardWalk()
    services.index.post { writer throws(StoreError) in writer.abandonScan() }
  }

  private func handleMountChanges() {
    for point in mounts.takeChanges() {
      schedule.recordMountChange()
      for root in roots.paths {
        if point.isBelow(root) {
          schedule.requestPath(point)
        } else if point == root || root.isBelow(point) {
          schedule.requestPath(root)
        }
      }
    }
  }

  // MARK: Walks

  /// Does a part of the work. Returns true if there is more to do at once.
  private func proceed() -> Bool {
    do throws(Failure) {
      if let failure = services.index.takeFailure() {
        guard services.index.takeRescanRequest() else { throw failure }
        restart()
      }
      if walk == nil { try begin() }
      guard let run = walk else { return false }
      let canContinue = try run.step()
      if let failure = services.workers.failure {
        run.abort()
        throw failure
      }
      if canContinue { return true }
      if run.isDone { finish(run) }
      return walk == nil && isWalkDue
    } catch {
      abandon(error)
      return false
    }
  }

  private var isWalkDue: Bool { schedule.isWalkDue(services.watcher.changeTimes) }

  private func begin() throws(Failure) {
    guard isWalkDue else { return }
    let (request, isTimed) = schedule.take()
    reporter.takeUp(requests)
    completions += request.completions
    services.watcher.reuseNodes()
    let takesChanges = request.coversEverything || schedule.areDue(services.watcher.changeTimes)
    let changes = takesChanges ? services.watcher.takeChanges() : FolderWatcher.Changes()
    for move in changes.moves { follow(move.old, to: move.new) }
    try services.offline.load()
    let coversEverything = request.coversEverything || changes.affectsEverything || isTimed
    var places: [FolderSurvey.Place] = []
    var missing = MissingFiles()
    if coversEverything {
      schedule.recordFullWalkStart()
      missing = try filesOutsideRoots()
      places = roots.paths.map { place(root: $0) }
    } else {
      if changes.affectsRoots { places += roots.paths.filter(needsWalk).map { place(root: $0) } }
      places += request.paths.compactMap { place(requested: $0) }
      places += changes.moves.compactMap { place(requested: $0.new) }
      places += changes.folders.compactMap { place(changed: $0) }
    }
    guard !places.isEmpty else {
      // There may be no music folders any more.
      reporter.finishWithoutWalk()
      return callCompletions()
    }
    reporter.start()
    walk = try ScanWalk(
      places, roots: roots.paths, missing: missing, hasMoves: !changes.moves.isEmpty,
      coversEverything: coversEverything,
      distrustsWatches: request.hasMountChanges || changes.affectsEverything || schedule.mustCoverEverything,
      services: services)
  }

  /// Returns the files that lie in no music folder any more. The walk may find them in another one, and removes the
  /// rest at its end. If they are too many, or nothing is walked through, they are removed at once.
  private func filesOutsideRoots() throws(Failure) -> MissingFiles {
    var missing = MissingFiles()
    let files = try services.index.perform { [roots] writer throws(StoreError) in
      let files = roots.paths.isEmpty ? nil : try writer.files(notIn: roots.paths, limit: Self.maximumFilesOutsideRoots)
      if files == nil { try writer.removeFolders(notIn: roots.paths) }
      return files
    }
    for (path, file) in files ?? [] { missing.add(path, file) }
    return missing
  }

  /// Requests a walk through everything because the index was recreated and has lost the results so far.
  private func restart() {
    discardWalk()
    services.offline.invalidate()
    schedule.requestEverything()
  }

  private func finish(_ run: ScanWalk) {
    roots.record(run.identities)
    if run.coversEverything { schedule.recordFullWalkEnd() }
    reporter.finish(run)
    if roots.paths.allSatisfy({ services.watcher.node(root: $0) != nil }) { services.watcher.removeAncestorWatches() }
    cleanUpAfterWalk()
  }

  /// Ends the walk because of a failure. Another walk follows after a while, soon at first: another process may only
  /// have locked the index.
  private func abandon(_ failure: Failure) {
    Log.error("scanning: \(failure.message)")
    reporter.end(walk)
    completions += schedule.dropRequests()
    reporter.takeUp(requests)
    schedule.recordAbandonedWalk()
    cleanUpAfterWalk()
  }

  /// Does what follows every walk, whether it has succeeded or failed.
  private func cleanUpAfterWalk() {
    discardWalk()
    services.sortKeys.dismissWorker()
    schedule.planWalk(isWatchIncomplete: services.watcher.isIncomplete)
    CurrentProcess.trimHeap()
    callCompletions()
  }

  private func discardWalk() {
    walk = nil
    services.workers.dismiss()
  }

  private func callCompletions() {
    for completion in completions { completion() }
    completions = []
  }

  // MARK: Places

  private func place(root: FilePath) -> FolderSurvey.Place {
    FolderSurvey.Place(path: root, name: root.bytes, parent: -1, isRecursive: true, isNew: false)
  }

  /// Returns the place of a folder in the music folders, or of the nearest one above `path` that the watcher knows.
  private func place(requested path: FilePath) -> FolderSurvey.Place? {
    let path = path.normalized
    guard let root = roots.root(containing: path) else {
      Log.notice("\(path) is not in a music folder: not scanned")
      return nil
    }
    var folder = path
    while folder != root {
      if let node = services.watcher.node(folder, under: root), let parent = services.watcher.parent(of: node) {
        return FolderSurvey.Place(
          path: folder, name: Array(folder.lastComponent), parent: parent, isRecursive: true, isNew: false)
      }
      folder = folder.parent
    }
    return place(root: root)
  }

  private func place(changed node: FolderTree.Node) -> FolderSurvey.Place? {
    guard let name = services.watcher.name(of: node) else { return nil }
    return FolderSurvey.Place(
      path: services.watcher.path(of: node), name: name, parent: services.watcher.parent(of: node) ?? -1,
      isRecursive: false, isNew: false)
  }

  /// Whether a music folder is not as it was at the last walk: it was added, removed or replaced, or is back.
  private func needsWalk(_ root: FilePath) -> Bool {
    services.watcher.node(root: root) == nil || services.offline.contains(root) || !roots.isUnchanged(root)
  }

  /// Renames a folder in the index that was moved within the music folders.
  private func follow(_ old: FilePath, to new: FilePath) {
    services.index.post { writer throws(StoreError) in
      try writer.removeFolderDigests(under: old)
      try writer.removeFolderDigests(under: new)
      try writer.rename(old, to: new)
    }
    services.offline.move(old, to: new)
  }

  // MARK: Sleeping

  /// Sleeps until something happens or `deadline` passes.
  private func sleep(until deadline: MonotonicTime?) {
    var descriptors = [
      pollfd(fd: commands.raw, events: Int16(POLLIN), revents: 0),
      pollfd(fd: services.watcher.raw, events: Int16(POLLIN), revents: 0),
      pollfd(fd: mounts.raw, events: MountTable.events, revents: 0),
    ]
    descriptors += services.workers.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    poll(&descriptors, until: deadline)
    if descriptors[2].revents != 0 { handleMountChanges() }
  }

  /// The time at which the thread has something to do although no event occurs; nil if never.
  private var deadline: MonotonicTime? {
    let isWalking = walk != nil
    let deadlines = [
      services.workers.deadline, schedule.deadline(isWalking ? nil : services.watcher.changeTimes),
      isWalking ? reporter.deadline : nil,
    ]
    return deadlines.compactMap(\.self).min()
  }
}

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
