import Glibc
import SegueSystem
import SegueTestKit

extension TemporaryFolder {
  var name: String { String(decoding: path.lastComponent, as: UTF8.self) }

  /// An empty file of a name that may be no text.
  func write(bytes name: [UInt8]) throws {
    let file = try checked("open") { path.appending(name).withCString { creat($0, 0o600) } }
    close(file)
  }

  func link(_ name: String, to target: FilePath) throws {
    _ = try checked("symlink") {
      target.withCString { target in path.appending(name).withCString { symlink(target, $0) } }
    }
  }
}
