import Glibc
import SegueSystem
import SegueTestKit

/// Files that only one test needs, in a folder of this run's own.
enum Temporary {
  private static let folder: FilePath = {
    var template = Array("/tmp/segue-media-tests-XXXXXX".utf8CString)
    mkdtemp(&template)
    return FilePath(bytes: template.dropLast().map(UInt8.init(bitPattern:)))
  }()

  static func file(_ name: String, _ bytes: [UInt8]) throws -> FilePath {
    let path = folder.appending(name)
    guard let file = path.withCString({ fopen($0, "wb") }) else { throw SystemError("fopen", name) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw SystemError("fwrite", name) }
    return path
  }
}
