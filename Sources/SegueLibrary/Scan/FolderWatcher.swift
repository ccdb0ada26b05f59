// On the thread "scan" only.

internal import Glibc
internal import SegueSystem

/// The folders that are watched, and what was heard of them since somebody asked.
final class FolderWatcher {
  typealias Node = FolderTree.Node

  /// What is to be looked at again.
  struct Changes {
    var folders: Set<Node> = []
    /// Folders that were moved from one place to another within the music folders, in their order.
    var moves: [(old: FilePath, new: FilePath)] = []
    /// A music folder came or went.
    var hasRoots = false
    /// Something was missed: everything.
    var isAll = false
    /// When the first and the last of it happened.
    var first: MonotonicTime?
    var last: MonotonicTime?

    var isEmpty: Bool { first == nil }
  }

  private(set) var tree = FolderTree()
  private(set) var changes = Changes()
  /// Not every folder could be watched.
  private(set) var isShort = false
  private var events: InotifyInstance?
  private let mostWatches: Int
  /// Folders that left the place with the key as their cookie, and may arrive at another.
  private var leaving: [UInt32: Node] = [:]
  /// Folders above music folders that are not there.
  private var outposts: Set<Int32> = []

  init(mostWatches: Int) {
    self.mostWatches = mostWatches
    do {
      events = try InotifyInstance()
    } catch {
      fallShort(error)
    }
  }

  /// What poll(2) waits on; below zero if there is nothing.
  var raw: Int32 { events?.raw ?? -1 }

  // MARK: Watching

  /// Begins to watch a folder that has no node yet; `parent` is -1 for a music folder. nil if it is not to be walked:
  /// it can be reached on another way and was, or the folder above it went since the walk saw it.
  func add(_ path: FilePath, _ name: [UInt8], in parent: Node) -> Node? {
    guard parent < 0 || tree.contains(parent) else { return nil }
    let watch = watch(path)
    if watch >= 0, let other = tree.node(watch: watch) {
      let place = tree.path(of: other)
      if place != path, Self.isSame(place, path) { return nil }
      // It was moved, and we were not told.
      forget(tree.move(other, to: name, in: parent))
      if tree.contains(other) { return other }
      noteAll()
      return nil
    }
    return tree.add(name, in: parent, watch: watch)
  }

  /// Watches a folder of the tree again that lost its watch, or `always`: another may lie there than the one that is
  /// watched, where not everything was heard or something was mounted.
  func renew(_ node: Node, _ path: FilePath, always: Bool) {
    let old = tree.watch(of: node)
    guard old < 0 || always else { return }
    let watch = old < 0 ? watch(path) : (try? events?.add(path)) ?? -1
    guard watch >= 0, watch != old else { return }
    outposts.remove(watch)
    if let other = tree.node(watch: watch) {
      if Self.isSame(tree.path(of: other), path) { return }
      // It lay where that one is now, or lies there.
      tree.setWatch(other, -1)
    }
    tree.setWatch(node, watch)
  }

  private func watch(_ path: FilePath) -> Int32 {
    guard tree.watchCount < mostWatches else {
      fallShort(SystemError("inotify_add_watch", code: ENOSPC))
      return -1
    }
    do {
      let watch = try events?.add(path) ?? -1
      outposts.remove(watch)
      return watch
    } catch {
      if error.code == ENOSPC || error.code == ENOMEM { fallShort(error) }
      return -1
    }
  }

  func remove(_ node: Node) { forget(tree.remove(node)) }

  /// No node that is gone is held by anybody.
  func recycle() { tree.recycle() }

  /// Watches the nearest folder above `root`, which is gone, for its coming back.
  func lookOut(for root: FilePath) {
    var place = root
    while place.parent != place {
      place = place.parent
      guard let watch = try? events?.addForNames(place) else { continue }
      // One that is watched for its music tells of folders too.
      if tree.node(watch: watch) == nil { outposts.insert(watch) }
      return
    }
  }

  /// All music folders are there: what happens above them is of no interest.
  func callBack() {
    forget(Array(outposts))
    outposts = []
  }

  /// What was heard. From here on it is collected anew. Folders that left and arrived nowhere are forgotten.
  func takeChanges() -> Changes {
    defer { changes = Changes() }
    for node in leaving.values where tree.contains(node) { remove(node) }
    leaving = [:]
    return changes
  }

  private func noteRoots() {
    changes.hasRoots = true
    stamp()
  }

