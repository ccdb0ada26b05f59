import Glibc
import SegueLibrary
import SegueSystem
import SegueTestKit
import Testing

@Suite(.timeLimit(.minutes(3))) struct ScanMountTests {
  private let stage = ScanFixture()
  private var music: Scratch { stage.music }

  @Test func aMusicFolderThatGoesAndComes() async throws {
    for name in ["root/a/1.wav", "root/2.wav"] { stage.song(name) }
    let root = music["root"]
    try stage.start([root])
    try await stage.walk()
    let id = try await stage.track("root/a/1.wav")?.id
    #expect(id != nil)
    let away = music["away"].description
    _ = root.withCString { Glibc.rename($0, away) }
    try await eventually("it is offline") { try await stage.track("root/a/1.wav")?.isOffline == true }
    // At the walk's end, which is after that.
    try await eventually("that is told") { stage.status.folders == [ScanFolder(path: root, state: .offline)] }
    try await stage.expect(["root/a/1.wav", "root/2.wav"])
    // An empty folder in its place is no reason to forget.
    music.makeFolder(root)
    #expect(try await stage.walk { $0.scan() }.folders == [ScanFolder(path: root, state: .offline)])
    try await stage.expect(["root/a/1.wav", "root/2.wav"])
    _ = root.withCString { rmdir($0) }
    let ear = try FileOpenMonitor()
    ear.watch(music["away"])
    ear.watch(music["away/a"])
    _ = root.withCString { root in away.withCString { Glibc.rename($0, root) } }
    try await eventually("it is back") { try await stage.track("root/a/1.wav")?.isOffline == false }
    #expect(try await stage.track("root/a/1.wav")?.id == id)
    #expect(ear.opened() == [])
    try await eventually("it is told") { stage.status.folders.first?.state == .online }
    stage.song("root/a/3.wav")
    try await stage.expect(["root/a/1.wav", "root/2.wav", "root/a/3.wav"])
  }

  /// The disk is another one, and empty but for the folder that mkfs(8) makes.
  @Test func aMusicFolderWithNothingButLostAndFound() async throws {
    stage.song("root/1.wav")
    let root = music["root"]
    try stage.start([root])
    try await stage.walk()
    let away = music["away"].description
    _ = root.withCString { Glibc.rename($0, away) }
    music.makeFolder(music["root/lost+found"])
    #expect(try await stage.walk { $0.scan() }.folders == [ScanFolder(path: root, state: .offline)])
    try await stage.expect(["root/1.wav"])
    // An album may be called so.
    stage.song("root/lost+found/2.wav")
    #expect(try await stage.walk { $0.scan() }.folders == [ScanFolder(path: root, state: .online)])
    try await stage.expect(["root/lost+found/2.wav"])
  }

  @Test(
    .enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk"), arguments: ["mounted", "above/mounted"])
  func aMountInAMusicFolder(place: String) async throws {
    stage.song("plain/1.wav")
    let mounted = music[place]
    music.makeFolder(mounted)
    try #require(Self.mount(mounted))
    var isMounted = true
    defer { if isMounted { Self.unmount(mounted) } }
    stage.song("\(place)/2.wav")
    try stage.start()
    try await stage.walk()
    try await stage.expect(["plain/1.wav", "\(place)/2.wav"])
    // A second mount keeps the file system alive, as a disk would be.
    let kept = Scratch()
    #expect(Glibc.mount(mounted.description, kept.path.description, nil, UInt(MS_BIND), nil) == 0)
    defer { Self.unmount(kept.path) }
    Self.unmount(mounted)
    isMounted = false
    try await eventually("what was there is offline") { try await stage.track("\(place)/2.wav")?.isOffline == true }
    #expect(try await stage.track("plain/1.wav")?.isOffline == false)
    #expect(try await stage.walk { $0.scan() }.total == 0)
    try await stage.expect(["plain/1.wav", "\(place)/2.wav"])
    #expect(Glibc.mount(kept.path.description, mounted.description, nil, UInt(MS_BIND), nil) == 0)
    isMounted = true
    try await eventually("it is back") { try await stage.track("\(place)/2.wav")?.isOffline == false }
    stage.song("\(place)/3.wav")
    try await stage.expect(["plain/1.wav", "\(place)/2.wav", "\(place)/3.wav"])
  }

  /// What is mounted over a folder is watched in its stead, and the folder again when it is unmounted.
  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk")) func aMountOverAFolderThatIsWatched()
    async throws
  {
    let mounted = music["over"]
    stage.song("over/1.wav")
    try stage.start()
    try await stage.walk()
    try #require(Self.mount(mounted))
    var isMounted = true
    defer { if isMounted { Self.unmount(mounted) } }
    stage.song("over/2.wav")
    try await stage.expect(["over/2.wav"])
    stage.song("over/3.wav")
    try await stage.expect(["over/2.wav", "over/3.wav"])
    Self.unmount(mounted)
    isMounted = false
    try await stage.expect(["over/1.wav"])
    stage.song("over/4.wav")
    try await stage.expect(["over/1.wav", "over/4.wav"])
  }

  /// Between the walk's look at what changed and its look into it.
  @Test func aMusicFolderThatIsEmptiedDuringAWalk() async throws {
    for name in ["root/a/1.wav", "root/2.wav"] { stage.song(name) }
    let root = music["root"]
    var limits = ScanLimits.quick
    limits.quiet = .seconds(20)
    limits.longestDelay = limits.quiet
    try stage.start([root], limits: limits)
    try await stage.walk()
    stage.song("root/3.wav")
    // The walk asks what was seen before it looks, and what the index has of the folder after.
    let (first, second) = (BlockingPromise<Void>(), BlockingPromise<Void>())
    stage.store.write({ _ in first.wait() }, { _ in })
    stage.forgetReports()
    try await stage.rest { stage.with { $0.scan() } }
    stage.store.write({ _ in second.wait() }, { _ in })
    try await stage.rest { first.fulfill(()) }
    _ = music["root/a"].withCString { old in music["away"].withCString { Glibc.rename(old, $0) } }
    for name in ["root/2.wav", "root/3.wav"] { _ = music[name].withCString { unlink($0) } }
    second.fulfill(())
    try await stage.walk()
    #expect(try await stage.walk { $0.scan() }.folders == [ScanFolder(path: root, state: .offline)])
    try await stage.expect(["root/a/1.wav", "root/2.wav"])
    #expect(try await stage.track("root/2.wav")?.isOffline == true)
  }

  /// The folder tells the names, and the file system nothing of the files, as where a disk or a network is failing.
  @Test func filesOfWhichNothingCanBeToldAreKept() async throws {
    for name in ["locked/1.wav", "open/2.wav"] { stage.song(name) }
    for path in [music.path, music["open"], music["locked"]] { _ = path.withCString { chmod($0, 0o755) } }
    try stage.start()
    try await stage.walk()
    stage.stop()
    stage.forgetReports()
    // Who may read it and not enter it sees names and nothing more.
    _ = music["locked"].withCString { chmod($0, 0o444) }
    defer { _ = music["locked"].withCString { chmod($0, 0o755) } }
    // That does not hold for root. Threads have the rights in the file system of the thread that started them
    // (credentials(7)).
    Self.setFileUser(65_534)
    defer { Self.setFileUser(geteuid()) }
    try stage.start()
    Self.setFileUser(geteuid())
    try await stage.walk()
    try await stage.expect(["locked/1.wav", "open/2.wav"])
    #expect(try await stage.track("locked/1.wav")?.isOffline == true)
    #expect(try await stage.track("open/2.wav")?.isOffline == false)
  }

  /// setfsuid(2), of this thread.
  private static func setFileUser(_ user: uid_t) {
    typealias Function = @convention(c) (uid_t) -> Int32
    guard let symbol = dlsym(nil, "setfsuid") else { return }
    _ = unsafeBitCast(symbol, to: Function.self)(user)
  }

  @Test func anEmptiedFolderIsEmpty() async throws {
    for name in ["a/1.wav", "b/2.wav"] { stage.song(name) }
    try stage.start()
    try await stage.walk()
    _ = music["a/1.wav"].withCString { unlink($0) }
    try await stage.expect(["b/2.wav"])
  }

  @Test func otherMusicFolders() async throws {
    let other = Scratch()
    stage.song("1.wav")
    other.write(other["in/2.wav"], ScanFixture.wave())
    try stage.start([music.path, other.path, other["in"]])
    try await stage.walk()
    #expect(try await stage.known(in: other.path).keys.sorted() == ["in/2.wav"])
    #expect(stage.status.folders.map(\.path) == [music.path, other.path], "one in another is walked with it")
    try await stage.walk { $0.reconfigure(folders: [other["in"]]) }
    try await stage.expect([])
    #expect(try await stage.known(in: other.path).keys.sorted() == ["in/2.wav"])
    stage.song("3.wav")
    other.write(other["in/4.wav"], ScanFixture.wave())
    try await eventually("the other is heard") { try await stage.known(in: other.path).count == 2 }
    try await stage.expect([])
  }

  private static func mount(_ path: FilePath) -> Bool {
    Glibc.mount("segue-test", path.description, "tmpfs", 0, nil) == 0
  }

  private static func unmount(_ path: FilePath) { _ = path.withCString { umount2($0, Int32(MNT_DETACH)) } }
}
