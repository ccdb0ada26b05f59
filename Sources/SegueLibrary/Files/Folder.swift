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

  /// What is in it, in any order, without "." and "..".
  static func names(in path: FilePath) throws(SystemError) -> [[UInt8]] {
    guard let stream = path.withCString({ opendir($0) }) else { throw SystemError("opendir", path.description) }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) { names.append(name) }
    }
    return names
  }

  /// Where a file of `path` lies until it is whole and gets its name. One at a time in a folder.
  static func draft(in path: FilePath) -> FilePath { path.appending(".segue-\(getpid()).tmp") }

  /// No error if there is none.
  static func removeFile(_ path: FilePath) { _ = path.withCString { unlink($0) } }
}
