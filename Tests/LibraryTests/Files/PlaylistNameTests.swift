import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueFiles

/// Tests of playlists and cue sheets in which the name of a file is spelled differently than on the disk.
@Suite(.timeLimit(.minutes(1))) struct PlaylistNameTests {
  private let scratch = Scratch()

  /// Returns the text of a playlist of `locations` in a format.
  private static func text(_ format: String, _ locations: [String]) -> String {
    switch format {
    case "pls":
      "[playlist]\n" + locations.enumerated().map { "File\($0 + 1)=\($1)\n" }.joined()
    case "cue":
      locations.map { "FILE \"\($0)\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n" }.joined()
    case "xspf":
      "<playlist><trackList>" + locations.map { "<track><location>\($0)</location></track>" }.joined()
        + "</trackList></playlist>"
    default: "#EXTM3U\n" + locations.map { "\($0)\n" }.joined()
    }
  }

  private func find(_ format: String, _ locations: String...) async -> ResolveResult {
    await FileService.find(scratch.write("list.\(format)", Self.text(format, locations)))
  }

  /// Checks that an entry is found.
  private func expect(
    _ location: String, in format: String, names file: String, _ source: SourceLocation = #_sourceLocation
  ) async {
    let found = await find(format, location)
    #expect(
      found.tracks.map { FileURI.decode($0.uri) } == [scratch[file]], "\(location) in \(format)",
      sourceLocation: source)
    #expect(found.failures.isEmpty, sourceLocation: source)
  }

  @Test(arguments: ["m3u", "m3u8", "pls", "cue"])
  func percentEncodedRelativePathsAsVLCWritesThemAreFound(format: String) async {
    for name in ["Пес ня/a b.mp3", "c#1.mp3", "100%25.mp3", "100%.mp3"] { scratch.write(name) }
    let encoded = "%D0%9F%D0%B5%D1%81%20%D0%BD%D1%8F/a%20b.mp3"
    let found = await find(format, encoded, "c%231.mp3", "100%25.mp3", "100%.mp3")
    #expect(
      found.tracks.map { FileURI.decode($0.uri) }
        == ["Пес ня/a b.mp3", "c#1.mp3", "100%25.mp3", "100%.mp3"].map { scratch[$0] })
    #expect(found.failures.isEmpty)
  }

  @Test func aDecodedNameDoesNotLeadOutOfTheFolder() async {
    scratch.write("a.mp3")
    scratch.write("sub/b.mp3")
    let list = scratch.write(
      "sub/list.m3u", "..%2Fa.mp3\n%2E%2E/a.mp3\n%2E%2E%2Fa.mp3\nb.mp3%00\nC:\\x\\..\\..\\..\\a.mp3\n")
    let found = await FileService.find(list)
    #expect(found.tracks.isEmpty)
    #expect(found.failures.map(\.failure.kind) == Array(repeating: .notFound, count: 5))
  }

  @Test(arguments: ["m3u", "pls", "cue", "xspf"])
  func theNormalizationFormOfANameDoesNotMatter(format: String) async {
    let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
    scratch.write("\(composed)/1 \(composed).mp3")
    scratch.write("d/2 \(decomposed).mp3")
    let first = scratch["\(composed)/1 \(composed).mp3"]
    let second = scratch["d/2 \(decomposed).mp3"]
    let locations = ["\(decomposed)/1 \(decomposed).mp3", "d/2 \(composed).mp3"]
    let relative = await find(format, locations[0], locations[1])
    #expect(relative.tracks.map { FileURI.decode($0.uri) } == [first, second])
    let absolute = await find(format, "\(scratch.path)/\(locations[0])", "\(scratch.path)/\(locations[1])")
    #expect(absolute.tracks.map { FileURI.decode($0.uri) } == [first, second])
    let uris = await find(format, FileURI.encode(scratch[locations[0]]), FileURI.encode(scratch[locations[1]]))
    #expect(uris.tracks.map { FileURI.decode($0.uri) } == [first, second])
  }

  @Test(arguments: ["m3u", "pls", "cue", "xspf"]) func theCaseOfANameDoesNotMatter(format: String) async {
    for name in ["Artist/ALBUM/01 Été.MP3", "same.mp3", "Same.mp3"] { scratch.write(name) }
    await expect("artist/Album/01 ÉTÉ.mp3", in: format, names: "Artist/ALBUM/01 Été.MP3")
    await expect("ARTIST\\album\\01 été.mp3", in: format == "xspf" ? "m3u" : format, names: "Artist/ALBUM/01 Été.MP3")
    await expect("artist/album/01%20%C3%89t%C3%A9.mp3", in: format, names: "Artist/ALBUM/01 Été.MP3")
    await expect("Same.mp3", in: format, names: "Same.mp3")
    await expect("./same.mp3", in: format, names: "same.mp3")
  }

  @Test func aFileIsFoundBehindASecondFolderOfTheSameName() async {
    scratch.makeFolder(scratch["ALBUM"])
    scratch.write("Album/x.mp3")
    await expect("album/X.mp3", in: "m3u", names: "Album/x.mp3")
  }

  @Test(
    arguments: [
      ("Album.wav", "Album.FLAC"), ("album.wav", "Album.FLAC"), ("Album", "Album.flac"), ("Vol. 1", "Vol. 1.flac"),
      ("C:\\Rips\\My Album\\Album.wav", "Album.wav"), ("\\\\nas\\music\\Album.wav", "Album.flac"),
      ("..\\..\\Album.wav", "Album.flac"), ("Unrelated name.wav", "list.flac"), ("Album.bin", "Album.flac"),
      ("Album.mp3", "Album.opus"),
    ]) func aCueSheetFindsItsFileByTheStem(location: String, file: String) async
  {
    scratch.write(file)
    // The name of the sheet's own file without its extension.
    scratch.write("Album.jpg")
    if location.hasPrefix("..") {
      let found = await find("cue", location)
      #expect(found.tracks.isEmpty, "the folder above was named")
      #expect(found.failures.count == 1)
    } else {
      await expect(location, in: "cue", names: file)
    }
  }

  @Test func theImageOfADiscIsReplacedByItsCompressedFile() async {
    for name in ["Album.bin", "Album.flac"] { scratch.write(name) }
    await expect("Album.bin", in: "cue", names: "Album.flac")
  }

  @Test func aSheetOfSeveralFilesIsNotFoundByItsOwnName() async {
    scratch.write("list.flac")
    #expect(await find("cue", "1.wav", "2.wav").tracks.isEmpty)
  }

  @Test func pathsOfWindowsAreFoundBelowTheFolderOfThePlaylist() async {
    for name in ["A/1.mp3", "B/1.mp3", "2.mp3", "Sub/3.mp3"] { scratch.write("Music/\(name)") }
    func find(_ folder: String, _ lines: String...) async -> [String] {
      let list = scratch.write("\(folder)/list.m3u", lines.map { "\($0)\r\n" }.joined())
      let found = await FileService.find(list)
      #expect(found.tracks.count + found.failures.count == lines.count)
      return found.names(in: scratch)
    }
    #expect(
      await find("Music", "C:\\Users\\x\\a\\1.mp3", "C:/Users/x/B/1.mp3", "file:///C:/Users/x/2.MP3") == [
        "Music/A/1.mp3", "Music/B/1.mp3", "Music/2.mp3",
      ])
    #expect(await find("Music", "D:\\Music\\Sub\\3.mp3", "D:\\Other\\z.mp3") == ["Music/Sub/3.mp3"])
    #expect(
      await find("Music/A", "\\Music\\A\\1.mp3", "\\\\server\\share\\1.mp3") == ["Music/A/1.mp3", "Music/A/1.mp3"])
    // The folder has a file of the same name, but the playlist belongs to a folder above both albums.
    #expect(await find("Music/A", "C:\\M\\Y\\1.mp3", "C:\\M\\Z\\1.mp3").isEmpty)
  }

  @Test func pathsOfOtherMachinesAreFoundBelowTheFolderOfThePlaylist() async {
    for name in ["A/1.mp3", "B/1.mp3", "Sub/3.mp3"] { scratch.write("Music/\(name)") }
    func find(_ format: String, _ locations: String...) async -> [String] {
      let found = await FileService.find(scratch.write("Music/list.\(format)", Self.text(format, locations)))
      #expect(found.tracks.count + found.failures.count == locations.count)
      return found.names(in: scratch)
    }
    // Android, macOS, and a disk of another name.
    #expect(
      await find("m3u", "/storage/emulated/0/Songs/A/1.mp3", "/storage/emulated/0/Songs/B/1.mp3") == [
        "Music/A/1.mp3", "Music/B/1.mp3",
      ])
    #expect(await find("m3u8", "file:///Users/x/Music/Sub/3.mp3", "file:///Users/x/z.mp3") == ["Music/Sub/3.mp3"])
    #expect(await find("xspf", "file:///Volumes/Disk%201/Music/b/1.mp3") == ["Music/B/1.mp3"])
    // The folder may be missing on this machine for another reason, or the path may lead elsewhere.
    #expect(await find("m3u", "\(scratch.path)/Other/A/1.mp3", "\(scratch.path)/Other/B/1.mp3").isEmpty)
    #expect(await find("m3u", "/storage/Music/../A/1.mp3").isEmpty)
  }

  @Test func aMissingFileIsNamedAsItIsWritten() async {
    scratch.write("Album/1.mp3")
    let found = await find("m3u", "album/2%20x.mp3", "other/1.mp3", "/no/such/1.mp3")
    #expect(found.tracks.isEmpty)
    let messages = found.failures.map(\.failure.message)
    #expect(messages.count == 3)
    for (message, name) in zip(messages, ["\(scratch.path)/album/2%20x.mp3", "other/1.mp3", "/no/such/1.mp3"]) {
      #expect(message.contains(name), "\(message)")
    }
  }

  @Test func aFolderIsListedOncePerPlaylist() async throws {
    for index in 0..<200 { scratch.write("Music/\(index) Song.mp3") }
    let list = scratch.write("list.m3u", (0..<400).map { "music/\($0) song.mp3\n" }.joined())
    let monitor = try InotifyInstance()
    _ = try monitor.add(scratch["Music"], UInt32(IN_OPEN))
    let found = await FileService.find(list)
    #expect(found.tracks.count == 200 && found.failures.count == 200)
    var count = 0
    while case let events = monitor.read(), !events.isEmpty { count += events.count { $0.isFolder } }
    #expect(count == 1)
  }

  @Test func anEntryVisitsAtMostAFewFolders() async throws {
    // Two spellings of each of twenty folders are more than a million paths.
    var path = ""
    for _ in 0..<20 {
      scratch.makeFolder(scratch[path + "A"])
      path += "a/"
      scratch.makeFolder(scratch[path])
    }
    let names = FolderNameCache()
    let items = [PlaylistItem(location: Array((String(repeating: "%41/", count: 20) + "x.mp3").utf8), line: 1)]
    let files = PlaylistFiles(items, of: scratch["list.m3u"], .m3u, names)
    let file = try #require(files.file(of: items[0]))
    #expect(!file.exists)
  }

  @Test func theEntriesOfAStoredPlaylistAreFoundInTheSameWay() throws {
    for name in ["Été 1.mp3", "b c.mp3"] { scratch.write("Music/\(name)") }
    scratch.write("lists/x.m3u8", "../music/e\u{301}te\u{301} 1.MP3\n../Music/b%20c.mp3\n../Music/gone.mp3\n")
    let folder = PlaylistFolder(path: scratch["lists"])
    let entries = try folder.contents("x", PageRequest()).entries
    let uris = ["Été 1.mp3", "b c.mp3"].map { FileURI.encode(scratch["Music/\($0)"]) }
    #expect(entries.prefix(2).map(\.track.uri) == uris)
    #expect(entries.map { $0.failure?.kind } == [nil, nil, .notFound])
    #expect(try folder.remove("x", [0], uris: [uris[0]]).trackCount == 2)
  }
}
