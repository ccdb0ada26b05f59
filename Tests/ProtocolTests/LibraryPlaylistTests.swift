import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of playlists, which are files that other programs can read.
@Suite struct LibraryPlaylistTests {
  let fixture: LibraryFixture
  private let folder: FilePath

  init() throws {
    fixture = try LibraryFixture()
    folder = fixture.daemon.directory.appending("home/.local/share/segue/playlists")
  }

  private func save(_ name: String, _ uris: [String], more: String = "") throws -> PlaylistResult {
    let list = uris.map(quoted).joined(separator: ",")
    return PlaylistResult(
      try fixture.client.call("playlists.save", "{\"name\":\(quoted(name)),\"uris\":[\(list)]\(more)}"))
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try AudioFile.read(folder.appending(name + ".m3u8")), as: UTF8.self)
  }

  @Test func aPlaylistIsAFileWithRelativePaths() throws {
    let saved = try save("Утро & 朝", [fixture.uri("loose"), fixture.uri("Björk/Debut/01"), "http://127.0.0.1:9/radio"])
    #expect(saved.playlist.name == "Утро & 朝")
    #expect(saved.playlist.trackCount == 3)
    #expect(saved.failed.total == 0)
    let lines = try text("Утро & 朝").split(separator: "\n").map(String.init)
    #expect(lines.first == "#EXTM3U")
    #expect(
      lines.filter { !$0.hasPrefix("#") } == [
        "../../../../../music/loose.flac", "../../../../../music/Björk/Debut/01.flac", "http://127.0.0.1:9/radio",
      ])
    #expect(lines.contains { $0.hasPrefix("#EXTINF:") && $0.hasSuffix(",Björk - Human Behaviour") })
    let listed: ListPage<PlaylistInfo> = try fixture.page("playlists.list")
    #expect(listed.items == [saved.playlist])
    let tracks: ListPage<ListedTrack> = try fixture.page("playlists.load", #"{"name":"Утро & 朝"}"#)
    #expect(
      tracks.items.map(\.uri) == [fixture.uri("loose"), fixture.uri("Björk/Debut/01"), "http://127.0.0.1:9/radio"])
    #expect(tracks.items.map(\.index) == [0, 1, 2])
    #expect(tracks.items[1].metadata.album == "Debut")
    let page: ListPage<ListedTrack> = try fixture.page("playlists.load", #"{"name":"Утро & 朝","offset":1,"limit":1}"#)
    #expect(page.items.map(\.index) == [1])
    #expect(page.total == 3)
  }

  @Test func theQueueIsSavedAsAPlaylistAndLoadedAgain() throws {
    try fixture.client.call("queue.replace", "{\"uris\":[\"\(FileURI.encode(fixture.music.appending("Кино")))\"]}")
    let queued = try fixture.titles("list")
    #expect(PlaylistResult(try fixture.client.call("playlists.save", #"["queue"]"#)).playlist.trackCount == 3)
    try fixture.client.call("queue.clear")
    #expect(try fixture.client.call("queue.add", #"[["segue:playlist/queue"]]"#)["added"]?.count == 3)
    #expect(try fixture.titles("list") == queued)
    let missing = try fixture.client.call("queue.add", #"[["segue:playlist/none"]]"#)["failed"]?.elements?.first
    #expect(missing?["uri"]?.string == "segue:playlist/none")
    #expect(missing?["kind"]?.string == "not_found")
  }

  @Test func playlistEntriesAreAddedAndRemoved() throws {
    _ = try save("list", [fixture.uri("loose")])
    let uri = fixture.uri("Кино/Звезда/1")
    #expect(
      PlaylistResult(try fixture.client.call("playlists.add", "[\"list\",[\"\(uri)\"],0]")).playlist.trackCount == 2)
    #expect(try fixture.titles("playlists.load", #"["list"]"#) == ["Звезда по имени Солнце", "Loose"])
    let added = PlaylistResult(try fixture.client.call("playlists.add", #"["list",["segue:genre/rock","file:///no"]]"#))
    #expect(added.playlist.trackCount == 5)
    #expect(added.failed.listed.map(\.kind) == ["not_found"])
    #expect(
      PlaylistResult(try fixture.client.call("playlists.remove", #"["list",[0,2,3,4]]"#)).playlist.trackCount == 1)
    #expect(try fixture.titles("playlists.load", #"["list"]"#) == ["Loose"])
    #expect(try fixture.client.errorResponse(to: "playlists.remove", #"["list",[1]]"#).kind == "out_of_range")
    // An entry that is another one meanwhile is not removed.
    let other = try fixture.client.errorResponse(to: "playlists.remove", "[\"list\",[0],[\"file:///other.flac\"]]")
    #expect(other.kind == "not_found")
    #expect(try fixture.titles("playlists.load", #"["list"]"#) == ["Loose"])
    #expect(
      PlaylistResult(try fixture.client.call("playlists.remove", "[\"list\",[0],[\"\(fixture.uri("loose"))\"]]"))
        .playlist.trackCount
        == 0)
    #expect(try fixture.client.errorResponse(to: "playlists.add", "[\"list\",[\"\(uri)\"],7]").kind == "out_of_range")
    #expect(
      PlaylistResult(try fixture.client.call("playlists.add", "[\"another\",[\"\(uri)\"]]")).playlist.trackCount == 1)
  }

  @Test func similarPlaylistNamesAreDistinct() throws {
    _ = try save("one", [fixture.uri("loose")])
    #expect(
      try fixture.client.errorResponse(to: "playlists.save", "[\"one\",[\"\(fixture.uri("loose"))\"]]").kind == "exists"
    )
    #expect(
      try save("one", [fixture.uri("Кино/Звезда/1"), fixture.uri("loose")], more: #","replace":true"#).playlist
        .trackCount
        == 2)
    _ = try save("two", [fixture.uri("loose")])
    #expect(try fixture.client.errorResponse(to: "playlists.rename", #"["one","two"]"#).kind == "exists")
    #expect(PlaylistResult(try fixture.client.call("playlists.rename", #"["one","three"]"#)).playlist.trackCount == 2)
    try fixture.client.call("playlists.delete", #"["two"]"#)
    let left: ListPage<PlaylistInfo> = try fixture.page("playlists.list")
    #expect(left.items.map(\.name) == ["three"])
    for (method, params) in [
      ("playlists.load", #"["two"]"#), ("playlists.delete", #"["two"]"#), ("playlists.rename", #"["two","x"]"#),
      ("playlists.remove", #"["two",[0]]"#),
    ] {
      #expect(try fixture.client.errorResponse(to: method, params).kind == "not_found")
    }
    for name in ["10", "9"] { _ = try save(name, [fixture.uri("loose")]) }
    let page: ListPage<PlaylistInfo> = try fixture.page("playlists.list", #"{"offset":1,"limit":1}"#)
    #expect(
      page.items.map(\.name) == ["10"] && page.total == 3 && page.offset == 1, "names are sorted by their numbers")
  }

  @Test(arguments: [
    "", ".", "..", ".hidden", "../up", "a/b", "/etc/passwd", "line\\nbreak", String(repeating: "x", count: 252),
  ])
  func aPlaylistNameIsNotAPath(name: String) throws {
    let uri = fixture.uri("loose")
    for (method, params) in [
      ("playlists.save", "[\"\(name)\",[\"\(uri)\"]]"), ("playlists.add", "[\"\(name)\",[\"\(uri)\"]]"),
    ] {
      #expect(try fixture.client.errorResponse(to: method, params).kind == "invalid_params")
    }
    #expect(try fixture.client.errorResponse(to: "playlists.load", "[\"\(name)\"]").kind == "not_found")
    #expect(try fixture.client.errorResponse(to: "playlists.delete", "[\"\(name)\"]").kind == "not_found")
  }

  @Test func linesOfOtherProgramsInAPlaylistArePreserved() throws {
    _ = try save("shared", [fixture.uri("loose")])
    let foreign =
      "#EXTM3U\n#PLAYLIST:Shared\n#EXTALB:Album\n\(fixture.music)/loose.flac\n\n#EXTINF:7,Gone\nnot/here.mp3\n# end\n"
    try AudioFile.write(Array(foreign.utf8), to: folder.appending("shared.m3u8"))
    let listed: ListPage<ListedTrack> = try fixture.page("playlists.load", #"["shared"]"#)
    #expect(listed.items.map(\.metadata.title) == ["Loose", "Gone"])
    #expect(listed.items.map { $0.error == nil } == [true, false])
    try fixture.client.call("playlists.add", "[\"shared\",[\"\(fixture.uri("Кино/Звезда/1"))\"]]")
    let text = try text("shared")
    #expect(text.hasPrefix(foreign.dropLast("# end\n".count)))
    #expect(text.hasSuffix("/music/Кино/Звезда/1.flac\n# end\n"))
  }

  /// Each length is impossible, and their sum overflows an integer.
  @Test func impossibleLengthsInAPlaylistDoNotOverflow() throws {
    _ = try save("long", [fixture.uri("loose")])
    let entries = (0..<100).map { "#EXTINF:99999999999999,Track \($0)\n\($0).mp3\n" }.joined()
    try AudioFile.write(Array("#EXTM3U\n\(entries)".utf8), to: folder.appending("long.m3u8"))
    let listed: ListPage<PlaylistInfo> = try fixture.page("playlists.list")
    #expect(listed.items.map(\.trackCount) == [100])
    #expect(listed.items.map(\.duration) == [MediaTime.maximum])
  }

  @Test func aPlaylistNameThatIsNotUTF8IsPreserved() throws {
    let path = FilePath(bytes: fixture.music.bytes + [UInt8(ascii: "/"), 0xFF, 0x0A] + Array(".flac".utf8))
    try AudioFile.write(try AudioFile.read(Repository.fixture("a.flac")), to: path)
    _ = try save("odd", [FileURI.encode(path)])
    let listed: ListPage<ListedTrack> = try fixture.page("playlists.load", #"["odd"]"#)
    #expect(listed.items.map(\.uri) == [FileURI.encode(path)])
    #expect(listed.items.map(\.error) == [nil])
  }

  @Test func aPlaylistFolderThatIsAFileIsReported() throws {
    try fixture.client.call("playlists.list")
    rmdir(folder.description)
    try AudioFile.write([], to: folder)
    let error = try fixture.client.errorResponse(to: "playlists.save", "[\"two\",[\"\(fixture.uri("loose"))\"]]")
    #expect(error.kind == "unavailable")
    #expect(error.message.contains("playlists/two.m3u8"))
  }
}
