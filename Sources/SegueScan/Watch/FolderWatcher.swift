// Thread: "scan".

internal import Glibc
internal import SegueFiles
internal import SegueSystem

/// A watcher of folders: keeps an inotify watch on each, and collects their changes until the scan asks for them.
final class FolderWatcher {
  typealias Node = FolderTree.Node
  typealias ChangeTimes = (first: MonotonicTime, last: MonotonicTime)

  /// The changes to look at.
  struct Changes {
    fileprivate(set) var folders: Set<Node> = []
    /// The folders that were moved from one place to another within the music folders, in their order.
    fileprivate(set) var moves: [(old: FilePath, new: FilePath)] = []
    /// Whether a music folder was added or removed.
    fileprivate(set) var affectsRoots = false
    /// Whether events were lost, so that everything may have changed.
    fileprivate(set) var affectsEverything = false
    fileprivate var times: ChangeTimes?
  }

  /// Whether some folder could not be watched.
  private(set) var isIncomplete = false
  private var tree = FolderTree()
  private var changes = Changes()
  private var inotify: InotifyInstance?
  private let maximumWatches: Int
  /// The folders that were moved away and may arrive elsewhere, by the cookie of the event.
  private var movedAway: [UInt32: Node] = [:]
  /// The watches of folders above missing music folders, with the names in them that lead to these.
  private var ancestorWatches: [Int32: Set<[UInt8]>] = [:]

  init(maximumWatches: Int) {
    self.maximumWatches = maximumWatches
    do {
      inotify = try InotifyInstance()
    } catch {
      reportIncomplete(error)
    }
  }

  /// The descriptor for poll(2); negative if there is none.
  var raw: Int32 { inotify?.raw ?? -1 }

  /// The times of the first and the last change that was not taken yet.
  var changeTimes: ChangeTimes? { changes.times }

  // MARK: Nodes

  func node(_ name: [UInt8], in parent: Node) -> Node? { tree.node(name, in: parent) }
  func node(root path: FilePath) -> Node? { tree.node(root: path) }
  func node(_ path: FilePath, under root: FilePath) -> Node? { tree.node(path, under: root) }
  func path(of node: Node) -> FilePath { tree.path(of: node) }
  func name(of node: Node) -> [UInt8]? { tree.name(of: node) }
  func parent(of node: Node) -> Node? { tree.parent(of: node) }

  /// Allows the nodes of removed folders to be used again. The caller holds none of them.
  func reuseNodes() { tree.reuseNodes() }

  // MARK: Watching

  /// Adds a folder that has no node yet, and watches it. `parent` is -1 for a music folder. Returns nil if the folder
  /// is not to be visited: it was reached by another path, or the folder above it was removed since it was visited.
  func add(_ path: FilePath, _ name: [UInt8], in parent: Node) -> Node? {
    guard parent < 0 || tree.contains(parent) else { return nil }
    let watch = watch(path)
    if watch >= 0, let other = tree.node(watch: watch) {
      let otherPath = tree.path(of: other)
      if otherPath != path, Self.isSame(otherPath, path) { return nil }
      // The folder was moved, and the event was lost.
      removeWatches(tree.move(other, to: name, in: parent))
      if tree.contains(other) { return other }
      markEverythingChanged()
      return nil
    }
    return tree.add(name, in: parent, watch: watch)
  }

  /// Watches a folder again if it has lost its watch, or `always`: after lost events and mounts, the watch may belong
  /// to another folder than the one at `path`.
  func renew(_ node: Node, _ path: FilePath, always: Bool) {
    let old = tree.watch(of: node)
    guard old < 0 || always else { return }
    let watch = old < 0 ? watch(path) : (try? inotify?.add(path)) ?? -1
    guard watch >= 0, watch != old else { return }
    ancestorWatches[watch] = nil
    if let other = tree.node(watch: watch) {
      if Self.isSame(tree.path(of: other), path) { return }
      // The folder of `other` was moved to `path`.
      tree.setWatch(other, -1)
    }
    tree.setWatch(node, watch)
  }

  private func watch(_ path: FilePath) -> Int32 {
    guard tree.watchCount < maximumWatches else {
      reportIncomplete(SystemError("inotify_add_watch", code: ENOSPC))
      return -1
    }
    do {
      let watch = try inotify?.add(path) ?? -1
      ancestorWatches[watch] = nil
      return watch
    } catch {
      if error.code == ENOSPC || error.code == ENOMEM { reportIncomplete(error) }
      return -1
    }
  }

