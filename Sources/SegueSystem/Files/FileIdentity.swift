public import Glibc

/// The identity of a file or folder: it is the same for all paths that lead to it.
public struct FileIdentity: Hashable, Sendable {
  public let device: UInt64
  public let inode: UInt64

  public init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// Creates the identity of the file or folder at `path`. Follows symbolic links.
  public init(of path: FilePath) throws(SystemError) {
    var status = stat()
    try checked("stat", path.description) { path.withCString { stat($0, &status) } }
    self.init(status)
  }
}

/// The kind of a file. Symbolic links are followed.
public enum FileKind: Sendable {
  case file
  case folder(FileIdentity)
  /// A pipe, device or socket.
  case special

  public init(_ path: FilePath) throws(SystemError) {
    var status = stat()
    try checked("stat", path.description) { path.withCString { stat($0, &status) } }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder(FileIdentity(status))
    default: self = .special
    }
  }
}

extension FilePath {
  /// Whether a file of any kind exists at this path.
  public var exists: Bool { withCString { access($0, F_OK) } == 0 }

  /// The path to which a symbolic link leads, whether there is a file or not; the path itself if it is no link.
  public var linkTarget: FilePath {
    var path = self
    // The kernel follows as many.
    for _ in 0..<40 {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = path.withCString { readlink($0, &buffer, buffer.count) }
      guard count > 0 else { return path }
      path = path.parent.appending(buffer[..<count].map(UInt8.init(bitPattern:)))
    }
    return self
  }

  /// The path without symbolic links, "." and ".."; nil if it does not exist.
  public var resolved: FilePath? {
    guard let resolved = withCString({ realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return FilePath(bytes: UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:)))
  }
}
