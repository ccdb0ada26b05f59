import Glibc
import SegueLibrary
import SegueSystem
import SegueTestKit
import SegueWire
import Synchronization
import Testing

/// Walks that are broken off: the next one makes up for it.
@Suite(.timeLimit(.minutes(3))) struct ScanRecoveryTests {
  private let stage = ScanFixture()
  private var music: Scratch { stage.music }

  private func remove(_ name: String) { _ = music[name].withCString { Glibc.remove($0) } }

  /// Begins a walk and breaks it off when it has looked into everything but a file that takes for ever.
  private func abandonScan(after count: Int) async throws {
    stage.song("z/probe-spin.wav")
    try stage.start(worker: "malicious-worker")
    try await eventually("only the last file is missing") {
      stage.status.done == count && stage.status.total == count + 1
    }
    stage.stop()
    stage.forgetReports()
    remove("z/probe-spin.wav")
    remove("z")
  }

  @Test func whatWasGoneIsTakenOut() async throws {
    for name in ["a/1.wav", "a/2.wav", "b/c/3.wav", "d/4.wav"] { stage.song(name) }
    try stage.start(worker: "malicious-worker")
    try await stage.walk()
    stage.stop()
    stage.forgetReports()
    for name in ["a/1.wav", "b/c/3.wav", "b/c", "b"] { remove(name) }
    stage.song("d/5.wav")
    try await abandonScan(after: 1)
    try stage.start(worker: "malicious-worker")
    try await stage.walk()
    try await stage.expect(["a/2.wav", "d/4.wav", "d/5.wav"])
  }

  @Test func albumsAreMade() async throws {
    for name in ["a/1.wav", "a/2.wav"] { stage.song(name) }
    try await abandonScan(after: 2)
    try stage.start(worker: "malicious-worker")
    try await stage.walk()
    try await stage.expect(["a/1.wav", "a/2.wav"])
    #expect(try await stage.store.read { reader throws(StoreError) in try reader.counts() }.albums == 1)
  }

  /// All of it is found once there is room, without anybody asking.
  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk")) func aFullDisk() async throws {
    var names: Set<String> = []
    for index in 0..<3_000 { names.insert("\(index % 7)/\(index).wav") }
    for name in names { music.write(music[name], ScanFixture.wave(frames: 4)) }
    let folder = stage.state["disk"]
    stage.state.makeFolder(folder)
    let disk = try TmpfsVolume(over: folder, kilobytes: 1_024)
    var limits = ScanLimits.quick
    limits.interval = .milliseconds(500)
    try stage.start(limits: limits)
    try await eventually("it is given up") { stage.reports.contains { $0.ended > 0 } }
    #expect(try await stage.store.read { reader throws(StoreError) in try reader.counts() }.tracks < names.count)
    try disk.resize(kilobytes: 32_768)
    try await stage.expect(names)
  }

  /// A change of the user's finds that the file is broken, and a new one has nothing of what was found.
  @Test func anIndexThatWasSetAside() async throws {
    for name in ["a/1.wav", "2.wav"] { stage.song(name) }
    try stage.start()
    try await stage.walk()
    // Else what goes on may find it first.
    try await stage.store.waitForSearchMaintenance()
    for name in ["library.db", "library.db-wal"] {
      let stream = try #require(stage.state["disk/\(name)"].withCString { fopen($0, "r+b") })
      fseek(stream, 0, SEEK_END)
      let junk = [UInt8](repeating: 0x5A, count: ftell(stream))
      rewind(stream)
      fwrite(junk, 1, junk.count, stream)
      fclose(stream)
    }
    let uri = FileURI.encode(music["2.wav"])
    await #expect(throws: Failure.self) {
      try await stage.store.write { writer throws(StoreError) in try writer.setFavorite([uri], true) }
    }
    try await stage.expect(["a/1.wav", "2.wav"])
  }

  /// What a walk had found when the index was taken away is found again.
  @Test func anIndexThatIsTakenAwayDuringAWalk() async throws {
    for name in ["a/1.wav", "a/2.wav"] { stage.song(name) }
    try stage.start(worker: "malicious-worker")
    try await stage.walk()
    stage.stop()
    stage.forgetReports()
    stage.song("a/3.wav")
    stage.song("z/probe-spin.wav")
    try stage.start(worker: "malicious-worker")
    try await eventually("only the last file is missing") { stage.status.done == 1 && stage.status.total == 2 }
    for name in ["library.db", "library.db-wal", "library.db-shm"] {
      _ = stage.state["disk/\(name)"].withCString { unlink($0) }
    }
    try await stage.store.write { writer throws(StoreError) in try writer.setRating("file:///x", 1) }
    remove("z/probe-spin.wav")
    remove("z")
    try await stage.expect(["a/1.wav", "a/2.wav", "a/3.wav"])
    stage.stop()
    stage.store.close()
    let again = LibraryStore(path: stage.state["disk/library.db"])
    #expect(try await again.read { reader throws(StoreError) in try reader.counts() }.tracks == 3)
    again.close()
  }

  /// Another process holds the index for longer than anybody waits; then it is soon tried again.
  @Test func anIndexThatIsLocked() async throws {
    stage.song("a/1.wav")
    try await stage.store.write { writer throws(StoreError) in try writer.setRating("file:///x", 1) }
    let other = LibraryStore(path: stage.state["disk/library.db"])
    let hold = Hold()
    async let lock: Void = other.write { writer throws(StoreError) in
      hold.hasBegun.store(true, ordering: .releasing)
      hold.end.wait()
    }
    try await eventually("it is locked") { hold.hasBegun.load(ordering: .acquiring) }
    try stage.start()
    try await eventually("it is given up") { stage.reports.contains { $0.ended > 0 } }
    hold.end.fulfill(())
    try await lock
    try await stage.expect(["a/1.wav"])
    other.close()
  }

  private final class Hold: Sendable {
    let hasBegun = Atomic(false)
    let end = BlockingPromise<Void>()
  }

  /// Where nothing can be written it is tried again now and then, and not all the time.
  @Test func anIndexThatCannotBeMade() async throws {
    stage.song("a/1.wav")
    let obstacle = stage.state.write("disk")
    var limits = ScanLimits.quick
    limits.interval = .milliseconds(100)
    let start = MonotonicTime.now
    try stage.start(limits: limits)
    try await eventually("it was tried again") { stage.status.ended > 5 }
    let ended = stage.status.ended
    #expect(Int64(ended - 2) * limits.interval.nanoseconds <= (MonotonicTime.now - start).nanoseconds)
    _ = obstacle.withCString { unlink($0) }
    try await stage.expect(["a/1.wav"])
  }
}
