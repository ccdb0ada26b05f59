import Glibc
import SegueSystem
import SegueTestKit
import SegueWorkerProtocol
import Testing

/// The files that Fixtures/make.py creates.
enum Fixture {
  static func path(_ name: String) -> FilePath {
    Repository.fixture(name)
  }

  /// Returns the path of a file that Fixtures/tags.py creates.
  static func tagged(_ name: String) -> FilePath { path("Tags").appending(name) }

  static func bytes(_ name: String) throws -> [UInt8] {
    guard let file = path(name).withCString({ fopen($0, "rb") }) else { throw SystemError("fopen", name) }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 2 << 20)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    return bytes
  }

  /// Returns the blocks of each part of "changing.aac". A part ends where the rate index in the ADTS headers changes
  /// (ISO/IEC 14496-3, 1.A.2.2). The parts of "changing.ts" are the same.
  private static func changing() throws -> [[ArraySlice<UInt8>]] {
    let bytes = try bytes("changing.aac")
    var parts: [[ArraySlice<UInt8>]] = []
    var last: UInt8?
    var position = 0
    while position + 7 <= bytes.count {
      let rate = bytes[position + 2] >> 2 & 15
      if rate != last { parts.append([]) }
      last = rate
      let size = Int(bytes[position + 3] & 3) << 11 | Int(bytes[position + 4]) << 3 | Int(bytes[position + 5]) >> 5
      parts[parts.count - 1].append(bytes[position..<position + size])
      position += size
    }
    return parts
  }

  /// Returns the number of blocks of each part of "changing.aac".
  static func blockCountsOfChangingFormat() throws -> [Int] { try changing().map(\.count) }

  /// Returns the bytes of each part of "changing.aac".
  static func partsOfChangingFormat() throws -> [[UInt8]] { try changing().map { Array($0.joined()) } }

  /// Returns the samples of a plain 16-bit WAV file, which were encoded into the other files.
  static func samples(ofWave name: String) throws -> [UInt8] {
    Array(try bytes(name).dropFirst(44))
  }

  /// Returns the facts that the library's scan finds in the file at `path`. Expects that playback reads the same tags.
  static func facts(of path: FilePath) throws -> FileFacts {
    let worker = try WorkerProcess(ring: false)
    let result = try worker.scan([path])[0]
    guard case .facts(let facts) = result else { throw Unexpected("\(result)") }
    try worker.probe(1, path)
    guard case .response(_, .probed(let info)) = try worker.nextEvent() else { throw Unexpected("\(worker.events)") }
    #expect(info.metadata == facts.info.metadata)
    return facts
  }

  /// Returns all output of a worker for `name` as generation 1.
  static func decode(_ name: String) throws -> (decoded: WorkerProcess.DecodedGeneration, worker: WorkerProcess) {
    let worker = try WorkerProcess()
    try worker.open(1, path(name))
    return (try worker.decodedGeneration(1), worker)
  }
}
