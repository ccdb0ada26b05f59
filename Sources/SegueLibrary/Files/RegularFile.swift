internal import Glibc
public import SegueSystem
internal import SegueWire

/// Opens regular files.
enum RegularFile {
  /// Opens a regular file, read-only and close-on-exec. Does not block on a FIFO without a writer, because of
  /// `O_NONBLOCK`, which has no effect on reading a regular file. Throws EISDIR for a folder, EINVAL for a pipe, device
  /// or socket.
  static func open(_ path: FilePath) throws(SystemError) -> Descriptor {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let file = Descriptor(owning: try checked("open", path.description) { path.withCString { Glibc.open($0, flags) } })
    var status = stat()
    try checked("fstat", path.description) { fstat(file.raw, &status) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return file
    case S_IFDIR: throw SystemError("open", path.description, code: EISDIR)
    default: throw SystemError("open", path.description, code: EINVAL)
    }
  }
}

extension Failure {
  /// Creates the failure of a request because `path` could not be opened or read.
  init(_ error: SystemError, _ path: FilePath) {
    switch error.code {
    case ENOENT, ENOTDIR: self.init(.notFound, "\(path): no such file or folder")
    case ENAMETOOLONG: self.init(.notFound, "\(path): the name is too long")
    case ELOOP: self.init(.notFound, "\(path): too many levels of symbolic links")
    case EACCES, EPERM: self.init(.denied, "\(path): not readable by the daemon (\(error.reason))")
    case EISDIR: self.init(.unplayable, "\(path): a folder, not a file")
    case EINVAL, ENXIO, ENODEV: self.init(.unplayable, "\(path): a pipe, device or socket, not a file")
    case EFBIG: self.init(.tooLarge, "\(path): too large for a playlist")
    default: self.init(.unavailable, "\(path): \(error.reason)")
    }
  }
}

/// An open file that is passed from one thread to another.
public final class OpenFile: Sendable {
  public let path: FilePath
  private let descriptor: Descriptor

  init(path: FilePath, descriptor: consuming Descriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  /// The number of the descriptor; valid for as long as this object exists.
  public var raw: Int32 { descriptor.raw }
}
