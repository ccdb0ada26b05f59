import Glibc
import SegueLibrary
import SegueScan
import SegueSystem
import SegueTestKit
import Testing

@Suite(.timeLimit(.minutes(3))) struct ScanMountTests {
  private let fixture = ScanFixture()
  private var music: Scratch { fixture.music }

  @Test func aMissingMusicFolderIsOfflineUntilItIsBack() async throws {
    for name in ["root/a/1.wav", "root/2.wav"] { fixture.writeSong(name) }
    let root = music["root"]
    try fixture.start([root])
    try await fixture.walk()
    let id = try await fixture.track("root/a/1.wav")?.id
    #expect(id != nil)
    let away = music["away"].description
    _ = root.withCString { Glibc.rename($0, away) }
    try await eventually("the music folder is offline") { try await fixture.track("root/a/1.wav")?.isOffline == true }
    // The status is reported later, at the end of the walk.
    try await eventually("the status says so") { fixture.status.folders == [ScanFolder(path: root, state: .offline)] }
    try await fixture.expect(["root/a/1.wav", "root/2.wav"])
    // An empty folder at the same path changes nothing.
    music.makeFolder(root)
    #expect(try await fixture.walk { $0.scan() }.folders == [ScanFolder(path: root, state: .offline)])
    try await fixture.expect(["root/a/1.wav", "root/2.wav"])
    _ = root.withCString { rmdir($0) }
    let monitor = try FileOpenMonitor()
    monitor.watch(music["away"])
    monitor.watch(music["away/a"])
    _ = root.withCString { root in away.withCString { Glibc.rename($0, root) } }
    try await eventually("the music folder is online") { try await fixture.track("root/a/1.wav")?.isOffline == false }
    #expect(try await fixture.track("root/a/1.wav")?.id == id)
    #expect(monitor.takeOpenedFiles() == [])
    try await eventually("the status says so") { fixture.status.folders.first?.state == .online }
    fixture.writeSong("root/a/3.wav")
    try await fixture.expect(["root/a/1.wav", "root/2.wav", "root/a/3.wav"])
  }

  /// The folder above it may be the home folder, in which other programs create files all the time.
  @Test func filesBesideAMissingMusicFolderCauseNoWalk() async throws {
    let root = music["above/root"]
    try fixture.start([root])
    try await fixture.walk()
    fixture.removeReports()
    try await fixture.waitUntilBlocked { music.write("beside", "") }
    #expect(fixture.reports.count == 0)
    music.makeFolder(music["above"])
    try await fixture.waitUntilBlocked { music.write("above/beside", "") }
    fixture.writeSong("above/root/1.wav")
    try await fixture.expect(["above/root/1.wav"])
  }

  /// Another disk is mounted, which has nothing but the folder that mkfs(8) creates.
  @Test func aMusicFolderWithOnlyLostAndFoundIsOffline() async throws {
    fixture.writeSong("root/1.wav")
    let root = music["root"]
    try fixture.start([root])
    try await fixture.walk()
    let away = music["away"].description
    _ = root.withCString { Glibc.rename($0, away) }
    music.makeFolder(music["root/lost+found"])
    #expect(try await fixture.walk { $0.scan() }.folders == [ScanFolder(path: root, state: .offline)])
    try await fixture.expect(["root/1.wav"])
    // An album may have that name.
    fixture.writeSong("root/lost+found/2.wav")
    #expect(try await fixture.walk { $0.scan() }.folders == [ScanFolder(path: root, state: .online)])
    try await fixture.expect(["root/lost+found/2.wav"])
  }

  @Test(
    .enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk"), arguments: ["mounted", "above/mounted"])
  func anUnmountedFileSystemInAMusicFolderIsOffline(place: String) async throws {
    fixture.writeSong("plain/1.wav")
    let mounted = music[place]
    music.makeFolder(mounted)
    try #require(Self.mount(mounted))
    var isMounted = true
    defer { if isMounted { Self.unmount(mounted) } }
    fixture.writeSong("\(place)/2.wav")
    try fixture.start()
    try await fixture.walk()
    try await fixture.expect(["plain/1.wav", "\(place)/2.wav"])
    // A second mount keeps the file system, as a disk would.
    let kept = Scratch()
    #expect(Glibc.mount(mounted.description, kept.path.description, nil, UInt(MS_BIND), nil) == 0)
    defer { Self.unmount(kept.path) }
    Self.unmount(mounted)
    isMounted = false
    try await eventually("the unmounted file system is offline") {
      try await fixture.track("\(place)/2.wav")?.isOffline == true
    }
    #expect(try await fixture.track("plain/1.wav")?.isOffline == false)
    #expect(try await fixture.walk { $0.scan() }.total == 0)
    try await fixture.expect(["plain/1.wav", "\(place)/2.wav"])
    #expect(Glibc.mount(kept.path.description, mounted.description, nil, UInt(MS_BIND), nil) == 0)
    isMounted = true
    try await eventually("the file system is online") { try await fixture.track("\(place)/2.wav")?.isOffline == false }
    fixture.writeSong("\(place)/3.wav")
    try await fixture.expect(["plain/1.wav", "\(place)/2.wav", "\(place)/3.wav"])
  }

  /// When the file system is unmounted, the folder is watched again.
  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk"))
  func aMountOverAWatchedFolderIsWatchedInstead()
    async throws
  {
    let mounted = music["over"]
    fixture.writeSong("over/1.wav")
    try fixture.start()
    try await fixture.walk()
    try #require(Self.mount(mounted))
    var isMounted = true
    defer { if isMounted { Self.unmount(mounted) } }
    fixture.writeSong("over/2.wav")
    try await fixture.expect(["over/2.wav"])
    fixture.writeSong("over/3.wav")
    try await fixture.expect(["over/2.wav", "over/3.wav"])
    Self.unmount(mounted)
    isMounted = false
    try await fixture.expect(["over/1.wav"])
    fixture.writeSong("over/4.wav")
    try await fixture.expect(["over/1.wav", "over/4.wav"])
  }

  /// The folder is emptied after the walk has read the digests from the index, and before it lists the folder.
  @Test func aMusicFolderThatIsEmptiedDuringAWalkIsOffline() async throws {
    for name in ["root/a/1.wav", "root/2.wav"] { fixture.writeSong(name) }
    let root = music["root"]
    var limits = ScanLimits.quick
    limits.debounceInterval = .seconds(20)
    limits.maximumDelay = limits.debounceInterval
    try fixture.start([root], limits: limits)
    try await fixture.walk()
    fixture.writeSong("root/3.wav")
    // The walk reads the digests before it lists the folder, and the files in the index after that.
    let (first, second) = (BlockingPromise<Void>(), BlockingPromise<Void>())
    fixture.store.write({ _ in first.wait() }, { _ in })
    fixture.removeReports()
    try await fixture.waitUntilBlocked { fixture.withScanner { $0.scan() } }
    fixture.store.write({ _ in second.wait() }, { _ in })
    try await fixture.waitUntilBlocked { first.fulfill(()) }
    _ = music["root/a"].withCString { old in music["away"].withCString { Glibc.rename(old, $0) } }
    for name in ["root/2.wav", "root/3.wav"] { _ = music[name].withCString { unlink($0) } }
    second.fulfill(())
    try await fixture.walk()
    #expect(try await fixture.walk { $0.scan() }.folders == [ScanFolder(path: root, state: .offline)])
    try await fixture.expect(["root/a/1.wav", "root/2.wav"])
    #expect(try await fixture.track("root/2.wav")?.isOffline == true)
  }

  /// The folder can be listed, but its files cannot be examined, as on a failing disk or network.
  @Test func filesThatCannotBeExaminedAreKeptOffline() async throws {
    for name in ["locked/1.wav", "open/2.wav"] { fixture.writeSong(name) }
    for path in [music.path, music["open"], music["locked"]] { _ = path.withCString { chmod($0, 0o755) } }
    try fixture.start()
    try await fixture.walk()
    fixture.stop()
    fixture.removeReports()
    // A user who may read a folder and not enter it sees names only.
    _ = music["locked"].withCString { chmod($0, 0o444) }
    defer { _ = music["locked"].withCString { chmod($0, 0o755) } }
    // This does not apply to root. A thread inherits the file system user of the thread that starts it
    // (credentials(7)).
    Self.setFileUser(65_534)
    defer { Self.setFileUser(geteuid()) }
    try fixture.start()
    Self.setFileUser(geteuid())
    try await fixture.walk()
    try await fixture.expect(["locked/1.wav", "open/2.wav"])
    #expect(try await fixture.track("locked/1.wav")?.isOffline == true)
    #expect(try await fixture.track("open/2.wav")?.isOffline == false)
  }

  /// Sets the file system user of this thread with setfsuid(2).
  private static func setFileUser(_ user: uid_t) {
    typealias Function = @convention(c) (uid_t) -> Int32
    guard let symbol = dlsym(nil, "setfsuid") else { return }
    _ = unsafeBitCast(symbol, to: Function.self)(user)
  }

  @Test func tracksOfAnEmptiedFolderAreRemoved() async throws {
    for name in ["a/1.wav", "b/2.wav"] { fixture.writeSong(name) }
    try fixture.start()
    try await fixture.walk()
    _ = music["a/1.wav"].withCString { unlink($0) }
    try await fixture.expect(["b/2.wav"])
  }

  @Test func newMusicFoldersReplaceTheFormerOnes() async throws {
    let other = Scratch()
    fixture.writeSong("1.wav")
    other.write(other["in/2.wav"], ScanFixture.wave())
    try fixture.start([music.path, other.path, other["in"]])
    try await fixture.walk()
    #expect(try await fixture.indexedFiles(in: other.path).keys.sorted() == ["in/2.wav"])
    #expect(fixture.status.folders.map(\.path) == [music.path, other.path], "a folder in another one is not listed")
    try await fixture.walk { $0.reconfigure(folders: [other["in"]]) }
    try await fixture.expect([])
    #expect(try await fixture.indexedFiles(in: other.path).keys.sorted() == ["in/2.wav"])
    fixture.writeSong("3.wav")
    other.write(other["in/4.wav"], ScanFixture.wave())
    try await eventually("the new file in the other folder is noticed") {
      try await fixture.indexedFiles(in: other.path).count == 2
    }
    try await fixture.expect([])
  }

  private static func mount(_ path: FilePath) -> Bool {
    Glibc.mount("segue-test", path.description, "tmpfs", 0, nil) == 0
  }

  private static func unmount(_ path: FilePath) { _ = path.withCString { umount2($0, Int32(MNT_DETACH)) } }
}
