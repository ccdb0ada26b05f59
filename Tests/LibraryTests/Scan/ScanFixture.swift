import Glibc
import SegueLibrary
import SegueSQLite
import SegueScan
import SegueSystem
import SegueTestKit
import Synchronization
import Testing

/// A fixture for tests of the scan: a music folder, an index, and a scanner with its workers.
final class ScanFixture: Sendable {
  let music = Scratch()
  let state = Scratch()
  let store: LibraryStore
  private let running = Mutex<LibraryScanner?>(nil)
  private let history: History

  /// The statuses that the scanner has reported.
  private final class History: Sendable {
    let reports = Mutex<[ScanStatus]>([])
    let last = Mutex(ScanStatus())
  }

  init() {
    store = LibraryStore(path: state["disk/library.db"])
    history = History()
  }

  deinit {
    stop()
    store.close()
  }

  /// Starts a scanner. `worker` is the name of a program beside the tests, `program` the path of another one.
  func start(
    _ folders: [FilePath]? = nil, worker: String = "segue-worker", program: FilePath? = nil,
    limits: ScanLimits = .quick
  ) throws {
    history.last.withLock { $0 = ScanStatus() }
    let scanner = try LibraryScanner(
      store: store, worker: program ?? WorkerProcess.product(worker), folders: folders ?? [music.path], limits: limits
    ) { [history] status in
      history.last.withLock { $0 = status }
      history.reports.withLock { $0.append(status) }
    }
    running.withLock { $0 = scanner }
  }

  func stop() {
    let scanner = running.withLock { running in
      defer { running = nil }
      return running
    }
    scanner?.close()
  }

  /// Calls `command`, and waits until the thread "scan" has begun to carry it out and waits for something else: the
  /// thread has been woken, and has then slept for a tenth of a second, which is longer than it waits for locks and
  /// files.
  func waitUntilBlocked(after command: () -> Void) async throws {
    let before = Self.sleepCount()
    command()
    try await Self.waitForRest(lasting: .milliseconds(100), wokenSince: before)
  }

  /// Waits until the threads "scan" of this process have slept for `duration`, and `sleepCount` is not `count`.
  static func waitForRest(lasting duration: MediaTime, wokenSince count: Int?) async throws {
    var last: Int?
    var start = MonotonicTime.now
    try await eventually("the scan sleeps for \(duration.seconds) s") {
      let now = MonotonicTime.now
      let current = sleepCount()
      if current != last { (last, start) = (current, now) }
      return current != count && now - start >= duration
    }
  }

  /// Returns how often the threads "scan" of this process have gone to sleep; nil if there is none.
  static func sleepCount() -> Int? {
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

  func withScanner(_ body: (LibraryScanner) -> Void) { running.withLock { $0.map(body) } }

  var reports: [ScanStatus] { history.reports.withLock { $0 } }
  /// The status that was reported last.
  var status: ScanStatus { history.last.withLock(\.self) }
  func removeReports() { history.reports.withLock { $0 = [] } }

  /// Waits for the end of a walk, the first one or the one that `command` starts, and returns its status.
  @discardableResult
  func walk(_ command: ((LibraryScanner) -> Void)? = nil) async throws -> ScanStatus {
    if let command {
      try await eventually("no walk is under way") { !self.status.isScanning }
      removeReports()
      withScanner(command)
    }
    try await eventually("the walk ends") {
      let reports = self.reports
      return reports.contains(where: \.isScanning) && reports.last?.isScanning == false
    }
    return status
  }

  /// Returns the files that the index has in and below a folder, by their relative paths.
  func indexedFiles(in folder: FilePath? = nil) async throws -> [String: IndexedFile] {
    let folder = folder ?? music.path
    let found = try await store.write { writer throws(StoreError) in try Self.files(writer, folder, "") }
    return Dictionary(found) { $1 }
  }

  private static func files(
    _ writer: LibraryWriter, _ folder: FilePath, _ prefix: String
  ) throws(StoreError) -> [(String, IndexedFile)] {
    var files: [(String, IndexedFile)] = []
    for (name, file) in try writer.indexedFiles(in: folder) {
      files.append((prefix + String(decoding: name, as: UTF8.self), file))
    }
    for name in try writer.indexedFolders(in: folder) {
      files += try Self.files(
        writer, folder.appending(name), prefix + String(decoding: name, as: UTF8.self) + "/")
    }
    return files
  }

  /// Waits until the index has exactly these files.
  func expect(_ names: Set<String>, _ location: SourceLocation = #_sourceLocation) async throws {
    let last = Mutex<[String]>([])
    try await eventually(
      "the index has \(names.sorted())", location, detail: "it has \(last.withLock(\.self))"
    ) {
      let indexed = Set(try await self.indexedFiles().keys)
      last.withLock { $0 = indexed.sorted() }
      return indexed == names
    }
  }

  func track(_ name: String) async throws -> LibraryTrack? {
    let uri = FileURI.encode(music[name])
    return try await store.read { reader throws(StoreError) in try reader.track(uri) }
  }

  /// Writes an audio file that every worker can read: a tenth of a second of silence.
  @discardableResult
  func writeSong(_ name: String) -> FilePath { music.write(music[name], Self.wave()) }

  static func wave(frames: Int = 4410) -> [UInt8] {
    func bytes(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 0xFF) } }
    let size = frames * 4
    var wave = joined("RIFF".utf8, bytes(36 + size, 4), "WAVEfmt ".utf8, bytes(16, 4))
    wave += bytes(1, 2) + bytes(2, 2) + bytes(44_100, 4) + bytes(176_400, 4) + bytes(4, 2) + bytes(16, 2)
    wave += Array("data".utf8) + bytes(size, 4)
    return wave + [UInt8](repeating: 0, count: size)
  }
}

extension ScanLimits {
  /// Limits for tests, which wait for the changes that they make.
  static var quick: ScanLimits {
    var limits = ScanLimits()
    limits.debounceInterval = .milliseconds(50)
    return limits
  }
}

/// An error of a condition that has not held in time.
struct ConditionTimeout: Error, CustomStringConvertible {
  let description: String
}

/// Waits until `condition` holds, for at most half a minute. For conditions that no event reports, which are checked at
/// intervals.
func eventually(
  _ expectation: String, _ location: SourceLocation = #_sourceLocation, detail: @autoclosure () -> String = "",
  _ condition: () async throws -> Bool
) async throws {
  let deadline = MonotonicTime.now + MediaTime.seconds(30)
  while try await !condition() {
    guard MonotonicTime.now < deadline else {
      Issue.record("not in time: \(expectation); \(detail())", sourceLocation: location)
      throw ConditionTimeout(description: expectation)
    }
    try await Task.sleep(nanoseconds: 10_000_000)
  }
}
