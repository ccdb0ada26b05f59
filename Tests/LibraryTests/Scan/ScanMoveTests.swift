import Glibc
import SegueFiles
import SegueLibrary
import SegueSQLite
import SegueScan
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of files that appear under another path with the same audio: what the user added to them follows.
@Suite(.timeLimit(.minutes(3))) struct ScanMoveTests: ScanMoveSuite {
  let fixture = ScanFixture()

  // MARK: Music folders

  @Test(arguments: [false, true]) func userDataFollowsARenamedMusicFolder(isDaemonRunning: Bool) async throws {
    for number in 1...3 { write("old/album/\(number).wav", audio: number) }
    try fixture.start([music["old"]])
    try await fixture.walk()
    try await mark(uri("old/album/2.wav"))
    let before = try #require(try await fixture.track("old/album/2.wav"))
    if isDaemonRunning {
      rename("old", "new")
      try await fixture.walk { [music] in $0.reconfigure(folders: [music["new"]]) }
    } else {
      fixture.stop()
      rename("old", "new")
      try await restart([music["new"]])
    }
    try await fixture.expect(["new/album/1.wav", "new/album/2.wav", "new/album/3.wav"])
    try await expectMarks("new/album/2.wav")
    try await expectNoMarks("new/album/1.wav")
    let after = try await fixture.track("new/album/2.wav")
    #expect(after?.id == before.id && after?.added == before.added)
  }

  @Test func userDataFollowsACopyOfTheMusicFolderOnAnotherDisk() async throws {
    for number in 1...3 { write("old/album/\(number).wav", audio: number) }
    try fixture.start([music["old"]])
    try await fixture.walk()
    try await mark(uri("old/album/2.wav"))
    fixture.stop()
    for number in 1...3 {
      copy("old/album/\(number).wav", "new/album/\(number).wav")
      remove("old/album/\(number).wav")
    }
    try await restart([music["new"]])
    try await expectMarks("new/album/2.wav")
  }

  @Test func aFormerMusicFolderThatStillExistsKeepsItsUserData() async throws {
    write("old/1.wav", audio: 1)
    try fixture.start([music["old"]])
    try await fixture.walk()
    try await mark(uri("old/1.wav"))
    copy("old/1.wav", "new/1.wav")
    try await fixture.walk { [music] in $0.reconfigure(folders: [music["new"]]) }
    try await fixture.expect(["new/1.wav"])
    try await expectNoMarks("new/1.wav")
    // Another change of mind loses nothing.
    try await fixture.walk { [music] in $0.reconfigure(folders: [music["old"]]) }
    try await fixture.expect(["old/1.wav"])
    try await expectMarks("old/1.wav")
    // The copy gets the data once the former folder is gone, even if nothing says so.
    try await fixture.walk { [music] in $0.reconfigure(folders: [music["new"]]) }
    try await fixture.expect(["new/1.wav"])
    try await expectNoMarks("new/1.wav")
    remove("old/1.wav")
    try await walkAll()
    try await expectMarks("new/1.wav")
  }

  // MARK: Files

  /// On another file system, a file has another inode, and mostly another time.
  @Test(
    .enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk"), arguments: [false, true], [false, true])
  func userDataFollowsAFileToAnotherFileSystem(isRunning: Bool, removesFirst: Bool) async throws {
    music.makeFolder(music["disk"])
    let disk = try TmpfsVolume(over: music["disk"])
    defer { withExtendedLifetime(disk) {} }
    write("a/song.wav", audio: 1)
    for number in 2...4 {
      write("a/\(number).wav", audio: number)
      write("disk/\(number).wav", audio: 10 + number)
    }
    try fixture.start()
    try await fixture.walk()
    try await mark(uri("a/song.wav"))
    let added = try await fixture.track("a/song.wav")?.added
    let content = music.read(music["a/song.wav"])
    let rest: Set<String> = [
      "a/2.wav", "a/3.wav", "a/4.wav", "disk/2.wav", "disk/3.wav", "disk/4.wav",
    ]
    if !isRunning { fixture.stop() }
    if removesFirst {
      remove("a/song.wav")
      if isRunning { try await fixture.expect(rest) } else { try await restart() }
      music.write(music["disk/new/other.wav"], content)
    } else {
      music.write(music["disk/new/other.wav"], content)
      if isRunning {
        try await fixture.expect(rest.union(["a/song.wav", "disk/new/other.wav"]))
        try await expectNoMarks("disk/new/other.wav")
        try await expectMarks("a/song.wav")
      }
      remove("a/song.wav")
    }
    if !isRunning {
      fixture.stop()
      try await restart()
    }
    try await fixture.expect(rest.union(["disk/new/other.wav"]))
    try await eventually("the user data has moved") { try await !marks(uri("disk/new/other.wav")).contains(false) }
    try await expectNoMarks("a/song.wav")
    if isRunning, removesFirst { #expect(try await fixture.track("disk/new/other.wav")?.added == added) }
  }

  /// A tagger renames files by their tags, and writes the tags.
  @Test(arguments: [false, true]) func userDataFollowsAFileThatIsRenamedAndTaggedAnew(isRunning: Bool) async throws {
    for number in 1...3 { write("in/\(number).wav", audio: number, title: "Track \(number)") }
    try fixture.start()
    try await fixture.walk()
    try await mark(uri("in/2.wav"))
    let before = try await fixture.track("in/2.wav")
    if !isRunning { fixture.stop() }
    for number in 1...3 {
      rename("in/\(number).wav", "Artist/Album/0\(number) Title.wav")
      write("Artist/Album/0\(number) Title.wav", audio: number, title: "A much longer title of track \(number)")
    }
    if !isRunning { try await restart() }
    try await fixture.expect(Set((1...3).map { "Artist/Album/0\($0) Title.wav" }))
    try await expectMarks("Artist/Album/02 Title.wav")
    try await expectNoMarks("Artist/Album/01 Title.wav")
    // The scan may have noticed the renaming before the tags were written.
    try await eventually("the index has the new tags") {
      try await fixture.track("Artist/Album/02 Title.wav")?.metadata.title == "A much longer title of track 2"
    }
    let after = try await fixture.track("Artist/Album/02 Title.wav")
    #expect(after?.id == before?.id && after?.added == before?.added)
  }

  // MARK: Followers

  @Test func movesAreReportedInOrder() async throws {
    write("a/1.wav", audio: 1)
    write("a/2.wav", audio: 2)
    try fixture.start()
    try await fixture.walk()
    fixture.stop()
    rename("a/1.wav", "b/1.wav")
    copy("a/2.wav", "b/2.wav")
    remove("a/2.wav")
    try await restart()
    fixture.stop()
    rename("b", "c")
    try await restart()
    let (moves, last) = try await fixture.store.read { reader throws(StoreError) in try reader.moves(limit: 100) }
    for number in 1...2 { #expect(moves.path(of: music["a/\(number).wav"]) == music["c/\(number).wav"]) }
    #expect(moves.path(of: music["c/1.wav"]) == nil)
    try await fixture.store.write { writer throws(StoreError) in try writer.removeMoves(upTo: last) }
    let rest = try await fixture.store.read { reader throws(StoreError) in try reader.moves(limit: 100) }
    #expect(rest.moves.isEmpty)
  }
}
