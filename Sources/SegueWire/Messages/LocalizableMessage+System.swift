internal import Glibc
public import SegueSystem

/// The messages of the C library as messages that clients can show in another language. `strerror` would return the
/// English ones, because the daemon has no locale. The literals equal those messages.
extension SystemError {
  /// The reason without the subject. Rare reasons have no template.
  public var localizableReason: LocalizableMessage {
    switch code {
    case EPERM: LocalizableMessage("Operation not permitted")
    case ENOENT: LocalizableMessage("No such file or directory")
    case EIO: LocalizableMessage("Input/output error")
    case ENXIO: LocalizableMessage("No such device or address")
    case EAGAIN: LocalizableMessage("Resource temporarily unavailable")
    case ENOMEM: LocalizableMessage("Cannot allocate memory")
    case EACCES: LocalizableMessage("Permission denied")
    case EBUSY: LocalizableMessage("Device or resource busy")
    case EEXIST: LocalizableMessage("File exists")
    case EXDEV: LocalizableMessage("Invalid cross-device link")
    case ENODEV: LocalizableMessage("No such device")
    case ENOTDIR: LocalizableMessage("Not a directory")
    case EISDIR: LocalizableMessage("Is a directory")
    case EINVAL: LocalizableMessage("Invalid argument")
    case ENFILE: LocalizableMessage("Too many open files in system")
    case EMFILE: LocalizableMessage("Too many open files")
    case EFBIG: LocalizableMessage("File too large")
    case ENOSPC: LocalizableMessage("No space left on device")
    case EROFS: LocalizableMessage("Read-only file system")
    case EPIPE: LocalizableMessage("Broken pipe")
    case ENAMETOOLONG: LocalizableMessage("File name too long")
    case ELOOP: LocalizableMessage("Too many levels of symbolic links")
    case EOVERFLOW: LocalizableMessage("Value too large for defined data type")
    case EILSEQ: LocalizableMessage("Invalid or incomplete multibyte or wide character")
    case EOPNOTSUPP: LocalizableMessage("Operation not supported")
    case EADDRINUSE: LocalizableMessage("Address already in use")
    case ENETDOWN: LocalizableMessage("Network is down")
    case ENETUNREACH: LocalizableMessage("Network is unreachable")
    case ECONNRESET: LocalizableMessage("Connection reset by peer")
    case ETIMEDOUT: LocalizableMessage("Connection timed out")
    case ECONNREFUSED: LocalizableMessage("Connection refused")
    case EHOSTDOWN: LocalizableMessage("Host is down")
    case EHOSTUNREACH: LocalizableMessage("No route to host")
    case ESTALE: LocalizableMessage("Stale file handle")
    case EDQUOT: LocalizableMessage("Disk quota exceeded")
    default: .plain(reason)
    }
  }

  /// The description, whose reason can be translated.
  public var localizableMessage: LocalizableMessage {
    LocalizableMessage("\(subject.isEmpty ? call : subject): \(localizableReason)")
  }
}

extension ExitStatus {
  /// A sentence about the end of a process. `name` names it, with an article.
  public func localizableMessage(of name: LocalizableMessage) -> LocalizableMessage {
    switch self {
    case .exited(let code): LocalizableMessage("\(name) exited with \(code)")
    case .killed(SIGKILL):
      LocalizableMessage("\(name) was killed from outside (signal 9), perhaps because memory ran out")
    case .killed(let signal):
      LocalizableMessage("\(name) was ended by signal \(signal) (\(String(cString: strsignal(signal))))")
    }
  }
}

extension LocalizableMessage.StringInterpolation {
  /// Appends the description of an error, whose reason is translated by itself.
  public mutating func appendInterpolation(_ error: SystemError) { appendInterpolation(error.localizableMessage) }
}
