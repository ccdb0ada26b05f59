internal import SegueSystem

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
