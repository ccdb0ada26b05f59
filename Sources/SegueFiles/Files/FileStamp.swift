public import Glibc
internal import SegueSystem

/// The identity and the modification state of a file. If the stamp of a file is the same, the file has not changed.
public struct FileStamp: Hashable, Sendable {
  public var device: UInt64
  public var inode: UInt64
  /// The size in bytes.
  public var size: Int64
  /// The time of the last change of the content, in nanoseconds since 1970.
  public var modified: Int64

  public init(device: UInt64, inode: UInt64, size: Int64, modified: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
  }

  public init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
      modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
  }

  /// Reads the stamp of the file that `uri` names. Returns nil if the URI names no file, or the file is not
  /// accessible. Blocks in the file system.
  init?(uri: String) {
    guard case .file(let path, _) = try? MediaURI(uri) else { return nil }
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }
}
