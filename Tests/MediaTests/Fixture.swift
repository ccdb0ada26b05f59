import Glibc
import SegueSystem
import SegueTestKit

/// The files that Fixtures/make.py makes.
enum Fixture {
  static func path(_ name: String) -> FilePath {
    Repository.fixture(name)
  }

  /// One of Fixtures/tags.py.
  static func tagged(_ name: String) -> FilePath { path("Tags").appending(name) }

  static func bytes(_ name: String) throws -> [UInt8] {
    guard let file = path(name).withCString({ fopen($0, "rb") }) else { throw SystemError("fopen", name) }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 2 << 20)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    return bytes
  }

  /// The samples of a plain 16-bit wave file: what was there before any codec.
  static func samples(ofWave name: String) throws -> [UInt8] {
    Array(try bytes(name).dropFirst(44))
  }

  /// Everything `worker` gives for `name` as generation 1.
  static func decode(_ name: String) throws -> (take: WorkerProcess.Take, worker: WorkerProcess) {
    let worker = try WorkerProcess()
    try worker.open(1, path(name))
    return (try worker.take(1), worker)
  }
}
