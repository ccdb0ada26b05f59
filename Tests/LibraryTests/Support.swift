import Glibc
import SegueFiles
import SegueState
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// A temporary folder of one test, which is removed with the object.
final class Scratch: Sendable {
  private let folder: TemporaryFolder

  init() { do { folder = try TemporaryFolder() } catch { fatalError("no scratch folder: \(error)") } }

  var path: FilePath { folder.path }

  subscript(_ name: String) -> FilePath { path.appending(name) }

  /// Writes a file, and the folders above it.
  @discardableResult
  func write(_ name: String, _ text: String = "") -> FilePath { write(self[name], Array(text.utf8)) }

  @discardableResult
  func write(_ file: FilePath, _ bytes: [UInt8]) -> FilePath {
    makeFolder(file.parent)
    let stream = file.withCString { fopen($0, "w") }
    guard let stream else { fatalError("\(file): \(String(cString: strerror(errno)))") }
    fwrite(bytes, 1, bytes.count, stream)
    fclose(stream)
    return file
  }

  func read(_ file: FilePath) -> [UInt8] { Self.contents(file) }

  static func contents(_ file: FilePath) -> [UInt8] {
    guard let stream = file.withCString({ fopen($0, "r") }) else { return [] }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = fread(&chunk, 1, chunk.count, stream)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  func makeFolder(_ folder: FilePath) {
    if folder.withCString({ mkdir($0, 0o755) }) == 0 || errno == EEXIST { return }
    makeFolder(folder.parent)
    _ = folder.withCString { mkdir($0, 0o755) }
  }

  /// Returns the target of a symbolic link; an empty path if `link` is not a link.
  static func target(of link: FilePath) -> FilePath {
    var target = [CChar](repeating: 0, count: 4_096)
    let count = readlink(link.description, &target, target.count)
    return FilePath(bytes: target[..<max(0, count)].map(UInt8.init(bitPattern:)))
  }

  func link(_ name: String, to target: String) {
    _ = self[name].withCString { symlink(target, $0) }
  }

  /// Returns the names in a folder, sorted.
  func names(_ folder: FilePath) -> [String] { Self.names(folder) }

  static func names(_ folder: FilePath) -> [String] {
    TemporaryFolder.names(in: folder).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }
}

/// All results of a `FileService.resolve`.
struct ResolveResult: Sendable {
  var batches: [FoundBatch] = []
  var cancelled = false

  var tracks: [FoundTrack] { batches.flatMap(\.tracks) }
  var failures: [URIFailure] { batches.flatMap(\.failures) }

  /// Returns the paths of the tracks relative to `scratch`, with fragments.
  func names(in scratch: Scratch) -> [String] {
    let root = FileURI.encode(scratch.path) + "/"
    return tracks.map { $0.uri.hasPrefix(root) ? String($0.uri.dropFirst(root.count)) : $0.uri }
  }
}

extension FileService {
  func resolved(_ uris: [String]) async -> ResolveResult {
    let (stream, continuation) = AsyncStream.makeStream(of: Progress.self)
    resolve(uris) { progress in
      continuation.yield(progress)
      if case .finished = progress { continuation.finish() }
    }
    var found = ResolveResult()
    for await progress in stream {
      switch progress {
      case .found(let batch): found.batches.append(batch)
      case .finished(let cancelled): found.cancelled = cancelled
      }
    }
    return found
  }

  static func find(_ paths: FilePath...) async -> ResolveResult {
    let service = FileService(worker: WorkerProcess.product("segue-worker"))
    let found = await service.resolved(paths.map(FileURI.encode))
    service.close()
    return found
  }
}

extension StateStore {
  func load() async throws -> SavedState {
    try await withCheckedContinuation { continuation in load { continuation.resume(returning: $0) } }.get()
  }

  func save(_ changes: [StateChange]) async throws {
    try await withCheckedContinuation { continuation in
      save(changes) { continuation.resume(returning: $0) }
    }.get()
  }
}
