internal import Glibc
public import SegueSystem

extension SystemError {
  /// The reason without the subject, in the language of the user. Rare reasons are English.
  public var translatedReason: String {
    switch code {
    case ENOENT: tr("No such file or directory")
    case EACCES: tr("Permission denied")
    case ECONNREFUSED: tr("Connection refused")
    case ECONNRESET: tr("Connection reset by peer")
    case EISDIR: tr("Is a directory")
    case ENOTDIR: tr("Not a directory")
    case ENOSPC: tr("No space left on device")
    case EROFS: tr("Read-only file system")
    case EIO: tr("Input/output error")
    case ENAMETOOLONG: tr("File name too long")
    default: reason
    }
  }
}
