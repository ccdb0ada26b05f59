internal import Glibc
internal import SegueSystem

/// What is done to folders and names in them.
enum Folder {
  /// Makes `path` and what is missing above it, for the user alone.
  static func create(_ path: FilePath) throws(SystemError) {
    if path.withCString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, path != path.parent else { throw SystemError("mkdir", path.description) }
    try create(path.parent)
    if path.withCString({ mkdir($0, 0o700) }) != 0, errno != EEXIST { throw SystemError("mkdir", path.description) }
  }

  static func rename(_ old: FilePath, _ new: FilePath) throws(SystemError) {
    try checked("rename", old.description) { old.withCString { old in new.withCString { Glibc.rename(old, $0) } } }
  }

  /// No error if there is none.
  static func removeFile(_ path: FilePath) { _ = path.withCString { unlink($0) } }
}
