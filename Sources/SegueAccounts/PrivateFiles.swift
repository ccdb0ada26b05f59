// Thread: any.

internal import Glibc
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// The files of a database that only the user may read.
enum PrivateFiles {
  /// Makes a database, if there is none, and its folder. What exists already is taken from other users. Throws an error
  /// if they could have replaced the files: if the folder is not the user's, or if others may write to it.
  static func prepare(_ path: FilePath) throws(StoreError) {
    let folder = path.parent
    do throws(SystemError) {
      // The sandbox of the gateway, which makes the folder before, forbids that.
      if !folder.exists { try Folder.create(folder) }
    } catch {
      throw StoreError(error, folder)
    }
    try restrict(folder, O_RDONLY | O_DIRECTORY) { status in
      guard status.st_uid == geteuid() else {
        return StoreError(.readOnly, folder, "the folder belongs to another user")
      }
      // No group is trusted, either: the folder was made without rights for one.
      guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
        return StoreError(
          .other, folder,
          "other users may write to the folder, and may have changed the accounts; `chmod 700` forbids that")
      }
      return nil
    }
    // SQLite gives its other files the permissions of this one. Another process may make the file at the same time.
    try restrict(path, O_RDWR | O_CREAT | O_NOFOLLOW)
    for other in [path.adding("-wal"), path.adding("-shm")] { try restrict(other, O_RDWR | O_NOFOLLOW) }
  }

  /// Takes the rights of others to a file or a folder away if `check` returns no error. If the path does not exist,
  /// nothing happens: the last process that uses a database removes its other files.
  private static func restrict(
    _ path: FilePath, _ flags: Int32, check: (stat) -> StoreError? = { _ in nil }
  ) throws(StoreError) {
    let raw: Int32
    var status = stat()
    do throws(SystemError) {
      raw = try checked("open", path.description) { path.withCString { open($0, flags | O_CLOEXEC, 0o600) } }
    } catch {
      if error.code == ENOENT, flags & O_CREAT == 0 { return }
      throw StoreError(error, path)
    }
    let file = Descriptor(owning: raw)
    guard fstat(file.raw, &status) == 0 else { throw StoreError(SystemError("fstat"), path) }
    if let error = check(status) { throw error }
    guard status.st_mode & (S_IRWXG | S_IRWXO) != 0 else { return }
    if fchmod(file.raw, status.st_mode & S_IRWXU) != 0 { throw StoreError(SystemError("fchmod"), path) }
  }
}
