internal import Glibc

/// Opens regular files.
public enum RegularFile {
  /// Opens a regular file, read-only and close-on-exec. Does not block on a FIFO without a writer, because of
  /// `O_NONBLOCK`, which has no effect on reading a regular file. Throws EISDIR for a folder, EINVAL for a pipe, device
  /// or socket.
  public static func open(_ path: FilePath) throws(SystemError) -> Descriptor {
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
