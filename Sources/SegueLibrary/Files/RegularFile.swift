internal import Glibc
internal import SegueSystem
internal import SegueWire

/// Opening what is no pipe, device or socket.
enum RegularFile {
  /// For reading, close-on-exec. A FIFO without a writer does not block (`O_NONBLOCK`, which means nothing to the reads
  /// of a regular file). EISDIR for a folder, EINVAL for what else is no regular file.
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
  /// `error` from opening or reading `path`, in words for whoever asked for it.
  init(_ error: SystemError, _ path: FilePath) {
    switch error.code {
    case ENOENT, ENOTDIR: self.init(.notFound, "\(path): no such file or folder")
    case ENAMETOOLONG: self.init(.notFound, "\(path): the name is too long")
    case ELOOP: self.init(.notFound, "\(path): the symbolic links go round in a circle")
    case EACCES, EPERM: self.init(.denied, "\(path): not readable for the daemon (\(error.reason))")
    case EISDIR: self.init(.unplayable, "\(path): a folder, not a file")
    case EINVAL, ENXIO, ENODEV: self.init(.unplayable, "\(path): a pipe, device or socket, not a file")
    case EFBIG: self.init(.tooLarge, "\(path): too large for a playlist")
    default: self.init(.unavailable, "\(path): \(error.reason)")
    }
  }
}
