import Glibc
import SegueLibrary
import SegueSQLite
import SegueScan
import SegueSystem
import SegueTestKit
import SegueWire
import Synchronization
import Testing

/// Tests of walks that are interrupted or fail, and of the walks after them.
@Suite(.timeLimit(.minutes(3))) struct ScanRecoveryTests {
  private let fixture = ScanFixture()
  private var music: Scratch { fixture.music }

  private func remove(_ name: String) { _ = music[name].withCString { Glibc.remove($0) } }

  /// Starts a walk, and stops it when it has read all files but one that never ends.
  private func interruptWalk(after count: Int) async throws {
    fixture.writeSong("z/probe-busyLoop.wav")
    try fixture.start(worker: "malicious-worker")
    try await eventually("only the last file is missing") {
      fixture.status.done == count && fixture.status.total == count + 1
    }
    fixture.stop()
    fixture.removeReports()
    remove("z/probe-busyLoop.wav")
    remove("z")
  }

  @Test func missingFilesAreRemovedAfterAnInterruptedWalk() async throws {
    for name in ["a/1.wav", "a/2.wav", "b/c/3.wav", "d/4.wav"] { fixture.writeSong(name) }
    try fixture.start(worker: "malicious-worker")
    try await fixture.walk()
    fixture.stop()
    fixture.removeReports()
    for name in ["a/1.wav", "b/c/3.wav", "b/c", "b"] { remove(name) }
    fixture.writeSong("d/5.wav")
    try await interruptWalk(after: 1)
    try fixture.start(worker: "malicious-worker")
    try await fixture.walk()
    try await fixture.expect(["a/2.wav", "d/4.wav", "d/5.wav"])
  }

  @Test func albumsAreCompletedAfterAnInterruptedWalk() async throws {
    for name in ["a/1.wav", "a/2.wav"] { fixture.writeSong(name) }
    try await interruptWalk(after: 2)
    try fixture.start(worker: "malicious-worker")
    try await fixture.walk()
    try await fixture.expect(["a/1.wav", "a/2.wav"])
    #expect(try await fixture.store.read { reader throws(StoreError) in try reader.counts() }.albums == 1)
  }

  /// All files are found once there is space, without a request.
  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk"))
  func aScanContinuesWhenAFullDiskHasSpaceAgain() async throws {
    var names: Set<String> = []
    for index in 0..<3_000 { names.insert("\(index % 7)/\(index).wav") }
    for name in names { music.write(music[name], ScanFixture.wave(frames: 4)) }
    let folder = fixture.state["disk"]
    fixture.state.makeFolder(folder)
    let disk = try TmpfsVolume(over: folder, kilobytes: 1_024)
    var limits = ScanLimits.quick
    limits.walkInterval = .milliseconds(500)
    try fixture.start(limits: limits)
    try await eventually("the walk is abandoned") { fixture.reports.contains { $0.endedWalks > 0 } }
    #expect(try await fixture.store.read { reader throws(StoreError) in try reader.counts() }.tracks < names.count)
    try disk.resize(kilobytes: 32_768)
    try await fixture.expect(names)
  }

  /// A change by the user discovers the damage. The new index has none of the scanned files.
  @Test func anIndexThatReplacesADamagedOneIsFilledAgain() async throws {
    for name in ["a/1.wav", "2.wav"] { fixture.writeSong(name) }
    try fixture.start()
    try await fixture.walk()
    // Otherwise work that is under way may discover the damage first.
    try await fixture.store.waitForSearchMaintenance()
    for name in ["library.db", "library.db-wal"] {
      let stream = try #require(fixture.state["disk/\(name)"].withCString { fopen($0, "r+b") })
      fseek(stream, 0, SEEK_END)
      let junk = [UInt8](repeating: 0x5A, count: ftell(stream))
      rewind(stream)
      fwrite(junk, 1, junk.count, stream)
      fclose(stream)
    }
    let uri = FileURI.encode(music["2.wav"])
    await #expect(throws: Failure.self) {
      try await fixture.store.write { writer throws(StoreError) in try writer.setFavorite([uri], true) }
    }
    try await fixture.expect(["a/1.wav", "2.wav"])
  }

  /// The files that the walk had stored before are found again.
  @Test func anIndexThatIsRemovedDuringAWalkIsFilledAgain() async throws {
    for name in ["a/1.wav", "a/2.wav"] { fixture.writeSong(name) }
    try fixture.start(worker: "malicious-worker")
    try await fixture.walk()
    fixture.stop()
    fixture.removeReports()
    fixture.writeSong("a/3.wav")
    fixture.writeSong("z/probe-busyLoop.wav")
    try fixture.start(worker: "malicious-worker")
    try await eventually("only the last file is missing") { fixture.status.done == 1 && fixture.status.total == 2 }
    for name in ["library.db", "library.db-wal", "library.db-shm"] {
      _ = fixture.state["disk/\(name)"].withCString { unlink($0) }
    }
    try await fixture.store.write { writer throws(StoreError) in try writer.setRating("file:///x", 1) }
    remove("z/probe-busyLoop.wav")
    remove("z")
    try await fixture.expect(["a/1.wav", "a/2.wav", "a/3.wav"])
    fixture.stop()
    fixture.store.close()
    let again = LibraryStore(path: fixture.state["disk/library.db"])
    #expect(try await again.read { reader throws(StoreError) in try reader.counts() }.tracks == 3)
    again.close()
  }

  /// Another process locks the index for longer than the timeout. The walk is repeated soon after.
  @Test func aScanIsRepeatedWhenTheIndexIsNoLongerLocked() async throws {
    fixture.writeSong("a/1.wav")
    try await fixture.store.write { writer throws(StoreError) in try writer.setRating("file:///x", 1) }
    let other = LibraryStore(path: fixture.state["disk/library.db"])
    let state = Lock()
    async let lock: Void = other.write { writer throws(StoreError) in
      state.hasBegun.store(true, ordering: .releasing)
      state.end.wait()
    }
    try await eventually("the index is locked") { state.hasBegun.load(ordering: .acquiring) }
    try fixture.start()
    try await eventually("the walk is abandoned") { fixture.reports.contains { $0.endedWalks > 0 } }
    state.end.fulfill(())
    try await lock
    try await fixture.expect(["a/1.wav"])
    other.close()
  }

  private final class Lock: Sendable {
    let hasBegun = Atomic(false)
    let end = BlockingPromise<Void>()
  }

  /// The walk is repeated at intervals and not all the time.
  @Test func aScanIsRepeatedAtIntervalsWhileTheIndexCannotBeCreated() async throws {
    fixture.writeSong("a/1.wav")
    let obstacle = fixture.state.write("disk")
    var limits = ScanLimits.quick
    limits.walkInterval = .milliseconds(100)
    let start = MonotonicTime.now
    try fixture.start(limits: limits)
    try await eventually("the walk was repeated") { fixture.status.endedWalks > 5 }
    let ended = fixture.status.endedWalks
    #expect(Int64(ended - 2) * limits.walkInterval.nanoseconds <= (MonotonicTime.now - start).nanoseconds)
    _ = obstacle.withCString { unlink($0) }
    try await fixture.expect(["a/1.wav"])
  }
}
