// On the thread "scan" only.

internal import Glibc
internal import SegueSystem
internal import SegueWire

/// What cannot be reached, and what can again.
extension ScanRun {
  func lose(_ place: Place, _ node: FolderTree.Node, _ error: SystemError) throws(Failure) {
    let isRoot = place.parent < 0
    let isGone = error.code == ENOENT || error.code == ENOTDIR
    watch.remove(node)
    if isRoot {
      watch.lookOut(for: place.path)
      let path = place.path
      if try port.ask({ writer throws(StoreError) in try writer.hasFiles(under: path) }) {
        return putOffline(path, isRoot: true)
      }
      states[path] = .empty
    } else if !isGone, !place.isFresh {
      Log.notice("\(place.path): \(error.reason); what is known of it is kept")
      putOffline(place.path, isRoot: false)
    }
  }

  /// An empty place of which the index knows something: a music folder is never wiped; another only if what was there
  /// lay on the same file system.
  func isMountGone(_ path: FilePath, isRoot: Bool, _ identity: FileIdentity) throws(Failure) -> Bool {
    if isRoot { return try port.ask { writer throws(StoreError) in try writer.hasFiles(under: path) } }
    let device = try port.ask { writer throws(StoreError) in try writer.anyFile(under: path)?.stamp.device }
    return device != nil && device != identity.device
  }

  func putOffline(_ path: FilePath, isRoot: Bool) {
    if isRoot { states[path] = .offline }
    guard offline.insert(path).inserted else { return }
    // Their marks go with this one: where they still hold they are set again.
    offline = offline.filter { !$0.isBelow(path) }
    Log.notice("\(path): nothing is there; what is known of it is kept until it comes back")
    hasChanged = true
    port.post { writer throws(StoreError) in try writer.setOffline(path, true) }
  }

  func putOnline(_ path: FilePath, isRoot: Bool, isEmpty: Bool) {
    if isRoot { states[path] = isEmpty ? .empty : .online }
    guard offline.remove(path) != nil else { return }
    offline = offline.filter { !$0.isBelow(path) }
    Log.notice("\(path) is back")
    hasChanged = true
    port.post { writer throws(StoreError) in try writer.setOffline(path, false) }
  }
}
