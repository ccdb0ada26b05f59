internal import Glibc

/// Operations on small files, which are read and written as a whole.
public enum SmallFile {
  /// Writes a file, with access for the user only. Does not block on a FIFO, but throws.
  public static func write(_ bytes: [UInt8], to path: FilePath) throws(SystemError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = Descriptor(owning: try checked("open", path.description) { path.withCString { open($0, flags, 0o600) } })
    try write(bytes, to: file, path)
  }

  /// Replaces a file atomically: it has the old or the new contents, even after a power failure. If `path` is a
  /// symbolic link, the file to which it leads is replaced, and the link stays.
  /// - Parameter mode: The permissions of the new file; nil for those of the file that it replaces. If there is none,
  ///   only the user has access.
  public static func replace(_ path: FilePath, with bytes: [UInt8], mode: UInt32? = nil) throws(SystemError) {
    let path = path.linkTarget
    let temporary = Folder.temporaryFile(in: path.parent)
    // An earlier process with this id may have left one.
    Folder.removeFile(temporary)
    do {
      try writeDurably(bytes, to: temporary, mode ?? permissions(of: path) ?? 0o600)
      try Folder.rename(temporary, path)
    } catch {
      Folder.removeFile(temporary)
      throw error
    }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let folder = Descriptor(
      owning: try checked("open", path.description) { path.parent.withCString { open($0, flags) } })
    // The name is durable once the folder is. File systems that cannot sync a folder make names durable themselves.
    _ = fsync(folder.raw)
  }

  private static func writeDurably(_ bytes: [UInt8], to path: FilePath, _ mode: UInt32) throws(SystemError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = Descriptor(owning: try checked("open", path.description) { path.withCString { open($0, flags, 0o600) } })
    try write(bytes, to: file, path)
    // Some file systems have no permissions.
    _ = fchmod(file.raw, mode)
    try checked("fsync", path.description) { fsync(file.raw) }
  }

  /// Returns the permissions of a file; nil if it does not exist.
  private static func permissions(of path: FilePath) -> UInt32? {
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 ? status.st_mode & 0o777 : nil
  }

  private static func write(
    _ bytes: [UInt8], to file: borrowing Descriptor, _ path: FilePath
  ) throws(SystemError) {
    var rest = bytes[...]
    let raw = file.raw
    while !rest.isEmpty {
      let written = try checked("write", path.description) {
        rest.withUnsafeBytes { Glibc.write(raw, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(written)
    }
  }

  /// Reads a regular file. Throws EFBIG if it has more than `maximum` bytes.
  public static func read(_ path: FilePath, upTo maximum: Int) throws(SystemError) -> [UInt8] {
    try read(RegularFile.open(path), path, upTo: maximum)
  }

  /// Reads an open file. Throws EFBIG if it has more than `maximum` bytes.
  public static func read(_ file: borrowing Descriptor, _ path: FilePath, upTo maximum: Int) throws(SystemError)
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let raw = file.raw
      let count = try checked("read", path.description) {
        chunk.withUnsafeMutableBytes { Glibc.read(raw, $0.baseAddress, $0.count) }
      }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      if bytes.count > maximum { throw SystemError("read", path.description, code: EFBIG) }
    }
  }
}