  private func forget(_ watches: [Int32]) { for watch in watches { events?.remove(watch) } }

  private func fallShort(_ error: SystemError) {
    guard !isShort else { return }
    isShort = true
    Log.warning(
      "not every music folder can be watched (\(error.reason)): changes are found by a walk now and then; "
        + "a higher fs.inotify.max_user_watches helps")
  }

  private static func isSame(_ a: FilePath, _ b: FilePath) -> Bool {
    guard case .folder(let first) = try? FileKind(a), case .folder(let second) = try? FileKind(b) else { return false }
    return first == second
  }

  // MARK: Hearing

  /// Takes in what lies ready.
  func hear() {
    while let heard = events?.read(), !heard.isEmpty {
      for event in heard { hear(event) }
    }
  }

  private func hear(_ event: InotifyInstance.Event) {
    if event.has(Int(IN_Q_OVERFLOW)) {
      Log.notice("more changed in the music folders than could be told: all of them are walked")
      return noteAll()
    }
    if outposts.contains(event.watch) {
      if event.has(Int(IN_IGNORED)) { outposts.remove(event.watch) }
      return noteRoots()
    }
    guard let node = tree.node(watch: event.watch) else { return }
    if event.has(Int(IN_IGNORED)) { return tree.setWatch(node, -1) }
    if event.has(Int(IN_UNMOUNT)) || event.has(Int(IN_DELETE_SELF)) || event.has(Int(IN_MOVE_SELF)) {
      guard tree.parent(of: node) != nil else { return noteRoots() }
      // Of one that was deleted or moved the folder above tells.
      return event.has(Int(IN_UNMOUNT)) ? note(node) : ()
    }
    if event.name.isEmpty { return note(node) }
    event.isFolder ? hearOfFolder(event, in: node) : hearOfFile(event, in: node)
  }

  private func hearOfFolder(_ event: InotifyInstance.Event, in node: Node) {
    let child = tree.node(event.name, in: node)
    if event.has(Int(IN_MOVED_FROM)) {
      if let child { leaving[event.cookie] = child }
      return note(node)
    }
    if event.name.first == UInt8(ascii: ".") { return }
    if event.has(Int(IN_MOVED_TO)), let arrived = leaving.removeValue(forKey: event.cookie), tree.contains(arrived) {
      let old = tree.path(of: arrived)
      forget(tree.move(arrived, to: event.name, in: node))
      if tree.contains(arrived) { changes.moves.append((old, tree.path(of: arrived))) }
    }
    if event.has(Int(IN_ATTRIB)) {
      // It may be open to us now, or closed.
      if let child { note(child) }
    }
    note(node)
  }

  private func hearOfFile(_ event: InotifyInstance.Event, in node: Node) {
    if event.name.first == UInt8(ascii: ".") {
      if IgnoreMarker.isOne(event.name) { note(node) }
      return
    }
    let isMedia = event.name.withUnsafeBytes { MediaExtension($0) != .other }
    if event.has(Int(IN_CREATE)) || (event.has(Int(IN_MOVED_TO)) && !isMedia) {
      // A file that is being written tells once it is whole. A link is whole at once, and may lead to a folder.
      var status = stat()
      let path = tree.path(of: node).appending(event.name)
      guard path.withCString({ lstat($0, &status) }) == 0 else { return }
      let isLink = status.st_mode & S_IFMT == S_IFLNK
      if isLink || (isMedia && status.st_nlink > 1) { note(node) }
    } else if isMedia || tree.node(event.name, in: node) != nil {
      note(node)
    }
  }

  private func noteAll() {
    changes.isAll = true
    stamp()
  }

  private func note(_ node: Node) {
    changes.folders.insert(node)
    stamp()
  }

  private func stamp() {
    let now = MonotonicTime.now
    if changes.first == nil { changes.first = now }
    changes.last = now
  }
}

extension InotifyInstance {
  /// Watches a folder that may hold music.
  fileprivate func add(_ folder: FilePath) throws(SystemError) -> Int32 {
    let mask =
      IN_CREATE | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
      | IN_ONLYDIR | IN_EXCL_UNLINK
    return try add(folder, UInt32(truncatingIfNeeded: mask))
  }

  /// Watches for folders that appear in `folder`, which holds no music itself.
  fileprivate func addForNames(_ folder: FilePath) throws(SystemError) -> Int32 {
    try add(folder, UInt32(truncatingIfNeeded: IN_CREATE | IN_MOVED_TO | IN_ONLYDIR))
  }
}
