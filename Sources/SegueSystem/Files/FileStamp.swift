public import Glibc

/// The identity and the modification state of a file. Files with equal stamps are the same file, with the same content
/// unless it was written without a new time (`mayHaveBeenWritten`).
public struct FileStamp: Hashable, Sendable {
  public var device: UInt64
  public var inode: UInt64
  /// The size in bytes.
  public var size: Int64
  /// The time of the last change of the content, in nanoseconds since 1970.
  public var modified: Int64
  /// The time of the last change of content or inode, in nanoseconds since 1970; 0 if it is not known. Programs cannot
  /// set it, but renaming a file changes it, so that it is no part of the file's identity.
  public var changed: Int64

  public init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64 = 0) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }

  public init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
      modified: Self.nanoseconds(status.st_mtim),
      // Backups make and remove further links to a file, which changes the time of all links.
      changed: status.st_nlink > 1 ? 0 : Self.nanoseconds(status.st_ctim))
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Returns whether the content may have been written since `earlier`, a stamp that is equal to this one: programs
  /// that edit tags can keep the time of the file, and its size if there is room for the new tags.
  public func mayHaveBeenWritten(since earlier: FileStamp) -> Bool {
    changed != earlier.changed && changed != 0 && earlier.changed != 0
  }

  public static func == (a: FileStamp, b: FileStamp) -> Bool {
    (a.device, a.inode, a.size, a.modified) == (b.device, b.inode, b.size, b.modified)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(device)
    hasher.combine(inode)
    hasher.combine(size)
    hasher.combine(modified)
  }
}
