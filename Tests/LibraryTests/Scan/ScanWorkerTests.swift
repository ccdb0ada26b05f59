import Glibc
import SegueLibrary
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@Suite(.timeLimit(.minutes(3))) struct ScanWorkerTests {
  private let stage = ScanFixture()
  private var music: Scratch { stage.music }

  private var impatient: ScanLimits {
    var limits = ScanLimits.quick
    limits.patience = .seconds(2)
    return limits
  }

  @Test(arguments: [
    "probe-crash.wav", "probe-garbage.wav", "probe-spin.wav", "probe-eat.wav", "probe-stranger.wav", "scan-nothing.wav",
  ]) func oneFileIsTheCostOf(fault: String) async throws {
    var good: Set<String> = []
    for index in 0..<60 { good.insert("\(index % 3)/\(index).wav") }
    for name in good { stage.song(name) }
    stage.song("1/\(fault)")
    try stage.start(worker: "malicious-worker", limits: impatient)
    try await stage.walk()
    let known = try await stage.known()
    #expect(Set(known.keys) == good.union(["1/\(fault)"]))
    #expect(known.filter(\.value.hasFailed).map(\.key) == ["1/\(fault)"])
    #expect(stage.status.failed == 1)

    // It is remembered, until it changes.
    #expect(try await stage.walk { $0.scan() }.total == 0)
    _ = music["1/\(fault)"].withCString { unlink($0) }
    try await stage.expect(good)
    stage.song("1/innocent.wav")
    try await stage.expect(good.union(["1/innocent.wav"]))
  }

  @Test func aFailureIsTriedAgainWhenItsFileChanges() async throws {
    music.write("a.wav", "nothing")
    try stage.start()
    try await stage.walk()
    #expect(try await stage.known()["a.wav"]?.hasFailed == true)
    stage.song("a.wav")
    try await eventually("it is a track") { try await stage.track("a.wav") != nil }
    #expect(try await stage.known()["a.wav"]?.hasFailed == false)
  }

  @Test func aWorkerThatStopsIsReplaced() async throws {
    for index in 0..<200 { stage.song("\(index).wav") }
    var limits = impatient
    limits.workers = 1
    try stage.start(worker: "malicious-worker", limits: limits)
    var stopped = false
    try await eventually("a worker was stopped, or all is done") {
      for pid in Self.workers() where kill(pid, SIGSTOP) == 0 { stopped = true }
      return stopped || stage.reports.last?.isScanning == false
    }
    try await stage.walk()
    let known = try await stage.known()
    #expect(known.count == 200)
    #expect(known.filter(\.value.hasFailed).isEmpty, "it had several files at hand, and none is to blame")
  }

  /// Somebody kills what he takes for stuck, or the kernel is short of memory.
  @Test func aWorkerThatIsKilledBlamesNoFile() async throws {
    let song = stage.song("probe-slow.wav")
    try stage.start(worker: "malicious-worker")
    for _ in 0..<2 {
      var holders: [Int32] = []
      try await eventually("a worker has the file") {
        holders = Self.workers().filter { Self.holds($0, song) }
        for pid in holders { kill(pid, SIGKILL) }
        return !holders.isEmpty
      }
      // Another may have the file by now.
      try await eventually("it has gone") { !Self.workers().contains { holders.contains($0) } }
    }
    let status = try await stage.walk()
    #expect((status.done, status.failed) == (1, 0))
    #expect(try await stage.known()["probe-slow.wav"]?.hasFailed == false)
  }

  /// A file that makes the kernel run out of memory has a worker killed each time.
  @Test func aFileWhoseWorkersAreAllKilledIsGivenUpWithAReason() async throws {
    let song = stage.song("probe-slow.wav")
    try stage.start(worker: "malicious-worker")
    var killed: Set<Int32> = []
    try await eventually("the walk ends") {
      for pid in Self.workers() where Self.holds(pid, song) && kill(pid, SIGKILL) == 0 { killed.insert(pid) }
      return stage.reports.contains(where: \.isScanning) && stage.reports.last?.isScanning == false
    }
    // The first had the file among others to come, and counts for none of them.
    #expect((3...4).contains(killed.count))
    #expect(stage.status.failed == 1)
    let failures = try await stage.store.read { reader throws(StoreError) in try reader.failures().items }
    #expect(failures.map(\.failure.message).allSatisfy { $0.contains("killed") && $0.contains("memory") })
    #expect(failures.count == 1)
  }

  @Test func whereNoWorkerComesUp() async throws {
    stage.song("a.wav")
    try stage.start(worker: "no-such-program")
    try await stage.walk()
    #expect(try await stage.known().isEmpty)
    stage.stop()
    stage.forgetReports()
    // One that ends at once.
    try stage.start(worker: "sandbox-probe")
    try await stage.walk()
    #expect(try await stage.known().isEmpty, "no file is blamed")
    stage.stop()
    stage.forgetReports()
    try stage.start()
    try await stage.walk()
    try await stage.expect(["a.wav"])
  }

  @Test func noWorkerOutlivesItsWork() async throws {
    stage.song("a.wav")
    try stage.start()
    try await stage.walk()
    #expect(Self.workers() == [])
  }

  /// The disk is full when all names are to be put in another order.
  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk"))
  func noWorkerOutlivesAWalkThatIsCutOff()
    async throws
  {
    for index in 0..<300 { music.write(music["\(index).wav"], ScanFixture.wave(frames: 4)) }
    let folder = stage.state["disk"]
    stage.state.makeFolder(folder)
    let disk = try TmpfsVolume(over: folder, kilobytes: 8_192)
    try stage.start()
    try await stage.walk()
    stage.stop()
    stage.forgetReports()
    try disk.fill()
    try stage.start(worker: "malicious-worker")
    try await stage.walk()
    #expect(stage.status.ended == 1)
    #expect(Self.workers() == [])
  }

  /// Whether the process has the file open.
  private static func holds(_ pid: pid_t, _ path: FilePath) -> Bool {
    Scratch.names(FilePath("/proc/\(pid)/fd")).contains {
      Scratch.target(of: FilePath("/proc/\(pid)/fd/\($0)")) == path
    }
  }

  /// The workers that this process has started, by this stage or another.
  private static func workers() -> [pid_t] {
    Scratch.names(FilePath("/proc/self/task")).flatMap { task in
      String(decoding: Scratch.contents(FilePath("/proc/self/task/\(task)/children")), as: UTF8.self)
        .split(separator: " ").compactMap { pid_t($0) }
      // The kernel cuts the names of programs to 15 bytes, which leaves "malicious-worke".
    }.filter { String(decoding: Scratch.contents(FilePath("/proc/\($0)/comm")), as: UTF8.self).contains("worke") }
  }
}
