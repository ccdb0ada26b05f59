public import SegueSystem

extension FilePath {
  /// Renames the database at this path, so that a new one can be created and nothing is lost. Returns the new path.
  /// Open connections still refer to the old database, and are useless.
  public func setAside(because error: StoreError) throws(StoreError) -> FilePath {
    let suffix =
      switch error.kind {
      case .newer: "newer"
      case .corrupt: "broken"
      case .full, .readOnly, .busy, .other: "unread"
      }
    let moved = adding(".\(suffix)-\(UnixTime.now.nanoseconds / 1_000_000)")
    do {
      try Folder.rename(self, moved)
    } catch {
      throw StoreError(error, self)
    }
    // The log belongs to the file. SQLite finds it under the new name, and creates a new index of it.
    try? Folder.rename(adding("-wal"), moved.adding("-wal"))
    Folder.removeFile(adding("-shm"))
    Log.warning("\(error); it was set aside as \(moved), and a new one was created")
    return moved
  }
}
