internal import SegueSystem

/// The folders that are watched, by their places: a name and the folder above. Small, since there may be a hundred
/// thousand; and a folder that is moved takes all below it along by one change.
struct FolderTree {
  typealias Node = Int32

  private struct Entry {
    /// Below zero: a music folder, whose name is its whole path.
    var parent: Node
    var name: [UInt8]
    /// inotify's number for it; below zero if it is not watched.
    var watch: Int32
    var firstChild: Node = -1
    var next: Node = -1
  }

  private var entries: [Entry?] = []
  private var free: [Node] = []
  /// Numbers of folders that are gone, which somebody may still hold.
  private var freed: [Node] = []
  private var byWatch: [Int32: Node] = [:]
  private var byPlace: [Place: Node] = [:]

  private struct Place: Hashable {
    let parent: Node
    let name: [UInt8]
  }

  var watchCount: Int { byWatch.count }

  func contains(_ node: Node) -> Bool { entries[Int(node)] != nil }
  func node(watch: Int32) -> Node? { byWatch[watch] }
  func node(_ name: [UInt8], in parent: Node) -> Node? { byPlace[Place(parent: parent, name: name)] }
  func node(root path: FilePath) -> Node? { node(path.bytes, in: -1) }
  func watch(of node: Node) -> Int32 { entries[Int(node)]?.watch ?? -1 }
  func name(of node: Node) -> [UInt8]? { entries[Int(node)]?.name }
  func parent(of node: Node) -> Node? { entries[Int(node)].flatMap { $0.parent < 0 ? nil : $0.parent } }

  /// The node of `path`, if every folder on the way from a music folder is known.
  func node(_ path: FilePath, under root: FilePath) -> Node? {
    var node = node(root: root)
    for name in path.bytes.dropFirst(root.bytes.count).split(separator: UInt8(ascii: "/")) {
      node = node.flatMap { self.node(Array(name), in: $0) }
    }
    return node
  }

  func path(of node: Node) -> FilePath {
    var names: [[UInt8]] = []
    var place = node
    while place >= 0, let entry = entries[Int(place)] {
      names.append(entry.name)
      place = entry.parent
    }
    return FilePath(bytes: Array(names.reversed().joined(separator: [UInt8(ascii: "/")])))
  }

  /// The folders right below.
  func children(of node: Node) -> [(node: Node, name: [UInt8])] {
    var children: [(node: Node, name: [UInt8])] = []
    var child = entries[Int(node)]?.firstChild ?? -1
    while child >= 0, let entry = entries[Int(child)] {
      children.append((child, entry.name))
      child = entry.next
    }
    return children
  }

  /// Numbers of folders that are gone may be given to others from now on: nobody holds any.
  mutating func recycle() {
    free += freed
    freed = []
  }

  /// Adds a folder that is not there yet; -1 as `parent` for a music folder.
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

  /// Puts a folder elsewhere, with all below it. Answers the watches of what was there before. Where the tree lags
  /// behind the disk, and that would be a place in itself, it is forgotten.
  mutating func move(_ node: Node, to name: [UInt8], in parent: Node) -> [Int32] {
    if isIn(node, parent) { return remove(node) }
    let displaced = self.node(name, in: parent).map { $0 == node ? [] : remove($0) } ?? []
    // It may have lain under what was displaced.
    guard entries[Int(node)] != nil else { return displaced }
    detach(node)
    entries[Int(node)]?.parent = parent
    entries[Int(node)]?.name = name
    attach(node)
    return displaced
  }

  /// Forgets a folder and all below it. Answers their watches.
  mutating func remove(_ node: Node) -> [Int32] {
    detach(node)
    var watches: [Int32] = []
    var waiting = [node]
    while let node = waiting.popLast() {
      guard let entry = entries[Int(node)] else { continue }
      var child = entry.firstChild
      while child >= 0, let found = entries[Int(child)] {
        byPlace[Place(parent: node, name: found.name)] = nil
        waiting.append(child)
        child = found.next
      }
      if entry.watch >= 0, byWatch[entry.watch] == node {
        byWatch[entry.watch] = nil
        watches.append(entry.watch)
      }
      entries[Int(node)] = nil
      freed.append(node)
    }
    return watches
  }

  private func isIn(_ folder: Node, _ node: Node) -> Bool {
    var place = node
    while place >= 0, place != folder, let entry = entries[Int(place)] { place = entry.parent }
    return place == folder
  }

  private mutating func attach(_ node: Node) {
    guard let entry = entries[Int(node)] else { return }
    byPlace[Place(parent: entry.parent, name: entry.name)] = node
    guard entry.parent >= 0 else { return }
    let first = entries[Int(entry.parent)]?.firstChild ?? -1
    entries[Int(node)]?.next = first
    entries[Int(entry.parent)]?.firstChild = node
  }

  private mutating func detach(_ node: Node) {
    guard let entry = entries[Int(node)] else { return }
    byPlace[Place(parent: entry.parent, name: entry.name)] = nil
    guard entry.parent >= 0 else { return }
    if entries[Int(entry.parent)]?.firstChild == node {
      entries[Int(entry.parent)]?.firstChild = entry.next
      return
    }
    var sibling = entries[Int(entry.parent)]?.firstChild ?? -1
    while sibling >= 0, let next = entries[Int(sibling)]?.next {
      if next == node {
        entries[Int(sibling)]?.next = entry.next
        return
      }
      sibling = next
    }
  }
}
