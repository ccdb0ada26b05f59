import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the client's verbs for the library with a real daemon and real files.
@Suite struct LibraryClientTests {
  let fixture: LibraryFixture

  init() throws { fixture = try LibraryFixture() }

  private func segue(_ words: [String]) throws -> ClientProcess.Outcome {
    try ClientProcess.run(words, environment: ["SEGUE_SOCKET": "\(fixture.daemon.socket)"])
  }

  /// Returns a column of the output for programs.
  private func column(_ number: Int, _ words: [String]) throws -> [String] {
    let outcome = try segue(words)
    #expect(outcome.code == 0 && outcome.errorText == "", "\(words): \(outcome.errorText)")
    return outcome.lines.map { String($0.split(separator: "\t", omittingEmptySubsequences: false)[number]) }
  }

  @Test func listsShowTheLibrary() throws {
    #expect(try column(1, ["tracks"]).count == 6)
    #expect(Set(try column(1, ["albums"])) == ["Debut", "Группа крови", "Звезда по имени Солнце"])
    #expect(try column(4, ["albums", "debut"]) == ["2"])
    #expect(Set(try column(1, ["artists"])) == ["Björk", "Кино", "Nobody in Particular"])
    #expect(Set(try column(1, ["genres"])) == ["Electronic", "Rock"])
    #expect(try column(0, ["genres", "ROCK"]) == ["segue:genre/Rock"])
    #expect(try column(1, ["album", "группа", "крови"]) == ["Группа крови", "Закрой за мной дверь"])
    #expect(try column(1, ["artist", "Кино"]) == ["Группа крови", "Звезда по имени Солнце"])
    #expect(try column(1, ["tracks", "year:1989"]) == ["Звезда по имени Солнце"])
    #expect(try column(1, ["tracks", "nothing", "like", "it"]).isEmpty)
    let json = try JSON(parsing: try segue(["albums", "--json"]).output)
    #expect(ListPage<Album>(json).items.count == 3)
  }

  @Test func everyUnplayableFileOfAScanIsCountedAndListedWithItsReason() throws {
    let track = try AudioFile.read(Repository.fixture("a.flac"))
    let files: [(name: String, bytes: [UInt8])] = [
      ("empty.mp3", []), ("text.mp3", Array("not music\n".utf8)), ("cut.flac", Array(track.prefix(60))),
      ("zeros.wav", [UInt8](repeating: 0, count: 4_000)),
      ("silent.mp4", try AudioFile.read(Repository.fixture("silent.mp4"))),
      ("hollow.flac", try AudioFile.read(Repository.fixture("hollow.flac"))),
      ("list.wav", try AudioFile.read(Repository.fixture("list.wav"))),
    ]
    let paths = files.map { fixture.music.appending($0.name) }
    for (path, file) in zip(paths, files) { try AudioFile.write(file.bytes, to: path) }
    try fixture.wait { $0.failed == files.count && !$0.scanning }
    func check() throws {
      let lines = try segue(["library"]).lines
      #expect(lines.contains("tracks: 6"))
      #expect(lines.contains("failed: \(files.count)"))
      let failures = lines.filter { $0.hasPrefix("failure: ") }.map { $0.split(separator: "\t").map(String.init) }
      #expect(Set(failures.map { $0[0] }) == Set(paths.map { "failure: \(FileURI.encode($0))" }))
      #expect(failures.allSatisfy { $0.count == 3 && ["unplayable", "damaged"].contains($0[1]) })
      #expect(LibraryStatus(try JSON(parsing: try segue(["library", "--json"]).output)).failed == files.count)
    }
    try check()
    // They are not read again, and are counted as before.
    fixture.daemon.stop()
    try fixture.restart()
    try check()
    // A file that was replaced by music and a deleted one are no longer counted.
    try AudioFile.write(track, to: paths[0])
    paths[1].withCString { _ = unlink($0) }
    try fixture.wait { $0.failed == files.count - 2 && $0.tracks == 7 }
  }

