import Glibc
import SegueSystem
import SegueTestKit

extension TemporaryFolder {
  /// The last component of the path.
  var name: String { String(decoding: path.lastComponent, as: UTF8.self) }

  /// Creates an empty file whose name need not be UTF-8.
  func write(bytes name: [UInt8]) throws {
    let file = try checked("open") { path.appending(name).withCString { creat($0, 0o600) } }
    close(file)
  }

  /// Creates a symbolic link.
  func link(_ name: String, to target: FilePath) throws {
    _ = try checked("symlink") {
      target.withCString { target in path.appending(name).withCString { symlink(target, $0) } }
    }
  }
}
