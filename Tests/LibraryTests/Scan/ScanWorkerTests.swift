import Glibc
import SegueLibrary
import SegueSQLite
import SegueScan
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@Suite(.timeLimit(.minutes(3))) struct ScanWorkerTests {
  private let fixture = ScanFixture()
  private var music: Scratch { fixture.music }

  private var shortTimeout: ScanLimits {
    var limits = ScanLimits.quick
    limits.fileTimeout = .seconds(2)
    return limits
  }

  @Test(arguments: [
    "probe-crash.wav", "probe-garbage.wav", "probe-busyLoop.wav", "probe-exhaustMemory.wav", "probe-unknownTicket.wav",
    "scan-nothing.wav",
  ]) func aFileThatBreaksItsWorkerIsTheOnlyOneThatFails(fault: String) async throws {
    var good: Set<String> = []
    for index in 0..<60 { good.insert("\(index % 3)/\(index).wav") }
    for name in good { fixture.writeSong(name) }
    fixture.writeSong("1/\(fault)")
    try fixture.start(worker: "malicious-worker", limits: shortTimeout)
    try await fixture.walk()
    let indexed = try await fixture.indexedFiles()
    #expect(Set(indexed.keys) == good.union(["1/\(fault)"]))
    #expect(indexed.filter(\.value.hasFailed).map(\.key) == ["1/\(fault)"])
    #expect(fixture.status.failed == 1)

    // The file is not read again until it changes.
    #expect(try await fixture.walk { $0.scan() }.total == 0)
    _ = music["1/\(fault)"].withCString { unlink($0) }
    try await fixture.expect(good)
    fixture.writeSong("1/other.wav")
    try await fixture.expect(good.union(["1/other.wav"]))
  }

  @Test func aFailedFileIsReadAgainWhenItChanges() async throws {
    music.write("a.wav", "nothing")
    try fixture.start()
    try await fixture.walk()
    #expect(try await fixture.indexedFiles()["a.wav"]?.hasFailed == true)
    fixture.writeSong("a.wav")
    try await eventually("the file is a track") { try await fixture.track("a.wav") != nil }
    #expect(try await fixture.indexedFiles()["a.wav"]?.hasFailed == false)
  }

  @Test func aWorkerThatHangsIsReplaced() async throws {
    for index in 0..<200 { fixture.writeSong("\(index).wav") }
    var limits = shortTimeout
    limits.workers = 1
    try fixture.start(worker: "malicious-worker", limits: limits)
    var stopped = false
    try await eventually("a worker was stopped, or the walk has ended") {
      for pid in Self.workers() where kill(pid, SIGSTOP) == 0 { stopped = true }
      return stopped || fixture.reports.last?.isScanning == false
    }
    try await fixture.walk()
    let indexed = try await fixture.indexedFiles()
    #expect(indexed.count == 200)
    #expect(indexed.filter(\.value.hasFailed).isEmpty, "the worker had several files, so none of them is the cause")
  }

  /// A user or the kernel, for want of memory, kills workers.
  @Test func aKilledWorkerIsNotAttributedToItsFile() async throws {
    let song = fixture.writeSong("probe-slow.wav")
    try fixture.start(worker: "malicious-worker")
    for _ in 0..<2 {
      var holders: [Int32] = []
      try await eventually("a worker has the file") {
        holders = Self.workers().filter { Self.holds($0, song) }
        for pid in holders { kill(pid, SIGKILL) }
        return !holders.isEmpty
      }
      // Another worker may have the file now.
      try await eventually("the worker has ended") { !Self.workers().contains { holders.contains($0) } }
    }
    let status = try await fixture.walk()
    #expect((status.done, status.failed) == (1, 0))
    #expect(try await fixture.indexedFiles()["probe-slow.wav"]?.hasFailed == false)
  }

  /// If a file makes its workers run out of memory, the kernel kills each of them.
  @Test func aFileFailsWhenAllWorkersForItAreKilled() async throws {
    let song = fixture.writeSong("probe-slow.wav")
    try fixture.start(worker: "malicious-worker")
    var killed: Set<Int32> = []
    try await eventually("the walk ends") {
      for pid in Self.workers() where Self.holds(pid, song) && kill(pid, SIGKILL) == 0 { killed.insert(pid) }
      return fixture.reports.contains(where: \.isScanning) && fixture.reports.last?.isScanning == false
    }
    // The first worker may have had room for further files. Its end is then attributed to no file.
    #expect((3...4).contains(killed.count))
    #expect(fixture.status.failed == 1)
    let failures = try await fixture.store.read { reader throws(StoreError) in try reader.failures().items }
    #expect(failures.map(\.failure.message).allSatisfy { $0.contains("killed") && $0.contains("memory") })
    #expect(failures.count == 1)
  }

  @Test func noFileFailsBecauseWorkersDoNotStart() async throws {
    fixture.writeSong("a.wav")
    try fixture.start(worker: "no-such-program")
    try await fixture.walk()
    #expect(try await fixture.indexedFiles().isEmpty)
    fixture.stop()
    fixture.removeReports()
    // The next program ends at once.
    try fixture.start(worker: "sandbox-probe")
    try await fixture.walk()
    #expect(try await fixture.indexedFiles().isEmpty, "no file is marked as failed")
    fixture.stop()
    fixture.removeReports()
    try fixture.start()
    try await fixture.walk()
    try await fixture.expect(["a.wav"])
  }

  @Test func workersEndWithTheWalk() async throws {
    fixture.writeSong("a.wav")
    try fixture.start()
    try await fixture.walk()
    #expect(Self.workers() == [])
  }

  /// The disk is full when new sort keys are to be stored for all names.
  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk"))
  func workersEndWithAnAbandonedWalk()
    async throws
  {
    for index in 0..<300 { music.write(music["\(index).wav"], ScanFixture.wave(frames: 4)) }
    let folder = fixture.state["disk"]
    fixture.state.makeFolder(folder)
    let disk = try TmpfsVolume(over: folder, kilobytes: 8_192)
    try fixture.start()
    try await fixture.walk()
    fixture.stop()
    fixture.removeReports()
    try disk.fill()
    try fixture.start(worker: "malicious-worker")
    try await fixture.walk()
    #expect(fixture.status.endedWalks == 1)
    #expect(Self.workers() == [])
  }

  /// Returns whether a process has a file open.
  private static func holds(_ pid: pid_t, _ path: FilePath) -> Bool {
    Scratch.names(FilePath("/proc/\(pid)/fd")).contains {
      Scratch.target(of: FilePath("/proc/\(pid)/fd/\($0)")) == path
    }
  }

  /// Returns the workers that this process has started, for this fixture or another one.
  private static func workers() -> [pid_t] {
    Scratch.names(FilePath("/proc/self/task")).flatMap { task in
      String(decoding: Scratch.contents(FilePath("/proc/self/task/\(task)/children")), as: UTF8.self)
        .split(separator: " ").compactMap { pid_t($0) }
      // The kernel cuts the names of programs to 15 bytes, which leaves "malicious-worke".
    }.filter { String(decoding: Scratch.contents(FilePath("/proc/\($0)/comm")), as: UTF8.self).contains("worke") }
  }
}
