import Glibc
import SegueSystem
import SegueTestKit

extension Repository {
  /// Returns the lines of a file.
  static func lines(of path: FilePath) throws -> [String] {
    guard let file = path.withCString({ fopen($0, "re") }) else { throw SystemError("fopen", path.description) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
  }

  /// Returns the files below `folder` whose names end in `suffix`.
  static func files(in folder: FilePath, endingIn suffix: String) -> [FilePath] {
    TemporaryFolder.names(in: folder).flatMap { name -> [FilePath] in
      let path = folder.appending(name)
      return path.description.hasSuffix(suffix) ? [path] : files(in: path, endingIn: suffix)
    }
  }

  /// Returns the environment variables that the code of the modules reads by name.
  static func environmentVariables(readIn modules: [String]) throws -> Set<String> {
    var found: Set<String> = []
    for module in modules {
      for file in files(in: root.appending("Sources").appending(module), endingIn: ".swift") {
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
