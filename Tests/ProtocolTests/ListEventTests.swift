import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the events that announce changes of the favorites, playlists, ratings, history and library.
@Suite struct ListEventTests {
  private let fixture: LibraryFixture
  private let watcher: SocketClient
  private let folder: FilePath

  init() throws {
    fixture = try LibraryFixture()
    folder = fixture.daemon.directory.appending("home/.local/share/segue/playlists")
    watcher = try fixture.daemon.connect()
    try watcher.call("subscribe", #"{"topics":["favorites","playlists","ratings","history","settings"]}"#)
  }

  private var loose: String { quoted(fixture.uri("loose")) }

  /// Changes a setting, and returns the topics of all events before that of the setting.
  private func announcedTopics() throws -> [String] {
    let fade = try fixture.client.call("settings.get", #"["player.fade"]"#)["value"]?.int ?? 0
    try fixture.client.call("settings.set", "[\"player.fade\",\(fade + 1)]")
    var topics: [String] = []
    while true {
      let topic = try watcher.event()["topic"]?.string ?? ""
      if topic == "settings" { return topics }
      topics.append(topic)
    }
  }

  @Test func aChangeOfFavoritesIsAnnouncedOnceHoweverManyItAdds() throws {
    let uris = (0..<1_000).map { "\"http://127.0.0.1:9/\($0)\"" }.joined(separator: ",")
    try fixture.client.call("favorites.add", "{\"uris\":[\(uris)]}")
    #expect(try announcedTopics() == ["favorites"])
    try fixture.client.call("favorites.add", "{\"uris\":[\(uris)]}")
    try fixture.client.call("favorites.remove", "{\"uris\":[\(loose)]}")
    #expect(try announcedTopics() == [], "nothing has changed")
    try fixture.client.call("favorites.remove", "{\"uris\":[\(uris)]}")
    #expect(try announcedTopics() == ["favorites"])
  }

  @Test func onlyAnotherRatingIsAnnounced() throws {
    try fixture.client.call("rating.set", "[\(loose),7]")
    #expect(try announcedTopics() == ["ratings"])
    try fixture.client.call("rating.set", "[\(loose),7]")
    #expect(try announcedTopics() == [])
    try fixture.client.call("rating.set", "[\(loose),null]")
    #expect(try announcedTopics() == ["ratings"])
  }

  @Test func playlistsOfClientsAndOfOtherProgramsAreAnnounced() throws {
    try fixture.client.call("playlists.save", "[\"one\",[\(loose)]]")
    let first = try watcher.event(of: "playlists")
    try AudioFile.write(Array("#EXTM3U\nhttp://127.0.0.1:9/\n".utf8), to: folder.appending("two.m3u8"))
    let second = try watcher.event(of: "playlists")
    #expect(ListVersion(second).version > ListVersion(first).version)
    #expect(try fixture.client.call("playlists.list")["total"]?.int == 2)
    try fixture.client.call("playlists.list")
    try AudioFile.write(Array("notes".utf8), to: folder.appending("notes.txt"))
    #expect(try announcedTopics() == [], "reading changes nothing, and other files are no playlists")
    unlink(folder.appending("two.m3u8").description)
    _ = try watcher.event(of: "playlists")
    #expect(try fixture.client.call("playlists.list")["total"]?.int == 1)
  }

  @Test func aPlaylistThatIsSavedAfterTheFolderWasRemovedIsAnnounced() throws {
    try removeFolder()
    try fixture.client.call("playlists.save", "[\"two\",[\(loose)]]")
    let topics = try announcedTopics()
    #expect(Set(topics) == ["playlists"])
  }

  /// A program that restores a backup creates the folder under another name.
  @Test func playlistsInAFolderThatAnotherProgramPutsInPlaceAreAnnounced() throws {
    try removeFolder()
    let restored = folder.parent.appending("restored")
    #expect(mkdir(restored.description, 0o700) == 0)
    try AudioFile.write(Array("#EXTM3U\nhttp://127.0.0.1:9/\n".utf8), to: restored.appending("old.m3u8"))
    #expect(rename(restored.description, folder.description) == 0)
    _ = try watcher.event(of: "playlists")
    #expect(try fixture.client.call("playlists.list")["total"]?.int == 1)
    try AudioFile.write(Array("#EXTM3U\nhttp://127.0.0.1:9/\n".utf8), to: folder.appending("new.m3u8"))
    _ = try watcher.event(of: "playlists")
    #expect(try fixture.client.call("playlists.list")["total"]?.int == 2)
  }

  /// Removes the folder of playlists, and waits until that is announced.
  private func removeFolder() throws {
    try fixture.client.call("playlists.save", "[\"one\",[\(loose)]]")
    _ = try watcher.event(of: "playlists")
    unlink(folder.appending("one.m3u8").description)
    #expect(rmdir(folder.description) == 0)
    try waitUntil("the removal is announced") {
      _ = try watcher.event(of: "playlists")
      return try fixture.client.call("playlists.list")["total"]?.int == 0
    }
    _ = try announcedTopics()
  }

  @Test func aScanOfNoPathsIsOverAtOnce() throws {
    try fixture.waitForScan()
    try fixture.client.call("library.scan", #"{"paths":[],"loudness":true}"#)
    #expect(!LibraryStatus(try fixture.client.call("library.status")).scanning)
  }

  /// The version of the library grows with a change that changes no count.
  @Test func aChangedTagIsAnnounced() throws {
    let before = LibraryStatus(try fixture.client.call("library.status"))
    try fixture.write(("loose", [("TITLE", "Tied"), ("ARTIST", "Nobody in Particular")]))
    try fixture.client.call("library.scan")
    let after = LibraryStatus(
      try fixture.watcher.event(of: "library") {
        LibraryStatus($0).version > before.version && !LibraryStatus($0).scanning
      })
    #expect(after.tracks == before.tracks)
    #expect(try fixture.titles("library.tracks").contains("Tied"))
    try fixture.client.call("library.scan")
    try fixture.waitForScan()
    #expect(LibraryStatus(try fixture.client.call("library.status")).version == after.version, "nothing has changed")
  }
}
