import Glibc
import SegueLibrary
import SegueSQLite
import SegueScan
import SegueSystem
import SegueTestKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(3))) struct ScanChangeTests {
  private let fixture = ScanFixture()
  private var music: Scratch { fixture.music }

  private func rename(_ old: String, _ new: String) {
    let result = music[old].withCString { old in music[new].withCString { Glibc.rename(old, $0) } }
    #expect(result == 0)
  }

  private func remove(_ name: String) { _ = music[name].withCString { Glibc.remove($0) } }

  @Test func addedRemovedAndRenamedFilesAreNoticed() async throws {
    fixture.writeSong("a/1.wav")
    try fixture.start()
    try await fixture.walk()
    fixture.writeSong("a/2.wav")
    fixture.writeSong("new/folder/3.wav")
    music.link("4.wav", to: "/dev/null")
    try await fixture.expect(["a/1.wav", "a/2.wav", "new/folder/3.wav"])
    fixture.writeSong("new/folder/5.wav")
    remove("a/1.wav")
    try await fixture.expect(["a/2.wav", "new/folder/3.wav", "new/folder/5.wav"])
    // A name with a leading dot hides a file.
    rename("a/2.wav", "a/.2.wav")
    try await fixture.expect(["new/folder/3.wav", "new/folder/5.wav"])
    rename("a/.2.wav", "a/2.wav")
    try await fixture.expect(["a/2.wav", "new/folder/3.wav", "new/folder/5.wav"])
    music.write("new/.nomedia")
    try await fixture.expect(["a/2.wav"])
    remove("new/.nomedia")
    try await fixture.expect(["a/2.wav", "new/folder/3.wav", "new/folder/5.wav"])
    // The folder is watched again.
    fixture.writeSong("new/folder/6.wav")
    try await fixture.expect(["a/2.wav", "new/folder/3.wav", "new/folder/5.wav", "new/folder/6.wav"])
  }

  @Test func movedFilesKeepTheirIdentity() async throws {
    let names = ["a/1.wav", "a/sub/2.wav", "b/3.wav"]
    for name in names { fixture.writeSong(name) }
    try fixture.start()
    try await fixture.walk()
    let before = [try await fixture.track(names[0])?.id, try await fixture.track(names[1])?.id]
    #expect(!before.contains(nil))
    let uri = FileURI.encode(music["a/1.wav"])
    try await fixture.store.write { writer throws(StoreError) in try writer.setFavorite([uri], true) }

    rename("a/1.wav", "b/one.wav")
    try await fixture.expect(["b/one.wav", "a/sub/2.wav", "b/3.wav"])
    #expect(try await fixture.track("b/one.wav")?.id == before[0])
    #expect(try await fixture.track("b/one.wav")?.isFavorite == true)

    let monitor = try FileOpenMonitor()
    for folder in ["a/sub", "b"] { monitor.watch(music[folder]) }
    music.makeFolder(music["c"])
    rename("a", "c/moved")
    try await fixture.expect(["b/one.wav", "c/moved/sub/2.wav", "b/3.wav"])
    #expect(try await fixture.track("c/moved/sub/2.wav")?.id == before[1])
    // The watches have moved with the folder.
    fixture.writeSong("c/moved/sub/4.wav")
    try await fixture.expect(["b/one.wav", "c/moved/sub/2.wav", "c/moved/sub/4.wav", "b/3.wav"])

    // These moves happen while no scanner runs, so there are no events.
    fixture.stop()
    rename("b", "d")
    rename("c/moved/sub/2.wav", "two.wav")
    fixture.removeReports()
    try fixture.start()
    #expect(try await fixture.walk().done == 3)
    try await fixture.expect(["d/one.wav", "c/moved/sub/4.wav", "d/3.wav", "two.wav"])
    #expect(try await fixture.track("d/one.wav")?.id == before[0])
    #expect(try await fixture.track("d/one.wav")?.isFavorite == true)
    #expect(try await fixture.track("two.wav")?.id == before[1])
    #expect(Set(monitor.takeOpenedFiles()) == ["4.wav"], "moved files are not opened")
  }

  @Test func aFolderThatIsMovedAwayIsNoLongerWatched() async throws {
    let outside = Scratch()
    for name in ["a/1.wav", "a/sub/2.wav", "b.wav"] { fixture.writeSong(name) }
    try fixture.start()
    try await fixture.walk()
    let out = outside["a"].description
    _ = music["a"].withCString { Glibc.rename($0, out) }
    try await fixture.expect(["b.wav"])
    outside.write(outside["a/sub/3.wav"], ScanFixture.wave())
    fixture.writeSong("c.wav")
    try await fixture.expect(["b.wav", "c.wav"])
    _ = outside["a"].withCString { old in music["back"].withCString { Glibc.rename(old, $0) } }
    try await fixture.expect(["b.wav", "c.wav", "back/1.wav", "back/sub/2.wav", "back/sub/3.wav"])
  }

  @Test func anEventOverflowCausesAFullWalk() async throws {
    for name in ["a/1.wav", "a/2.wav", "b/3.wav"] { fixture.writeSong(name) }
    try fixture.start()
    try await fixture.walk()
    // The scan waits for the index, and the index waits for this test, so nothing reads the events.
    let gate = BlockingPromise<Void>()
    fixture.store.write({ _ in gate.wait() }, { _ in })
    fixture.withScanner { $0.scan() }
    for _ in 0..<12_000 {
      for name in ["a/1.wav", "a/2.wav"] { _ = music[name].withCString { utimes($0, nil) } }
    }
    fixture.writeSong("b/late.wav")
    remove("b/3.wav")
    gate.fulfill(())
    try await fixture.expect(["a/1.wav", "a/2.wav", "b/late.wav"])
  }

  /// Causes an overflow of events while `body` runs. The kernel keeps 16,384 events (`fs.inotify.max_queued_events`); a
  /// touched file causes two.
  private func overflow(during paths: [FilePath]? = nil, _ body: () -> Void) {
    let gate = BlockingPromise<Void>()
    fixture.store.write({ _ in gate.wait() }, { _ in })
    fixture.withScanner { $0.scan(paths) }
    for _ in 0..<12_000 {
      for name in ["1.wav", "2.wav"] { _ = music[name].withCString { utimes($0, nil) } }
    }
    body()
    gate.fulfill(())
  }

  @Test func foldersReplacedDuringAnOverflowAreWatched() async throws {
    for name in ["1.wav", "2.wav", "a/3.wav", "b/4.wav", "c/5.wav"] { fixture.writeSong(name) }
    try fixture.start()
    try await fixture.walk()
    overflow {
      remove("a/3.wav")
      remove("a")
      fixture.writeSong("a/6.wav")
      rename("b", "d")
      rename("c", "b")
      rename("d", "c")
    }
    try await fixture.expect(["1.wav", "2.wav", "a/6.wav", "c/4.wav", "b/5.wav"])
    fixture.writeSong("a/7.wav")
    try await fixture.expect(["1.wav", "2.wav", "a/6.wav", "a/7.wav", "c/4.wav", "b/5.wav"])
    fixture.writeSong("b/8.wav")
    try await fixture.expect(["1.wav", "2.wav", "a/6.wav", "a/7.wav", "c/4.wav", "b/5.wav", "b/8.wav"])
  }

  /// The event of the first of two moves is lost. To the watcher, the second one moves a folder into itself.
  @Test func aFolderThatSeemsToMoveIntoItselfIsWatched() async throws {
    for name in ["1.wav", "2.wav", "a/b/3.wav", "a/4.wav", "c/6.wav"] { fixture.writeSong(name) }
    var limits = ScanLimits.quick
    limits.debounceInterval = .seconds(1)
    try fixture.start(limits: limits)
    try await fixture.walk()
    overflow(during: [music["c"]]) { rename("a/b", "b") }
    // The event of the next move would be lost too while the queue is full.
    try await eventually("the full queue was read") { !Self.hasUnreadEvents() }
    rename("a", "b/a")
    try await fixture.expect(["1.wav", "2.wav", "b/3.wav", "b/a/4.wav", "c/6.wav"])
    fixture.writeSong("b/a/5.wav")
    try await fixture.expect(["1.wav", "2.wav", "b/3.wav", "b/a/4.wav", "b/a/5.wav", "c/6.wav"])
  }

  @Test func foldersWithoutWatchesAreScannedAtIntervals() async throws {
    for index in 0..<6 { fixture.writeSong("\(index)/x.wav") }
    var limits = ScanLimits.quick
    limits.maximumWatches = 3
    limits.walkInterval = .milliseconds(200)
    try fixture.start(limits: limits)
    try await fixture.walk()
    for index in 0..<6 { fixture.writeSong("\(index)/y.wav") }
    try await fixture.expect(Set((0..<6).flatMap { ["\($0)/x.wav", "\($0)/y.wav"] }))
  }

  @Test func theScanThreadSleepsWhileNothingChanges() async throws {
    for index in 0..<20 { fixture.writeSong("\(index)/x.wav") }
    try fixture.start()
    try await fixture.walk()
    try await ScanFixture.waitForRest(lasting: .milliseconds(500), wokenSince: nil)
  }

  /// Returns whether one of the inotify(7) descriptors of this process has unread events.
  private static func hasUnreadEvents() -> Bool {
    Scratch.names(FilePath("/proc/self/fd")).contains { name in
      guard Scratch.target(of: FilePath("/proc/self/fd/\(name)")) == FilePath("anon_inode:inotify") else {
        return false
      }
      var events = pollfd(fd: Int32(name) ?? -1, events: Int16(POLLIN), revents: 0)
      return poll(&events, 1, 0) > 0
    }
  }
}
