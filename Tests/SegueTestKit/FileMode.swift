public import Glibc
public import SegueSystem

/// Returns the permissions of a file or symbolic link, or nil if it does not exist.
public func mode(of path: FilePath) -> mode_t? {
  var status = stat()
  return path.withCString { lstat($0, &status) } == 0 ? status.st_mode & 0o777 : nil
}
