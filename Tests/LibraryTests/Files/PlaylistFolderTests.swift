import Glibc
import SegueSystem
import SegueWire
import Testing

@testable import SegueFiles

/// Tests of the playlists that the user saves.
@Suite(.timeLimit(.minutes(1))) struct PlaylistFolderTests {
  private let scratch = Scratch()

  private func entry(_ name: String) -> NewPlaylistEntry {
    NewPlaylistEntry(uri: FileURI.encode(scratch[name]), metadata: Metadata(), duration: nil)
  }

  /// Writes `text` to a playlist, lets it follow the move of the file `old` to elsewhere/song.mp3, and returns its
  /// text.
  private func text(_ text: String, following old: String) throws -> String {
    scratch.write("elsewhere/song.mp3")
    scratch.write("lists/x.m3u8", text)
    var moves = FileMoves()
    moves.append(scratch[old], scratch["elsewhere/song.mp3"])
    try PlaylistFolder(path: scratch["lists"]).follow(moves)
    return String(decoding: scratch.read(scratch["lists/x.m3u8"]), as: UTF8.self)
  }

  /// Other programs and systems write names in other forms, in which they are found while the file is there.
  @Test(arguments: [
    "../music/My%20S\u{F6}ng.mp3", "../music/My So\u{308}ng.mp3", "../Music/MY S\u{D6}NG.MP3",
    "..\\music\\My S\u{F6}ng.mp3",
    "../music/My S\u{F6}ng.mp3",
  ])
  func entriesInOtherSpellingsFollowAFileThatHasMoved(_ line: String) throws {
    scratch.write("music/rest.mp3")
    let text = try text(
      "#EXTM3U\n../music/rest.mp3\n\(line)\n../music/gone.mp3\n", following: "music/My S\u{F6}ng.mp3")
    #expect(text == "#EXTM3U\n../music/rest.mp3\n../elsewhere/song.mp3\n../music/gone.mp3\n")
  }

  @Test func anEntryThatStillNamesAFileDoesNotFollowOneOfASimilarName() throws {
    scratch.write("music/SONG.mp3")
    #expect(try text("../music/SONG.mp3\n", following: "music/song.mp3") == "../music/SONG.mp3\n")
  }

  /// Users keep configurations and playlists in a repository, with links to it.
  @Test(arguments: [false, true]) func aPlaylistThatIsALinkIsWrittenToTheFileBehindIt(exists: Bool) throws {
    scratch.write("2.mp3")
    scratch.makeFolder(scratch["repository"])
    scratch.makeFolder(scratch["lists"])
    if exists { scratch.write("repository/x.m3u8", "../1.mp3\n") }
    scratch.link("lists/second.m3u8", to: "../repository/x.m3u8")
    scratch.link("lists/first.m3u8", to: scratch["lists/second.m3u8"].description)
    let folder = PlaylistFolder(path: scratch["lists"])
    let saved = try folder.add("first", [entry("2.mp3")], at: nil)
    #expect(saved.trackCount == (exists ? 2 : 1))
    #expect(Scratch.target(of: scratch["lists/first.m3u8"]) == scratch["lists/second.m3u8"])
    #expect(Scratch.target(of: scratch["lists/second.m3u8"]) == FilePath("../repository/x.m3u8"))
    let text = String(decoding: scratch.read(scratch["repository/x.m3u8"]), as: UTF8.self)
    #expect(text.hasSuffix("../2.mp3\n"), "\(text)")
    #expect(scratch.names(scratch["repository"]) == ["x.m3u8"])
    #expect(try folder.contents("first", PageRequest()).entries.last?.track.uri == FileURI.encode(scratch["2.mp3"]))
  }
}
