internal import Glibc
internal import SegueSystem

extension FileStamp {
  /// Reads the stamp of the file that `uri` names. Returns nil if the URI names no file, or the file is not
  /// accessible. Blocks in the file system.
  init?(uri: String) {
    guard case .file(let path, _) = try? MediaURI(uri) else { return nil }
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }
}
