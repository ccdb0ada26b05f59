import Glibc
import SegueFiles
import SegueLibrary
import SegueSQLite
import SegueScan
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of files that take the paths of others, or are written anew.
@Suite(.timeLimit(.minutes(3))) struct ScanReplacementTests: ScanMoveSuite {
  let fixture = ScanFixture()

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

  private enum Renaming: CaseIterable {
    case renamed
    /// A tagger has written the files anew, so that neither inode nor time nor size are the same.
    case written
    /// The files were copied, and then overwritten, so that the new files have the inodes of the old ones.
    case copied
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
}