  func remove(_ node: Node) { removeWatches(tree.remove(node)) }

  /// Removes the folders in `node` whose names are not in `names`.
  func removeChildren(of node: Node, except names: @autoclosure () -> Set<[UInt8]>) {
    let children = tree.children(of: node)
    guard !children.isEmpty else { return }
    let names = names()
    for child in children where !names.contains(child.name) { remove(child.node) }
  }

  /// Watches the nearest folder above `root`, a music folder that is not readable, to notice when it is there again.
  /// `wasMissing`: whether it did not exist. If it was created since then, that is a change.
  func watchNearestAncestor(of root: FilePath, wasMissing: Bool) {
    var nearest = addAncestorWatch(of: root)
    // A nearer folder may have been created before the watch was there.
    while let found = nearest {
      nearest = addAncestorWatch(of: root)
      if nearest == found { break }
    }
    // A folder that exists and cannot be read would be a change again and again.
    if wasMissing, case .folder = try? FileKind(root) { markRootsChanged() }
  }

  /// Returns the nearest folder above `root` that can be watched, and watches it.
  private func addAncestorWatch(of root: FilePath) -> FilePath? {
    var path = root
    while path.parent != path {
      let name = Array(path.lastComponent)
      path = path.parent
      guard let watch = try? inotify?.addForFolders(path) else { continue }
      // The watch of a folder in the tree reports folders too.
      if tree.node(watch: watch) == nil { ancestorWatches[watch, default: []].insert(name) }
      return path
    }
    return nil
  }

  /// Stops watching the folders above music folders, because all music folders are there.
  func removeAncestorWatches() {
    removeWatches(Array(ancestorWatches.keys))
    ancestorWatches = [:]
  }

  private func removeWatches(_ watches: [Int32]) { for watch in watches { inotify?.remove(watch) } }

  private func reportIncomplete(_ error: SystemError) {
    guard !isIncomplete else { return }
    isIncomplete = true
    Log.warning(
      "not every music folder can be watched (\(error.reason)): they are scanned at intervals instead; a higher "
        + "fs.inotify.max_user_watches helps")
  }

  private static func isSame(_ a: FilePath, _ b: FilePath) -> Bool {
    guard case .folder(let first) = try? FileKind(a), case .folder(let second) = try? FileKind(b) else { return false }
    return first == second
  }

  // MARK: Changes

  /// Removes and returns the changes so far. Forgets folders that were moved away and have arrived nowhere.
  func takeChanges() -> Changes {
    defer { changes = Changes() }
    for node in movedAway.values where tree.contains(node) { remove(node) }
    movedAway = [:]
    return changes
  }

  private func markEverythingChanged() {
    changes.affectsEverything = true
    recordTime()
  }

  private func markRootsChanged() {
    changes.affectsRoots = true
    recordTime()
  }

  private func markChanged(_ node: Node) {
    changes.folders.insert(node)
    recordTime()
  }

  private func recordTime() {
    let now = MonotonicTime.now
    changes.times = (changes.times?.first ?? now, now)
  }

  // MARK: Events

  /// Handles the events that are available.
  func readEvents() {
    while let events = inotify?.read(), !events.isEmpty {
      for event in events { handle(event) }
    }
  }

  private func handle(_ event: InotifyInstance.Event) {
    if event.has(Int(IN_Q_OVERFLOW)) {
      Log.notice("the music folders changed faster than the kernel could report: all of them are scanned")
      return markEverythingChanged()
    }
    if let names = ancestorWatches[event.watch] {
      if event.has(Int(IN_IGNORED)) { ancestorWatches[event.watch] = nil }
      // The folder may be the home folder, in which other programs create files all the time.
      if event.name.isEmpty || names.contains(event.name) { markRootsChanged() }
      return
    }
    guard let node = tree.node(watch: event.watch) else { return }
    if event.has(Int(IN_IGNORED)) { return tree.setWatch(node, -1) }
    if event.has(Int(IN_UNMOUNT)) || event.has(Int(IN_DELETE_SELF)) || event.has(Int(IN_MOVE_SELF)) {
      guard tree.parent(of: node) != nil else { return markRootsChanged() }
      // The folder above reports folders that were removed or moved.
      return event.has(Int(IN_UNMOUNT)) ? markChanged(node) : ()
    }
    if event.name.isEmpty { return markChanged(node) }
    event.isFolder ? handleFolder(event, in: node) : handleFile(event, in: node)
  }

