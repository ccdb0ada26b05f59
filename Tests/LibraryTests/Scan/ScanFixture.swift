import Glibc
import SegueLibrary
import SegueSystem
import SegueTestKit
import Synchronization
import Testing

/// A music folder, an index, and a scanner with workers between them.
final class ScanFixture: Sendable {
  let music = Scratch()
  let state = Scratch()
  let store: LibraryStore
  private let running = Mutex<LibraryScanner?>(nil)
  private let history: History

  /// What was reported.
  private final class History: Sendable {
    let reports = Mutex<[ScanStatus]>([])
  }

  init() {
    store = LibraryStore(path: state["disk/library.db"])
    history = History()
  }

  deinit {
    stop()
    store.close()
  }

  /// Starts a scanner, with a worker that was built beside the tests, or with `program` in its place.
  func start(
    _ folders: [FilePath]? = nil, worker: String = "segue-worker", program: FilePath? = nil,
    limits: ScanLimits = .quick
  ) throws {
    let scanner = try LibraryScanner(
      store: store, worker: program ?? WorkerProcess.product(worker), folders: folders ?? [music.path], limits: limits
    ) { [history] status in history.reports.withLock { $0.append(status) } }
    running.withLock { $0 = scanner }
  }

  func stop() {
    let scanner = running.withLock { running in
      defer { running = nil }
      return running
    }
    scanner?.close()
  }

  /// Waits until the thread "scan" has begun what `order` means and waits for somebody: it was woken, and then slept for
  /// a tenth of a second.
  func rest(after order: () -> Void) async throws {
    let asleep = Self.sleeps()
    order()
    try await eventually("the scan waits") {
      let last = Self.sleeps()
      try await Task.sleep(nanoseconds: 100_000_000)
      return last != asleep && Self.sleeps() == last
    }
  }

  /// How often the threads "scan" of this process went to sleep; nil if there is none.
  static func sleeps() -> Int? {
    var total: Int?
    for task in Scratch.names(FilePath("/proc/self/task")) {
      let text = String(decoding: Scratch.contents(FilePath("/proc/self/task/\(task)/status")), as: UTF8.self)
      guard text.hasPrefix("Name:\tscan\n") else { continue }
      for line in text.split(separator: "\n") where line.hasPrefix("voluntary_ctxt_switches:") {
        total = (total ?? 0) + (Int(line.split(separator: "\t").last ?? "") ?? 0)
      }
    }
    return total
  }

  func with(_ body: (LibraryScanner) -> Void) { running.withLock { $0.map(body) } }

  var reports: [ScanStatus] { history.reports.withLock { $0 } }
  var status: ScanStatus { running.withLock { $0?.status } ?? ScanStatus() }
  func forgetReports() { history.reports.withLock { $0 = [] } }

  /// Waits for the end of a walk: the first, or the one that `order` causes. What it came to.
  @discardableResult
  func walk(_ order: ((LibraryScanner) -> Void)? = nil) async throws -> ScanStatus {
    if let order {
      try await eventually("no walk is under way") { !self.status.isScanning }
      forgetReports()
      with(order)
    }
    try await eventually("the walk ends") {
      let reports = self.reports
      return reports.contains(where: \.isScanning) && reports.last?.isScanning == false
    }
    return status
  }

  /// What the index has of the music folder, by the names below it.
  func known(in folder: FilePath? = nil) async throws -> [String: IndexedFile] {
    let folder = folder ?? music.path
    let found = try await store.write { writer throws(StoreError) in try Self.files(writer, folder, "") }
    return Dictionary(found) { $1 }
  }

  private static func files(
    _ writer: LibraryWriter, _ folder: FilePath, _ prefix: String
  ) throws(StoreError) -> [(String, IndexedFile)] {
    var files: [(String, IndexedFile)] = []
    for (name, known) in try writer.indexedFiles(in: folder) {
      files.append((prefix + String(decoding: name, as: UTF8.self), known))
    }
    for name in try writer.indexedFolders(in: folder) {
      files += try Self.files(
        writer, folder.appending(name), prefix + String(decoding: name, as: UTF8.self) + "/")
    }
    return files
  }

  /// Waits until the index has exactly these.
  func expect(_ names: Set<String>, _ location: SourceLocation = #_sourceLocation) async throws {
    let last = Mutex<[String]>([])
    try await eventually(
      "the index has \(names.sorted())", location, detail: "it has \(last.withLock(\.self))"
    ) {
      let known = Set(try await self.known().keys)
      last.withLock { $0 = known.sorted() }
      return known == names
    }
  }

  func track(_ name: String) async throws -> LibraryTrack? {
    let uri = FileURI.encode(music[name])
    return try await store.read { reader throws(StoreError) in try reader.track(uri) }
  }

  /// A file that every worker can read: a tenth of a second of silence.
  @discardableResult
  func song(_ name: String) -> FilePath { music.write(music[name], Self.wave()) }

  static func wave(frames: Int = 4410) -> [UInt8] {
    func bytes(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 0xFF) } }
    let size = frames * 4
    var wave = Array("RIFF".utf8) + bytes(36 + size, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4)
    wave += bytes(1, 2) + bytes(2, 2) + bytes(44_100, 4) + bytes(176_400, 4) + bytes(4, 2) + bytes(16, 2)
    wave += Array("data".utf8) + bytes(size, 4)
    return wave + [UInt8](repeating: 0, count: size)
  }
}

extension ScanLimits {
  /// For tests, which wait for what they changed.
  static var quick: ScanLimits {
    var limits = ScanLimits()
    limits.quiet = .milliseconds(50)
    return limits
  }
}

struct ConditionTimeout: Error, CustomStringConvertible {
  let description: String
}

/// Waits until `condition` holds; half a minute at most.
func eventually(
  _ what: String, _ location: SourceLocation = #_sourceLocation, detail: @autoclosure () -> String = "",
  _ condition: () async throws -> Bool
) async throws {
  let deadline = MonotonicTime.now + MediaTime.seconds(30)
  while try await !condition() {
    guard MonotonicTime.now < deadline else {
      Issue.record("not in time: \(what); \(detail())", sourceLocation: location)
      throw ConditionTimeout(description: what)
    }
    try await Task.sleep(nanoseconds: 10_000_000)
  }
}
