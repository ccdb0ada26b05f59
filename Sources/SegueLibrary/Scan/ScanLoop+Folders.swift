// The thread "scan", as all of `ScanLoop`.

internal import SegueSystem

/// The music folders, and what is mounted in them.
extension ScanLoop {
  func take(_ folders: [FilePath]) {
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
    port.post { writer throws(StoreError) in writer.abandonScan() }
  }

  func noteMounts() {
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
}
