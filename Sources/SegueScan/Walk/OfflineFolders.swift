// Thread: "scan".

internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// The folders that cannot be reached at the moment although the index has tracks of them: missing music folders,
/// unmounted file systems, folders without read permission. The index marks their tracks as offline and keeps them.
final class OfflineFolders {
  private let index: ScanIndexAccess
  /// The outermost folders that are offline; nil before they have been read from the index.
  private var paths: Set<FilePath>?

  init(_ index: ScanIndexAccess) { self.index = index }

  /// Reads the folders that the index marks as offline, if they are not known yet.
  func load() throws(Failure) {
    guard paths == nil else { return }
    paths = Set(try index.perform { writer throws(StoreError) in try writer.offlineFolders() })
  }

  /// Forgets all folders, because the index was recreated.
  func invalidate() { paths = nil }

  func contains(_ path: FilePath) -> Bool { paths?.contains(path) == true }

  /// Removes the folders that lie in none of `roots`.
  func removeFolders(notIn roots: ScanRoots) { paths = paths?.filter { roots.root(containing: $0) != nil } }

  /// Replaces the path of a folder that was moved, and the paths below it.
  func move(_ old: FilePath, to new: FilePath) {
    for path in paths ?? [] where path == old || path.isBelow(old) {
      paths?.remove(path)
      paths?.insert(FilePath(bytes: new.bytes + path.bytes.dropFirst(old.bytes.count)))
    }
  }

  /// Marks a folder as offline. Returns false if it was offline before.
  func markOffline(_ path: FilePath) -> Bool {
    guard paths?.contains(path) != true else { return false }
    // The mark covers the folders below. When the folder is back, the next walk marks those that are still offline.
    paths = (paths ?? []).filter { !$0.isBelow(path) }.union([path])
    Log.notice("\(path): offline; its tracks stay in the library until it is back")
    index.post { writer throws(StoreError) in try writer.folders.setOffline(path, true) }
    return true
  }

  /// Marks a folder as online. Returns false if it was online before.
  func markOnline(_ path: FilePath) -> Bool {
    guard paths?.remove(path) != nil else { return false }
    paths = paths?.filter { !$0.isBelow(path) }
    Log.notice("\(path): online again")
    index.post { writer throws(StoreError) in try writer.folders.setOffline(path, false) }
    return true
  }
}
