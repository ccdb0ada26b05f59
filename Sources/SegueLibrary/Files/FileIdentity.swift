internal import Glibc
internal import SegueSystem

/// What the file system knows of a path: which file it is, and of what kind.
struct FileIdentity: Hashable {
  let device: UInt64
  let inode: UInt64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// Of what lies at `path`, symbolic links followed.
  init(of path: FilePath) throws(SystemError) {
    var status = stat()
    try checked("stat", path.description) { path.withCString { stat($0, &status) } }
    self.init(status)
  }
}

/// What lies at a path, symbolic links followed.
enum FileKind {
  case file
  case folder(FileIdentity)
  /// A pipe, device or socket.
  case special

  init(_ path: FilePath) throws(SystemError) {
    var status = stat()
    try checked("stat", path.description) { path.withCString { stat($0, &status) } }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder(FileIdentity(status))
    default: self = .special
    }
  }
}
