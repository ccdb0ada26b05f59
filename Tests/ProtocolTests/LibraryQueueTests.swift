import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of facts that the queue takes from the library.
@Suite struct LibraryQueueTests {
  let fixture: LibraryFixture

  init() throws { fixture = try LibraryFixture(configuration: "[Player]\nGracePeriod=0\n") }

  private func add(_ uris: [String]) throws -> JSON {
    let list = uris.map(quoted).joined(separator: ",")
    return try fixture.client.call("queue.replace", "{\"uris\":[\(list)]}")
  }

  private func workersStarted() throws -> Int? { try fixture.client.call("daemon.stats")["workersStarted"]?.int }

  @Test func albumsArtistsGenresAndSearchesCanBeAdded() throws {
    let albums: ListPage<Album> = try fixture.page("library.albums", #"{"year":1993}"#)
    _ = try add([try #require(albums.items.first).uri])
    #expect(try fixture.titles("list") == ["Human Behaviour", "Violently Happy"])
    let artists: ListPage<Artist> = try fixture.page("library.artists")
    _ = try add([try #require(artists.items.first { $0.name == "Кино" }).uri])
    let kino = ["Группа крови", "Закрой за мной дверь", "Звезда по имени Солнце"]
    #expect(try fixture.titles("list") == kino, "albums are in order, the oldest first")
    _ = try add(["segue:genre/rock"])
    #expect(Set(try fixture.titles("list")) == Set(kino))
    _ = try add(["segue:search/%D0%B7%D0%B2%D0%B5%D0%B7%D0%B4%D0%B0%20year%3A1989", fixture.uri("loose")])
    #expect(try fixture.titles("list") == ["Звезда по имени Солнце", "Loose"])
  }

  @Test func urisWithoutMatchesAreListed() throws {
    for uri in [
      "segue:album/99999", "segue:artist/99999", "segue:genre/none", "segue:playlist/none", "segue:search/qqqqqqqq",
      "segue:nothing/1", "segue:album/x", "segue:", "segue:playlist/..%2F..%2Fetc",
    ] {
      let failed = try add([uri])["failed"]?.elements
      #expect(failed?.count == 1, "\(uri)")
      #expect(failed?.first?["uri"]?.string == uri)
      #expect(failed?.first?["kind"]?.string == "not_found")
    }
    #expect(try fixture.client.errorResponse(to: "play", #"{"uri":"segue:album/99999"}"#).kind == "not_found")
  }

  /// Waits until the entries of the queue have these titles. It requests the queue now and after every event.
  private func waitForTitles(_ isDone: ([String?]) -> Bool) throws {
    let watcher = try fixture.daemon.connect()
    try watcher.call("subscribe", #"{"topics":["queue"]}"#)
    while !isDone(try fixture.titles("list")) { _ = try watcher.event(of: "queue") }
  }

  private static let allTitles = Set(LibraryFixture.songs.map { $0.tags[0].1 })

  /// Only the scan runs workers.
  /// Returns a daemon with an index and an empty queue.
  private func forgetQueue() throws {
    fixture.daemon.stop()
    let state = fixture.daemon.directory.appending("home/.local/state/segue/segue.db")
    try #require(state.withCString { unlink($0) } == 0)
  }

  @Test func aRefilledQueueTakesAllFactsFromTheIndex() throws {
    try forgetQueue()
    try fixture.restart()
    try waitForTitles { Set($0.compactMap(\.self)) == Self.allTitles }
    #expect(try workersStarted() == 0)
  }

  @Test func filesThatTheScanCannotReadHaveTheirReasonInTheQueue() throws {
    try forgetQueue()
    let broken = fixture.music.appending("broken.flac")
    try AudioFile.write(Array("no music".utf8), to: broken)
    try fixture.restart()
    let watcher = try fixture.daemon.connect()
    try watcher.call("subscribe", #"{"topics":["queue"]}"#)
    func error() throws -> String? {
      let tracks = try fixture.client.call("list")["tracks"]?.elements ?? []
      #expect(tracks.count == 7)
      return tracks.first { $0["uri"]?.string == FileURI.encode(broken) }?["error"]?.string
    }
    while try error() == nil { _ = try watcher.event(of: "queue") }
  }

  // MARK: Initial population

  /// A request to add the music folder refers to the tracks that the daemon has already added.
  @Test(arguments: [true, false]) func theInitialQueueContainsTheMusicFolderOnce(isUnderWay: Bool) throws {
    let folder = quoted(FileURI.encode(fixture.music))
    var client = fixture.client
    if isUnderWay {
      try forgetQueue()
      try fixture.daemon.start()
      client = try fixture.daemon.connect()
    }
    let status = Status(try client.call("play", "{\"uri\":\(folder)}"))
    #expect(status.length == 6)
    #expect(status.index == 0)
    #expect(status.track?.uri == fixture.uri("loose"))
    #expect(status.state == .playing)
    // A further request adds the tracks again.
    #expect(try client.call("queue.add", "{\"uris\":[\(folder)]}")["added"]?.count == 6)
    #expect(Status(try client.call("status")).length == 12)
  }

  @Test func addingTheMusicFolderToTheInitialQueueAddsOnlyRemovedTracks() throws {
    let first = try #require(try fixture.client.call("list")["tracks"]?.elements?.first?["id"]?.int)
    try fixture.client.call("queue.remove", "{\"ids\":[\(first)]}")
    let folder = quoted(FileURI.encode(fixture.music))
    #expect(try fixture.client.call("queue.add", "{\"uris\":[\(folder)]}")["added"]?.count == 6)
    #expect(Status(try fixture.client.call("status")).length == 6)
  }

  @Test func changedFilesAreNotTakenFromTheIndex() throws {
    fixture.daemon.stop()
    try fixture.write(("loose", [("TITLE", "Changed"), ("ARTIST", "Somebody Else")]))
    try fixture.daemon.start()
    // The result is the same, whether the scan or the probe finishes first.
    let client = try fixture.daemon.connect()
    try client.call("queue.replace", "{\"uris\":[\"\(fixture.uri("loose"))\"]}")
    let track = try #require(try client.call("list")["tracks"]?.elements?.first)
    #expect(track["metadata"]?["title"]?.string == "Changed")
  }
}
