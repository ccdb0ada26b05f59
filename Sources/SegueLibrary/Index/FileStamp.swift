public import Glibc
internal import SegueSystem

/// What tells that a file is the one that was looked into, unchanged.
public struct FileStamp: Hashable, Sendable {
  public var device: UInt64
  public var inode: UInt64
  /// Bytes.
  public var size: Int64
  /// Of its content, in nanoseconds since 1970.
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

  /// Of the file that `uri` names, as it is now; nil for what is no file, and for one that cannot be seen. Blocks in
  /// the file system.
  init?(uri: String) {
    guard case .file(let path, _) = try? MediaURI(uri) else { return nil }
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }
}
