import Glibc
import SegueSystem
import SegueTestKit

/// What stands in the files.
extension Repository {
  static func lines(of path: FilePath) throws -> [String] {
    guard let file = path.withCString({ fopen($0, "re") }) else { throw SystemError("fopen", path.description) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
  }

  /// The files under `folder` whose names end so.
  static func files(in folder: FilePath, endingIn suffix: String) -> [FilePath] {
    TemporaryFolder.names(in: folder).flatMap { name -> [FilePath] in
      let path = folder.appending(name)
      return path.description.hasSuffix(suffix) ? [path] : files(in: path, endingIn: suffix)
    }
  }

  /// The environment variables that the rooms' code asks for by name, in whatever way it does.
  static func environmentVariables(askedForIn rooms: [String]) throws -> Set<String> {
    var found: Set<String> = []
    for room in rooms {
      for file in files(in: root.appending("Sources").appending(room), endingIn: ".swift") {
        for line in try lines(of: file) {
          guard ["environment(", "getenv(", "variable(", "base(", "variable in"].contains(where: line.contains) else {
            continue
          }
          found.formUnion(line.matches(of: /"([A-Z][A-Z_]+)"/).map { String($0.1) })
        }
      }
    }
    return found
  }
}
