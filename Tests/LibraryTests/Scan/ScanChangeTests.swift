import Glibc
import SegueLibrary
import SegueSystem
import SegueTestKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(3))) struct ScanChangeTests {
  private let stage = ScanFixture()
  private var music: Scratch { stage.music }

  private func rename(_ old: String, _ new: String) {
    let result = music[old].withCString { old in music[new].withCString { Glibc.rename(old, $0) } }
    #expect(result == 0)
  }

  private func remove(_ name: String) { _ = music[name].withCString { Glibc.remove($0) } }

  @Test func hearsOfFiles() async throws {
    stage.song("a/1.wav")
    try stage.start()
    try await stage.walk()
    stage.song("a/2.wav")
    stage.song("new/folder/3.wav")
    music.link("4.wav", to: "/dev/null")
    try await stage.expect(["a/1.wav", "a/2.wav", "new/folder/3.wav"])
    stage.song("new/folder/5.wav")
    remove("a/1.wav")
    try await stage.expect(["a/2.wav", "new/folder/3.wav", "new/folder/5.wav"])
    // A name that hides a file, and one that shows it again.
    rename("a/2.wav", "a/.2.wav")
    try await stage.expect(["new/folder/3.wav", "new/folder/5.wav"])
    rename("a/.2.wav", "a/2.wav")
    try await stage.expect(["a/2.wav", "new/folder/3.wav", "new/folder/5.wav"])
    music.write("new/.nomedia")
    try await stage.expect(["a/2.wav"])
    remove("new/.nomedia")
    try await stage.expect(["a/2.wav", "new/folder/3.wav", "new/folder/5.wav"])
    // What is there again is watched again.
    stage.song("new/folder/6.wav")
    try await stage.expect(["a/2.wav", "new/folder/3.wav", "new/folder/5.wav", "new/folder/6.wav"])
  }

  @Test func whatIsMovedStaysWhatItIs() async throws {
    let names = ["a/1.wav", "a/sub/2.wav", "b/3.wav"]
    for name in names { stage.song(name) }
    try stage.start()
    try await stage.walk()
    let before = [try await stage.track(names[0])?.id, try await stage.track(names[1])?.id]
    #expect(!before.contains(nil))
    let uri = FileURI.encode(music["a/1.wav"])
    try await stage.store.write { writer throws(StoreError) in try writer.setFavorite([uri], true) }

    rename("a/1.wav", "b/one.wav")
    try await stage.expect(["b/one.wav", "a/sub/2.wav", "b/3.wav"])
    #expect(try await stage.track("b/one.wav")?.id == before[0])
    #expect(try await stage.track("b/one.wav")?.isFavorite == true)

    let ear = try FileOpenMonitor()
    for folder in ["a/sub", "b"] { ear.watch(music[folder]) }
    music.makeFolder(music["c"])
    rename("a", "c/moved")
    try await stage.expect(["b/one.wav", "c/moved/sub/2.wav", "b/3.wav"])
    #expect(try await stage.track("c/moved/sub/2.wav")?.id == before[1])
    // The watches went along.
    stage.song("c/moved/sub/4.wav")
    try await stage.expect(["b/one.wav", "c/moved/sub/2.wav", "c/moved/sub/4.wav", "b/3.wav"])

    // Without a word from the kernel: between two runs.
    stage.stop()
    rename("b", "d")
    rename("c/moved/sub/2.wav", "two.wav")
    stage.forgetReports()
    try stage.start()
    #expect(try await stage.walk().done == 3)
    try await stage.expect(["d/one.wav", "c/moved/sub/4.wav", "d/3.wav", "two.wav"])
    #expect(try await stage.track("d/one.wav")?.id == before[0])
    #expect(try await stage.track("d/one.wav")?.isFavorite == true)
    #expect(try await stage.track("two.wav")?.id == before[1])
    #expect(Set(ear.opened()) == ["4.wav"], "nobody opens what was only moved")
  }

  @Test func aFolderThatLeavesTakesItsWatchesAlong() async throws {
    let outside = Scratch()
    for name in ["a/1.wav", "a/sub/2.wav", "b.wav"] { stage.song(name) }
    try stage.start()
    try await stage.walk()
    let out = outside["a"].description
    _ = music["a"].withCString { Glibc.rename($0, out) }
    try await stage.expect(["b.wav"])
    outside.write(outside["a/sub/3.wav"], ScanFixture.wave())
    stage.song("c.wav")
    try await stage.expect(["b.wav", "c.wav"])
    _ = outside["a"].withCString { old in music["back"].withCString { Glibc.rename(old, $0) } }
    try await stage.expect(["b.wav", "c.wav", "back/1.wav", "back/sub/2.wav", "back/sub/3.wav"])
  }

  @Test func moreEventsThanTheKernelKeeps() async throws {
    for name in ["a/1.wav", "a/2.wav", "b/3.wav"] { stage.song(name) }
    try stage.start()
    try await stage.walk()
    // The scan waits for the index, and the index for us: nobody reads what the kernel tells.
    let gate = BlockingPromise<Void>()
    stage.store.write({ _ in gate.wait() }, { _ in })
    stage.with { $0.scan() }
    for _ in 0..<12_000 {
      for name in ["a/1.wav", "a/2.wav"] { _ = music[name].withCString { utimes($0, nil) } }
    }
    stage.song("b/late.wav")
    remove("b/3.wav")
    gate.fulfill(())
    try await stage.expect(["a/1.wav", "a/2.wav", "b/late.wav"])
  }

  /// The kernel keeps 16,384 of them (`fs.inotify.max_queued_events`); two of a touched file.
  private func overrun(during paths: [FilePath]? = nil, _ body: () -> Void) {
    let gate = BlockingPromise<Void>()
    stage.store.write({ _ in gate.wait() }, { _ in })
    stage.with { $0.scan(paths) }
    for _ in 0..<12_000 {
      for name in ["1.wav", "2.wav"] { _ = music[name].withCString { utimes($0, nil) } }
    }
    body()
    gate.fulfill(())
  }

  @Test func whatTookThePlaceOfAFolderUnheardIsWatched() async throws {
    for name in ["1.wav", "2.wav", "a/3.wav", "b/4.wav", "c/5.wav"] { stage.song(name) }
    try stage.start()
    try await stage.walk()
    overrun {
      remove("a/3.wav")
      remove("a")
      stage.song("a/6.wav")
      rename("b", "d")
      rename("c", "b")
      rename("d", "c")
    }
    try await stage.expect(["1.wav", "2.wav", "a/6.wav", "c/4.wav", "b/5.wav"])
    stage.song("a/7.wav")
    try await stage.expect(["1.wav", "2.wav", "a/6.wav", "a/7.wav", "c/4.wav", "b/5.wav"])
    stage.song("b/8.wav")
    try await stage.expect(["1.wav", "2.wav", "a/6.wav", "a/7.wav", "c/4.wav", "b/5.wav", "b/8.wav"])
  }

  /// Of two moves the first is not heard: by what is known, a folder is moved into itself.
  @Test func aFolderThatSeemsToMoveIntoItself() async throws {
    for name in ["1.wav", "2.wav", "a/b/3.wav", "a/4.wav", "c/6.wav"] { stage.song(name) }
    var limits = ScanLimits.quick
    limits.quiet = .seconds(1)
    try stage.start(limits: limits)
    try await stage.walk()
    overrun(during: [music["c"]]) { rename("a/b", "b") }
    // Until what is full is read, this is not heard either.
    try await eventually("what is full was read") { !Self.hasUnreadEvents() }
    rename("a", "b/a")
    try await stage.expect(["1.wav", "2.wav", "b/3.wav", "b/a/4.wav", "c/6.wav"])
    stage.song("b/a/5.wav")
    try await stage.expect(["1.wav", "2.wav", "b/3.wav", "b/a/4.wav", "b/a/5.wav", "c/6.wav"])
  }

  @Test func fewerWatchesThanFolders() async throws {
    for index in 0..<6 { stage.song("\(index)/x.wav") }
    var limits = ScanLimits.quick
    limits.mostWatches = 3
    limits.interval = .milliseconds(200)
    try stage.start(limits: limits)
    try await stage.walk()
    for index in 0..<6 { stage.song("\(index)/y.wav") }
    try await stage.expect(Set((0..<6).flatMap { ["\($0)/x.wav", "\($0)/y.wav"] }))
  }

  @Test func asleepWhileNothingChanges() async throws {
    for index in 0..<20 { stage.song("\(index)/x.wav") }
    try stage.start()
    try await stage.walk()
    try await eventually("the thread sleeps for half a second") {
      let before = ScanFixture.sleeps()
      try await Task.sleep(nanoseconds: 500_000_000)
      return before != nil && ScanFixture.sleeps() == before
    }
  }

  /// Whether there is something to read in one of the inotify(7) descriptors of this process.
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
