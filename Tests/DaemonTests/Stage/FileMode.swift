import Glibc
import SegueSystem

/// The permissions of a file, of a link its own; nil if there is none.
func mode(of path: FilePath) -> mode_t? {
  var status = stat()
  return path.withCString { lstat($0, &status) } == 0 ? status.st_mode & 0o777 : nil
}