  @Test func searchResultsCanBePlayed() throws {
    #expect(Set(try column(1, ["search", "kino"])).isSuperset(of: ["Кино", "Закрой за мной дверь"]))
    #expect(try segue(["clear"]).code == 0)
    #expect(try segue(["search", "kino", "--add"]).lines == ["added 3 tracks"])
    #expect(try segue(["add", "segue:genre/Electronic"]).lines == ["added 2 tracks"])
    #expect(try column(1, ["list"]).count == 5)
    #expect(try column(0, ["search"]) == ["kino"])
    let nothing = try segue(["search", "zzzzqqqq", "--play"])
    #expect(nothing.code == 1 && !nothing.errors.isEmpty)
    #expect(try column(2, ["suggest", "bjo"]).contains("Björk"))
  }

  @Test func aWordAfterADashIsExcludedFromASearch() throws {
    #expect(Set(try column(1, ["tracks", "кино"])).contains("Звезда по имени Солнце"))
    #expect(Set(try column(1, ["tracks", "кино", "-звезда"])) == ["Группа крови", "Закрой за мной дверь"])
    #expect(Set(try column(1, ["search", "кино", "-группа"])).isDisjoint(with: ["Группа крови"]))
  }

  @Test func settingsShowTheEffectiveMusicFolder() throws {
    #expect(try segue(["settings", "get", "musicFolder"]).lines == ["\(fixture.music)"])
    #expect(try column(1, ["settings"]).first == "\(fixture.music)")
  }

  @Test func favoritesRatingsAndPlaylistsAreSaved() throws {
    let album = try #require(try column(0, ["albums", "debut"]).first)
    #expect(try segue(["fav", "add", album, fixture.uri("loose")]).lines == ["added 2 favorites (2 in total)"])
    #expect(Set(try column(1, ["fav", "list"])) == ["Debut", "Loose"])
    #expect(try column(7, ["tracks", "loose"]) == ["favorite"])
    #expect(try segue(["fav", "remove", album]).code == 0)
    #expect(try column(1, ["fav", "list"]) == ["Loose"])
    #expect(try segue(["rate", "9", fixture.uri("loose")]).code == 0)
    #expect(try column(6, ["tracks", "rating:8.."]) == ["9"])

    #expect(
      try segue(["playlist", "save", "Утро", album, fixture.uri("loose")]).lines == ["saved the playlist Утро: 3 songs"]
    )
    let failed = try segue(["playlist", "save", "Утро", album])
    #expect(failed.code == 1 && failed.errorText.contains("--replace"))
    #expect(try segue(["playlist", "remove", "Утро", "1"]).lines == ["Утро: 2 songs"])
    #expect(try column(1, ["playlist", "show", "Утро"]) == ["Violently Happy", "Loose"])
    #expect(try segue(["playlist", "rename", "Утро", "朝"]).code == 0)
    #expect(try column(1, ["playlist"]) == ["朝"])
    #expect(try segue(["playlist", "load", "朝"]).lines == ["added 2 tracks"])
    #expect(try segue(["playlist", "delete", "朝"]).code == 0)
    #expect(try segue(["playlist"]).lines == [])
    #expect(try segue(["history"]).lines == [])
  }

  @Test func verbsWithoutAnArgumentUseTheCurrentTrack() throws {
    #expect(try segue(["clear"]).code == 0)
    #expect(try segue(["fav"]).errorText.contains("there is no current track"))
    #expect(try segue(["play", fixture.uri("loose")]).errorText.contains("no sound server"))
    #expect(try segue(["fav"]).lines == ["added Loose — Nobody in Particular to favorites (1 in total)"])
    #expect(try segue(["fav"]).lines == ["removed Loose — Nobody in Particular from favorites (0 left)"])
    #expect(try segue(["rate", "7"]).lines == ["Loose — Nobody in Particular: 7 of 10"])
    #expect(try segue(["rate", "none"]).lines == ["Loose — Nobody in Particular: no rating"])
    #expect(try segue(["playlist", "add", "new"]).lines == ["new: 1 song"])
    #expect(try segue(["lyrics"]).errorText.contains(".lrc"))
  }

  @Test func scanWithWatchWaitsForTheEnd() throws {
    try fixture.write(("new", [("TITLE", "New"), ("ARTIST", "Somebody")]))
    try AudioFile.write(Array("no music".utf8), to: fixture.music.appending("broken.flac"))
    let outcome = try segue(["scan", "--watch"])
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(outcome.lines.last == "7 tracks, 3 albums, 4 artists; 1 file could not be read")
    #expect(try segue(["library"]).lines.contains { $0.hasPrefix("failure: ") && $0.contains("broken.flac") })
    #expect(try segue(["scan", "/usr"]).code == 1)
  }
}
