import Glibc
import SegueFiles
import SegueIndex
import SegueSQLite
import SegueScan
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of files that appear under another path with the same audio: what the user added to them follows.
@Suite(.timeLimit(.minutes(3))) struct ScanMoveTests {
  private let fixture = ScanFixture()
  private var music: Scratch { fixture.music }

  // MARK: Files

  /// Writes a file whose audio depends on `number`, with a title if one is given.
  private func write(_ name: String, audio number: Int, title: String? = nil) {
    music.write(music[name], Self.song(number, title: title))
  }

  private static func song(_ number: Int, title: String?) -> [UInt8] {
    var wave = ScanFixture.wave()
    var state = UInt32(truncatingIfNeeded: number &* 7919 &+ 1)
    for index in 44..<wave.count {
      state = state &* 1_664_525 &+ 1_013_904_223
      wave[index] = UInt8(state >> 24)
    }
    guard let title else { return wave }
    var text = Array(title.utf8) + [0]
    if text.count % 2 == 1 { text.append(0) }
    func size(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 0xFF) } }
    wave += joined("LIST".utf8, size(12 + text.count), "INFOINAM".utf8, size(text.count), text)
    wave.replaceSubrange(4..<8, with: size(wave.count - 8))
    return wave
  }

  private func copy(_ old: String, _ new: String) { music.write(music[new], music.read(music[old])) }

  private func remove(_ name: String) { _ = music[name].withCString { Glibc.remove($0) } }

  private func rename(_ old: String, _ new: String) {
    music.makeFolder(music[new].parent)
    let result = music[old].withCString { old in music[new].withCString { Glibc.rename(old, $0) } }
    #expect(result == 0)
  }

  // MARK: User data

  private func uri(_ name: String) -> String { FileURI.encode(music[name]) }

  /// Gives a track everything that a user can add to it.
  private func mark(_ uri: String) async throws {
    try await fixture.store.write { writer throws(StoreError) in
      try writer.setFavorite([uri], true)
      try writer.setRating(uri, 8)
      try writer.addPlay(uri)
      try writer.setBookmark(uri, ResumePoint(position: .seconds(30)))
    }
  }

  private func marks(_ uri: String) async throws -> [Bool] {
    try await fixture.store.read { reader throws(StoreError) in
      let plays = try reader.plays().items
      let track = try reader.track(uri)
      return [
        try reader.isFavorite(uri), try reader.rating(uri) == 8, plays.contains { $0.uri == uri },
        try reader.bookmark(uri) != nil, track?.isFavorite == true, track?.rating == 8,
      ]
    }
  }

  private func expectMarks(_ name: String, _ location: SourceLocation = #_sourceLocation) async throws {
    #expect(try await !marks(uri(name)).contains(false), "\(name)", sourceLocation: location)
  }

  private func expectNoMarks(_ name: String, _ location: SourceLocation = #_sourceLocation) async throws {
    #expect(try await !marks(uri(name)).contains(true), "\(name)", sourceLocation: location)
  }

  private func walkAll() async throws { try await fixture.walk { $0.scan() } }

  private func restart(_ folders: [FilePath]? = nil) async throws {
    fixture.removeReports()
    try fixture.start(folders)
    try await fixture.walk()
  }

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
    let after = try await fixture.track("Artist/Album/02 Title.wav")
    #expect(after?.metadata.title == "A much longer title of track 2")
    #expect(after?.id == before?.id && after?.added == before?.added)
  }

  @Test(arguments: [false, true]) func userDataFollowsFilesThatExchangeTheirNames(isDaemonRunning: Bool) async throws {
    for number in 1...4 { write("\(number % 2)/\(number).wav", audio: number, title: "Song \(number)") }
    try fixture.start()
    try await fixture.walk()
    try await mark(uri("1/1.wav"))
    if !isDaemonRunning { fixture.stop() }
    // 1 → 2 → 3 → 1, of which one is in another folder.
    rename("1/1.wav", "x")
    rename("1/3.wav", "1/1.wav")
    rename("0/2.wav", "1/3.wav")
    rename("x", "0/2.wav")
    if isDaemonRunning { try await walkAll() } else { try await restart() }
    try await expectMarks("0/2.wav")
    for name in ["1/1.wav", "1/3.wav", "0/4.wav"] { try await expectNoMarks(name) }
    let titles = try await [fixture.track("1/1.wav"), fixture.track("0/2.wav"), fixture.track("1/3.wav")]
    #expect(titles.map { $0?.metadata.title } == ["Song 3", "Song 1", "Song 2"])
    try await expectMoves(["1/1.wav": "0/2.wav", "0/2.wav": "1/3.wav", "1/3.wav": "1/1.wav", "0/4.wav": nil])
  }

  // MARK: Replaced files

  private enum Renaming: CaseIterable {
    case renamed
    /// A tagger has written the files anew, so that neither inode nor time nor size are the same.
    case written
    /// The files were copied, and then overwritten, so that the new files have the inodes of the old ones.
    case copied
  }

  private func rate(_ name: String, _ rating: Int) async throws {
    let uri = uri(name)
    try await fixture.store.write { writer throws(StoreError) in try writer.setRating(uri, rating) }
  }

  private func rating(_ name: String) async throws -> [Int?] {
    let uri = uri(name)
    let stored = try await fixture.store.read { reader throws(StoreError) in try reader.rating(uri) }
    return [stored, try await fixture.track(name)?.rating]
  }

  private func expectRating(
    _ rating: Int?, _ name: String, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(try await self.rating(name) == [rating, rating], "\(name)", sourceLocation: location)
  }

  /// Checks where queue and playlists look for files now.
  private func expectMoves(
    _ expected: [String: String?], _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let moves = try await fixture.store.read { reader throws(StoreError) in try reader.moves(limit: 1000).moves }
    for (old, new) in expected {
      #expect(moves.path(of: music[old]) == new.map { music[$0] }, "\(old)", sourceLocation: location)
    }
  }

  private func name(_ number: Int) -> String { "album/0\(number).wav" }

  /// Writes and rates seven songs, and stops the daemon.
  private func startWithSevenSongs() async throws {
    for number in 1...7 { write(name(number), audio: number, title: "Song \(number)") }
    try fixture.start()
    try await fixture.walk()
    for number in 1...7 { try await rate(name(number), number) }
    fixture.stop()
  }

  private func renumber(_ song: Int, to number: Int, _ renaming: Renaming) {
    switch renaming {
    case .renamed: rename(name(song), name(number))
    case .written:
      remove(name(song))
      write(name(number), audio: song, title: "A longer title of song \(song)")
    case .copied: copy(name(song), name(number))
    }
  }

  @Test(arguments: Renaming.allCases)
  private func userDataFollowsFilesThatAreNumberedAnewForANewOne(_ renaming: Renaming) async throws {
    try await startWithSevenSongs()
    for number in (1...7).reversed() { renumber(number, to: number + 1, renaming) }
    write(name(1), audio: 100, title: "The new one")
    try await restart()
    for number in 1...7 { try await expectRating(number, name(number + 1)) }
    try await expectRating(nil, name(1))
    try await expectMoves(Dictionary(uniqueKeysWithValues: (1...7).map { (name($0), name($0 + 1)) }))
  }

  @Test(arguments: Renaming.allCases)
  private func userDataFollowsFilesThatAreNumberedAnewWithoutOne(_ renaming: Renaming) async throws {
    try await startWithSevenSongs()
    let first = music.read(music[name(1)])
    remove(name(1))
    for number in 2...7 { renumber(number, to: number - 1, renaming) }
    remove(name(7))
    try await restart()
    for number in 2...7 { try await expectRating(number, name(number - 1)) }
    try await expectMoves(Dictionary(uniqueKeysWithValues: (2...7).map { (name($0), name($0 - 1)) }))
    // The removed file comes back.
    music.write(music["restored/song.wav"], first)
    try await fixture.expect(Set((1...6).map(name)).union(["restored/song.wav"]))
    try await expectRating(1, "restored/song.wav")
  }

  @Test(arguments: Renaming.allCases)
  private func userDataFollowsAFileThatAnUnreadableOneReplaces(_ renaming: Renaming) async throws {
    try await startWithSevenSongs()
    renumber(1, to: 8, renaming)
    music.write(music[name(1)], Array(repeating: UInt8(7), count: 5000))
    try await restart()
    try await expectRating(1, name(8))
    #expect(try await rating(name(1)) == [nil, nil])
  }

  /// One file was deleted before, and is then copied over another one.
  @Test(arguments: [false, true])
  func filesThatTakeTheSamePathKeepTheirOwnUserData(isReplacedAtOnce: Bool) async throws {
    write("a/path.wav", audio: 1)
    write("b/other.wav", audio: 2)
    write("c/rest.wav", audio: 3)
    try fixture.start()
    try await fixture.walk()
    try await rate("a/path.wav", 2)
    try await rate("b/other.wav", 9)
    let (first, second) = (music.read(music["a/path.wav"]), music.read(music["b/other.wav"]))
    remove("b/other.wav")
    if !isReplacedAtOnce { remove("a/path.wav") }
    try await fixture.expect(isReplacedAtOnce ? ["a/path.wav", "c/rest.wav"] : ["c/rest.wav"])
    music.write(music["a/path.wav"], second)
    try await fixture.expect(["a/path.wav", "c/rest.wav"])
    try await walkAll()
    try await expectRating(9, "a/path.wav")
    try await expectMoves(["b/other.wav": "a/path.wav", "a/path.wav": nil])
    music.write(music["d/found.wav"], first)
    try await fixture.expect(["a/path.wav", "c/rest.wav", "d/found.wav"])
    try await expectRating(2, "d/found.wav")
    try await expectRating(9, "a/path.wav")
  }

  private enum NewVersion: CaseIterable {
    case writtenInPlace, writtenAnew
    /// The scan sees the new file under another name first.
    case writtenBeside
  }

  @Test(arguments: NewVersion.allCases)
  private func aNewVersionOfAFileKeepsTheUserData(_ version: NewVersion) async throws {
    write("a/1.wav", audio: 1)
    write("a/2.wav", audio: 2)
    try fixture.start()
    try await fixture.walk()
    try await mark(uri("a/1.wav"))
    let added = try #require(try await fixture.track("a/1.wav")).added
    switch version {
    case .writtenInPlace: write("a/1.wav", audio: 100, title: "New")
    case .writtenAnew:
      remove("a/1.wav")
      write("a/1.wav", audio: 100, title: "New")
    case .writtenBeside:
      write("a/new.wav", audio: 100, title: "New")
      try await fixture.expect(["a/1.wav", "a/2.wav", "a/new.wav"])
      rename("a/new.wav", "a/1.wav")
      try await fixture.expect(["a/1.wav", "a/2.wav"])
    }
    try await walkAll()
    try await expectMarks("a/1.wav")
    let after = try await fixture.track("a/1.wav")
    #expect(after?.metadata.title == "New" && after?.added == added)
    try await expectMoves(["a/1.wav": nil])
  }

  // MARK: Copies

  @Test func aCopyOfAFileTakesNothing() async throws {
    write("a/1.wav", audio: 1)
    try fixture.start()
    try await fixture.walk()
    try await mark(uri("a/1.wav"))
    copy("a/1.wav", "b/2.wav")
    try await fixture.expect(["a/1.wav", "b/2.wav"])
    try await walkAll()
    try await expectNoMarks("b/2.wav")
    try await expectMarks("a/1.wav")
  }

  /// The same audio on two albums: both are moved at once.
  @Test func filesWithTheSameAudioAreToldApartByTheirNames() async throws {
    let names = ["album/1 song.wav", "album/2 song.wav", "best of/1 song.wav", "best of/9 song.wav"]
    for name in names { write("old/\(name)", audio: 1) }
    try fixture.start()
    try await fixture.walk()
    try await mark(uri("old/best of/1 song.wav"))
    fixture.stop()
    for name in names {
      copy("old/\(name)", "new/\(name)")
      remove("old/\(name)")
    }
    try await restart()
    try await fixture.expect(Set(names.map { "new/\($0)" }))
    try await expectMarks("new/best of/1 song.wav")
    for name in names where name != "best of/1 song.wav" { try await expectNoMarks("new/\(name)") }
  }

  /// A copy that was always there is another track, which keeps nothing of a removed one.
  @Test func aRemovedFileGivesNothingToOneThatWasThereBefore() async throws {
    write("a/1.wav", audio: 1)
    write("b/2.wav", audio: 1)
    try fixture.start()
    try await fixture.walk()
    try await mark(uri("a/1.wav"))
    let content = music.read(music["a/1.wav"])
    remove("a/1.wav")
    try await fixture.expect(["b/2.wav"])
    try await expectNoMarks("b/2.wav")
    music.write(music["a/1.wav"], content)
    try await fixture.expect(["a/1.wav", "b/2.wav"])
    try await expectMarks("a/1.wav")
  }

  @Test func everyTrackOfACueSheetKeepsItsOwnData() async throws {
    let sheet = """
      FILE "disc.wav" WAVE
        TRACK 01 AUDIO
          TITLE "One"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Two"
          INDEX 01 00:00:03
      """
    write("old/disc.wav", audio: 1)
    music.write("old/disc.cue", sheet)
    try fixture.start()
    try await fixture.walk()
    let second = try await uris().first { $0.contains("#t=0.04") }
    let track = try #require(second)
    try await mark(track)
    fixture.stop()
    copy("old/disc.wav", "new/disc.wav")
    music.write("new/disc.cue", sheet)
    remove("old/disc.wav")
    remove("old/disc.cue")
    try await restart()
    let moved = track.replacing("/old/", with: "/new/")
    #expect(try await uris().contains(moved))
    #expect(try await !marks(moved).contains(false))
    #expect(try await uris().filter { $0 != moved }.count == 1)
    for other in try await uris() where other != moved { #expect(try await !marks(other).contains(true)) }
  }

  private func uris() async throws -> [String] {
    try await fixture.store.read { reader throws(StoreError) in try reader.tracks(by: .title).items.map(\.uri) }
  }

  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk"))
  func aCopyOfAFileOnAnUnmountedDiskTakesNothing() async throws {
    music.makeFolder(music["disk"])
    var disk: TmpfsVolume? = try TmpfsVolume(over: music["disk"])
    write("disk/1.wav", audio: 1)
    try fixture.start()
    try await fixture.walk()
    try await mark(uri("disk/1.wav"))
    let content = music.read(music["disk/1.wav"])
    withExtendedLifetime(disk) {}
    disk = nil
    try await eventually("the disk is offline") { try await fixture.track("disk/1.wav")?.isOffline == true }
    music.write(music["copy/1.wav"], content)
    try await fixture.expect(["disk/1.wav", "copy/1.wav"])
    try await walkAll()
    try await expectNoMarks("copy/1.wav")
    try await expectMarks("disk/1.wav")
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

extension String {
  fileprivate func replacing(_ old: String, with new: String) -> String {
    var parts: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: old) {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return (parts + [rest]).joined(separator: new)
  }
}
