internal import Glibc
internal import SegueSystem

/// The location of `segue-worker`: beside the daemon in a build folder, in libexec or lib in an installation.
enum WorkerProgram {
  static func find() throws(SystemError) -> FilePath {
    let folder = try ownFolder()
    let places = ["segue-worker", "../libexec/segue/segue-worker", "../lib/segue/segue-worker"]
    for place in places {
      let path = folder.appending(place).normalized
      if path.withCString({ access($0, X_OK) }) == 0 { return path }
    }
    throw SystemError(
      "access", "segue-worker (searched beside segued in \(folder), in libexec/segue and in lib/segue)", code: ENOENT)
  }

  private static func ownFolder() throws(SystemError) -> FilePath {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = try checked("readlink", "/proc/self/exe") { readlink("/proc/self/exe", &buffer, buffer.count) }
    return FilePath(bytes: buffer[..<length].map(UInt8.init(bitPattern:))).parent
  }
}
