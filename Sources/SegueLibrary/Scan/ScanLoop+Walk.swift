// The thread "scan", as all of `ScanLoop`.

internal import SegueSystem
internal import SegueWire

/// From what is wanted or was heard of to a walk, and what comes of it.
extension ScanLoop {
  /// Does a part of what there is to do. True if there is more of it.
  func proceed() -> Bool {
    do throws(Failure) {
      if let trouble = port.takeTrouble() {
        guard port.takeRescanRequest() else { throw trouble }
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

  var changesDue: MonotonicTime? {
    guard let first = watch.changes.first, let last = watch.changes.last else { return nil }
    return min(last + limits.quiet, first + limits.longestDelay)
  }

  private func begin() throws(Failure) {
    guard isDue else { return }
    let isTimely = nextWalk.map { $0 <= .now } == true
    // Whatever goes wrong from here on, it is not due any more.
    if isTimely { nextWalk = nil }
    watch.recycle()
    let changes = wanted.isAll || changesAreDue ? watch.takeChanges() : FolderWatcher.Changes()
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
      try writer.removeFolderDigests(under: old)
      try writer.removeFolderDigests(under: new)
      try writer.rename(old, to: new)
    }
    // The marks go with it.
    for place in offline where place == old || place.isBelow(old) {
      offline.remove(place)
      offline.insert(FilePath(bytes: new.bytes + place.bytes.dropFirst(old.bytes.count)))
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
  func abandon(_ failure: Failure) {
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
    sorting.rest()
    if watch.isShort || mustWalkAll, nextWalk == nil { nextWalk = .now + pause }
    CurrentProcess.trimHeap()
    callBack()
  }

  private static let shortestPause = MediaTime.seconds(5)

  private var pause: MediaTime {
    guard mustWalkAll else { return limits.interval }
    return min(
      limits.interval, MediaTime(nanoseconds: Self.shortestPause.nanoseconds << min(max(brokenOff - 1, 0), 16)))
  }

  private func callBack() {
    for then in waiting { then() }
    waiting = []
  }
}
