internal import Glibc

/// A reason for which another user could replace a file, or has placed it.
public enum FileDistrust: Equatable, Sendable {
  /// The path, or what the symbolic link at the path leads to, belongs to another user.
  case foreign(FilePath)
  /// Other users may replace the names in the folder: all users, or the members of a group.
  case writable(FilePath)

  /// Returns the reason not to trust the names in a folder; nil if only the user and root can change them, or if the
  /// folder does not exist. The folders above it are not examined. In a folder with the sticky bit, such as /tmp,
  /// others cannot change the names of the user's files, but can add their own: see `init(file:)`.
  public init?(folder: FilePath) {
    guard let status = Self.checkOwner(of: folder) else {
      self = .foreign(folder)
      return
    }
    guard status.st_mode & S_ISVTX == 0 else { return nil }
    let isForGroup = status.st_mode & S_IWGRP != 0 && !Self.isOwn(group: status.st_gid)
    guard isForGroup || status.st_mode & S_IWOTH != 0 else { return nil }
    self = .writable(folder)
  }

  /// Whether only the user and root are in a group. Where every user has a group of their own, the usual umask lets the
  /// group write (002 on Ubuntu).
  private static func isOwn(group: gid_t) -> Bool {
    guard group != 0 else { return true }
    guard group == getegid() else { return false }
    let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
    guard let entry = getgrgid(group) else { return group == geteuid() }
    // The group of all users is the primary one of each, which its entry does not list.
    guard group == geteuid() || user == String(cString: entry.pointee.gr_name) else { return false }
    var member = entry.pointee.gr_mem
    while let name = member?.pointee {
      guard user == String(cString: name) else { return false }
      member = member?.advanced(by: 1)
    }
    return true
  }

  /// Logs a warning that names the folder if another user could replace the files in it.
  public static func warnAbout(_ folder: FilePath) {
    switch FileDistrust(folder: folder) {
    case .none: break
    case .foreign: Log.warning("the folder \(folder) belongs to another user, who can change what the daemon reads")
    case .writable: Log.warning("other users may change the files in \(folder); `chmod go-w \(folder)` forbids that")
    }
  }

  /// Returns the reason not to trust a file; nil if the user or root placed it, or if it does not exist.
  public init?(file: FilePath) {
    guard Self.checkOwner(of: file) == nil else { return nil }
    self = .foreign(file)
  }

  /// Returns the status of what is at a path, whose mode is 0 if nothing is there; nil if that or a link to it belongs
  /// to another user. The owner of a link can change where it leads.
  private static func checkOwner(of path: FilePath) -> stat? {
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0 else { return stat() }
    guard isTrusted(owner: status.st_uid) else { return nil }
    guard path.withCString({ stat($0, &status) }) == 0 else { return stat() }
    return isTrusted(owner: status.st_uid) ? status : nil
  }

  /// Whether a file or a process of a user is trusted: root can do what the user can do anyway.
  public static func isTrusted(owner: UInt32) -> Bool { owner == geteuid() || owner == 0 }
}