  private func handleFolder(_ event: InotifyInstance.Event, in node: Node) {
    let child = tree.node(event.name, in: node)
    if event.has(Int(IN_MOVED_FROM)) {
      if let child { movedAway[event.cookie] = child }
      return markChanged(node)
    }
    if event.name.first == UInt8(ascii: ".") { return }
    if event.has(Int(IN_MOVED_TO)), let arrived = movedAway.removeValue(forKey: event.cookie), tree.contains(arrived) {
      let old = tree.path(of: arrived)
      removeWatches(tree.move(arrived, to: event.name, in: node))
      if tree.contains(arrived) { changes.moves.append((old, tree.path(of: arrived))) }
    }
    if event.has(Int(IN_ATTRIB)) {
      // Its permissions may have changed.
      if let child { markChanged(child) }
    }
    markChanged(node)
  }

  private func handleFile(_ event: InotifyInstance.Event, in node: Node) {
    if event.name.first == UInt8(ascii: ".") {
      if IgnoreMarker.isName(event.name) { markChanged(node) }
      return
    }
    let isMedia = event.name.withUnsafeBytes { MediaExtension($0) != .other }
    if event.has(Int(IN_CREATE)) || (event.has(Int(IN_MOVED_TO)) && !isMedia) {
      // A file that is still being written causes another event when it is closed. A link causes none, and may lead to
      // a folder.
      var status = stat()
      let path = tree.path(of: node).appending(event.name)
      guard path.withCString({ lstat($0, &status) }) == 0 else { return }
      let isLink = status.st_mode & S_IFMT == S_IFLNK
      if isLink || (isMedia && status.st_nlink > 1) { markChanged(node) }
    } else if isMedia || tree.node(event.name, in: node) != nil {
      markChanged(node)
    }
  }
}

extension InotifyInstance {
  /// Watches a folder in the music folders.
  fileprivate func add(_ folder: FilePath) throws(SystemError) -> Int32 {
    let mask =
      IN_CREATE | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
      | IN_ONLYDIR | IN_EXCL_UNLINK
    return try add(folder, UInt32(truncatingIfNeeded: mask))
  }

  /// Watches a folder above the music folders, for new entries only.
  fileprivate func addForFolders(_ folder: FilePath) throws(SystemError) -> Int32 {
    try add(folder, UInt32(truncatingIfNeeded: IN_CREATE | IN_MOVED_TO | IN_ONLYDIR))
  }
}

/// A tree of the watched folders. Each node has only its name and its parent, because there may be a hundred thousand
/// of them, and because moving a folder then changes one node.
struct FolderTree {
  typealias Node = Int32

  private struct Entry {
    /// The folder above; negative for a music folder, whose name is its whole path.
    var parent: Node
    var name: [UInt8]
    /// The inotify watch; negative if the folder is not watched.
    var watch: Int32
    var firstChild: Node = -1
    var nextSibling: Node = -1
  }

  private var entries: [Entry?] = []
  /// The nodes that can be used again.
  private var free: [Node] = []
  /// The nodes of removed folders. A walk may still hold some of them.
  private var removed: [Node] = []
  private var byWatch: [Int32: Node] = [:]
  private var byName: [Key: Node] = [:]

  private struct Key: Hashable {
    let parent: Node
    let name: [UInt8]
  }

  var watchCount: Int { byWatch.count }

  func contains(_ node: Node) -> Bool { entries[Int(node)] != nil }
  func node(watch: Int32) -> Node? { byWatch[watch] }
  func node(_ name: [UInt8], in parent: Node) -> Node? { byName[Key(parent: parent, name: name)] }
  func node(root path: FilePath) -> Node? { node(path.bytes, in: -1) }
  func watch(of node: Node) -> Int32 { entries[Int(node)]?.watch ?? -1 }
  func name(of node: Node) -> [UInt8]? { entries[Int(node)]?.name }
  func parent(of node: Node) -> Node? { entries[Int(node)].flatMap { $0.parent < 0 ? nil : $0.parent } }

  /// Returns the node of `path`, if every folder between the music folder `root` and it has a node.
  func node(_ path: FilePath, under root: FilePath) -> Node? {
    var node = node(root: root)
    for name in path.bytes.dropFirst(root.bytes.count).split(separator: UInt8(ascii: "/")) {
      node = node.flatMap { self.node(Array(name), in: $0) }
    }
    return node
  }

