internal import Glibc
internal import SegueSystem

extension FilePath {
  /// Renames the database that is here, so that nothing is lost and a new one can begin; its new path. Connections that
  /// are open to it stay with it, and are of no use any more.
  func setAside(because error: StoreError) throws(StoreError) -> FilePath {
    let mark =
      switch error.kind {
      case .newer: "newer"
      case .corrupt: "broken"
      default: "unread"
      }
    let moved = adding(".\(mark)-\(UnixTime.now.nanoseconds / 1_000_000)")
    do {
      try Folder.rename(self, moved)
    } catch {
      throw StoreError(error, self)
    }
    // The log belongs to the file: under its new name SQLite finds it again. The index of it is made anew.
    try? Folder.rename(adding("-wal"), moved.adding("-wal"))
    Folder.removeFile(adding("-shm"))
    Log.warning("\(error); it was set aside as \(moved), and a new one begun")
    return moved
  }

  /// Whether there is anything of that name.
  var exists: Bool { withCString { access($0, F_OK) } == 0 }

  /// The same path with `suffix` at the end of its name.
  func adding(_ suffix: String) -> FilePath { FilePath(bytes: bytes + Array(suffix.utf8)) }
}
