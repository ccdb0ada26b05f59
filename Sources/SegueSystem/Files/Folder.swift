internal import Glibc

/// Operations on folders and on the names in them.
public enum Folder {
  /// Creates `path` and the missing folders above it, with access for the user only.
  public static func create(_ path: FilePath) throws(SystemError) {
    if path.withCString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, path != path.parent else { throw SystemError("mkdir", path.description) }
    try create(path.parent)
    if path.withCString({ mkdir($0, 0o700) }) != 0, errno != EEXIST { throw SystemError("mkdir", path.description) }
  }

  public static func rename(_ old: FilePath, _ new: FilePath) throws(SystemError) {
    try checked("rename", old.description) { old.withCString { old in new.withCString { Glibc.rename(old, $0) } } }
  }

  /// Returns the names in a folder, in any order, without "." and "..".
  public static func names(in path: FilePath) throws(SystemError) -> [[UInt8]] {
    guard let stream = path.withCString({ opendir($0) }) else { throw SystemError("opendir", path.description) }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) { names.append(name) }
    }
    return names
  }

  /// Returns the path of a temporary file in a folder, which is renamed once it is complete. A process always uses the
  /// same path, so it can write only one file at a time in a folder.
  public static func temporaryFile(in path: FilePath) -> FilePath { path.appending(".segue-\(getpid()).tmp") }

  /// Removes a file if it exists.
  public static func removeFile(_ path: FilePath) { _ = path.withCString { unlink($0) } }
}