  func path(of node: Node) -> FilePath {
    var names: [[UInt8]] = []
    var current = node
    while current >= 0, let entry = entries[Int(current)] {
      names.append(entry.name)
      current = entry.parent
    }
    return FilePath(bytes: Array(names.reversed().joined(separator: [UInt8(ascii: "/")])))
  }

  /// Returns the folders in a folder.
  func children(of node: Node) -> [(node: Node, name: [UInt8])] {
    var children: [(node: Node, name: [UInt8])] = []
    var child = entries[Int(node)]?.firstChild ?? -1
    while child >= 0, let entry = entries[Int(child)] {
      children.append((child, entry.name))
      child = entry.nextSibling
    }
    return children
  }

  /// Allows the nodes of removed folders to be used again. The caller holds none of them.
  mutating func reuseNodes() {
    free += removed
    removed = []
  }

  /// Adds a folder that is not in the tree. `parent` is -1 for a music folder.
  mutating func add(_ name: [UInt8], in parent: Node, watch: Int32) -> Node {
    let node = free.popLast() ?? Node(entries.count)
    if node == entries.count { entries.append(nil) }
    entries[Int(node)] = Entry(parent: parent, name: name, watch: watch)
    if watch >= 0 { byWatch[watch] = node }
    attach(node)
    return node
  }

  mutating func setWatch(_ node: Node, _ watch: Int32) {
    if let old = entries[Int(node)]?.watch, byWatch[old] == node { byWatch[old] = nil }
    entries[Int(node)]?.watch = watch
    if watch >= 0 { byWatch[watch] = node }
  }

  /// Moves a folder with everything below it, and returns the watches of the folders that were at the new place.
  /// Removes the folder if the new place is below it, which happens if the tree lags behind the disk.
  mutating func move(_ node: Node, to name: [UInt8], in parent: Node) -> [Int32] {
    if contains(parent, in: node) { return remove(node) }
    let displaced = self.node(name, in: parent).map { $0 == node ? [] : remove($0) } ?? []
    // The folder may have been below the displaced one.
    guard entries[Int(node)] != nil else { return displaced }
    detach(node)
    entries[Int(node)]?.parent = parent
    entries[Int(node)]?.name = name
    attach(node)
    return displaced
  }

  /// Removes a folder and everything below it, and returns their watches.
  mutating func remove(_ node: Node) -> [Int32] {
    detach(node)
    var watches: [Int32] = []
    var pending = [node]
    while let node = pending.popLast() {
      guard let entry = entries[Int(node)] else { continue }
      var child = entry.firstChild
      while child >= 0, let found = entries[Int(child)] {
        byName[Key(parent: node, name: found.name)] = nil
        pending.append(child)
        child = found.nextSibling
      }
      if entry.watch >= 0, byWatch[entry.watch] == node {
        byWatch[entry.watch] = nil
        watches.append(entry.watch)
      }
      entries[Int(node)] = nil
      removed.append(node)
    }
    return watches
  }

  /// Whether `node` is `folder` or below it.
  private func contains(_ node: Node, in folder: Node) -> Bool {
    var current = node
    while current >= 0, current != folder, let entry = entries[Int(current)] { current = entry.parent }
    return current == folder
  }

  private mutating func attach(_ node: Node) {
    guard let entry = entries[Int(node)] else { return }
    byName[Key(parent: entry.parent, name: entry.name)] = node
    guard entry.parent >= 0 else { return }
    let first = entries[Int(entry.parent)]?.firstChild ?? -1
    entries[Int(node)]?.nextSibling = first
    entries[Int(entry.parent)]?.firstChild = node
  }

  private mutating func detach(_ node: Node) {
    guard let entry = entries[Int(node)] else { return }
    byName[Key(parent: entry.parent, name: entry.name)] = nil
    guard entry.parent >= 0 else { return }
    if entries[Int(entry.parent)]?.firstChild == node {
      entries[Int(entry.parent)]?.firstChild = entry.nextSibling
      return
    }
    var sibling = entries[Int(entry.parent)]?.firstChild ?? -1
    while sibling >= 0, let next = entries[Int(sibling)]?.nextSibling {
      if next == node {
        entries[Int(sibling)]?.nextSibling = entry.nextSibling
        return
      }
      sibling = next
    }
  }
}
