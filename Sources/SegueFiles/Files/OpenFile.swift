internal import Glibc
public import SegueSystem
public import SegueWire

extension Failure {
  /// Creates the failure of a request because `path` could not be opened or read.
  public init(_ error: SystemError, _ path: FilePath) {
    switch error.code {
    case ENOENT, ENOTDIR: self = Failure(.notFound, "\(path): no such file or folder")
    case ENAMETOOLONG: self = Failure(.notFound, "\(path): the name is too long")
    case ELOOP: self = Failure(.notFound, "\(path): too many levels of symbolic links")
    case EACCES, EPERM: self = Failure(.denied, "\(path): not readable by the daemon (\(error.localizableReason))")
    case EISDIR: self = Failure(.unplayable, "\(path): a folder, not a file")
    case EINVAL, ENXIO, ENODEV: self = Failure(.unplayable, "\(path): a pipe, device or socket, not a file")
    case EFBIG: self = Failure(.tooLarge, "\(path): too large for a playlist")
    default: self = Failure(.unavailable, "\(path): \(error.localizableReason)")
    }
  }
}

/// An open file that is passed from one thread to another.
public final class OpenFile: Sendable {
  public let path: FilePath
  private let descriptor: Descriptor

  public init(path: FilePath, descriptor: consuming Descriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  /// The number of the descriptor; valid for as long as this object exists.
  public var raw: Int32 { descriptor.raw }
}
