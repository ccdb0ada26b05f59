import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of items of online catalogues wherever a URI is accepted.
@Suite final class CatalogPlaybackTests: CatalogFixture {
  private let song = "itunes:song:920000001"

  @Test func song_playsWithItsTitleAndCreator() throws {
    let status = try fixture.call("play", #"{"uri":"\#(song)"}"#)
    #expect((status.track?.metadata.title, status.track?.metadata.artist) == ("Тестовая песня", "Пример"))
    #expect((status.track?.metadata.album, status.track?.metadata.year) == ("Альбом А", 1988))
    #expect(status.track?.uri == song)
    try fixture.wait { $0.state == .playing && ($0.position ?? .zero) > .zero }
    #expect(server.requestCount("/media/preview1.m4a") >= 1)
    try fixture.waitForStop()
    let played = try #require(try client.call("list")["tracks"]?.elements?.first.map(QueueEntry.init))
    // The duration is that of the preview, not that of the song.
    #expect((played.duration ?? .maximum) < .seconds(10))
    #expect((played.metadata.title, played.error) == ("Тестовая песня", nil))
  }

  @Test func songOfASearch_isPlayedWithoutAnotherRequest() throws {
    _ = try client.call("catalog.search", #"{"query":"тест","kind":"song"}"#)
    try fixture.call("play", #"{"uri":"\#(song)"}"#)
    try fixture.wait { ($0.position ?? .zero) > .zero }
    #expect(server.requestCount("/itunes/lookup") == 0)
  }

  @Test func album_addsItsSongs() throws {
    let added = try client.call("queue.add", #"{"uris":["itunes:album:900000001"]}"#)
    #expect(added["added"]?.count == 2)
    let tracks = try client.call("list")["tracks"]?.elements?.map(QueueEntry.init) ?? []
    #expect(tracks.map(\.metadata.title) == ["Вторая", "Первая"])
    #expect(tracks.allSatisfy { $0.uri.hasPrefix("itunes:song:") && $0.metadata.album == "Альбом А" })
  }

  /// The last request determines what is played, not the item that its catalogue described last.
  @Test(arguments: [
    ("play", #"{"index":2}"#), ("play", #"{"uri":"FILE"}"#), ("next", "{}"), ("prev", "{}"), ("stop", "{}"),
  ])
  func itemThatIsDescribedLate_doesNotReplaceWhatWasRequestedLater(method: String, parameters: String) throws {
    let files = try fixture.album([441_000, 441_000, 441_000])
    let other = try fixture.write("other.wav", AudioFile.wave(Signal.pcm(0..<441_000)))
    try fixture.add(files)
    try fixture.call("play", #"{"index":1}"#)
    server.hold("/itunes/lookup")
    let slow = try fixture.daemon.connect()
    let late = try slow.sendRequest("play", #"{"uri":"\#(song)"}"#)
    try server.waitForRequest("/itunes/lookup")
    let chosen = try fixture.call(method, parameters.replacing("FILE", with: FileURI.encode(other)))
    server.release("/itunes/lookup")
    _ = try slow.response(to: late)
    let tracks = try client.call("list")["tracks"]?.elements?.map(QueueEntry.init) ?? []
    #expect(tracks.contains { $0.uri == song }, "the item is added")
    let status = try fixture.status()
    #expect((status.track?.uri, status.state) == (chosen.track?.uri, chosen.state))
    #expect(chosen.track?.uri != song)
  }

  @Test func itemThatIsDescribedLate_isPlayedIfALaterRequestFails() throws {
    try fixture.add(try fixture.album([441_000]), play: true)
    server.hold("/itunes/lookup")
    let slow = try fixture.daemon.connect()
    let late = try slow.sendRequest("play", #"{"uri":"\#(song)"}"#)
    try server.waitForRequest("/itunes/lookup")
    #expect(try client.errorResponse(to: "play", #"{"uri":"file:///missing.wav"}"#).kind == "not_found")
    #expect(try client.errorResponse(to: "play", #"{"index":9}"#).kind == "no_such_track")
    server.release("/itunes/lookup")
    #expect(try Status(slow.response(to: late)).track?.uri == song)
  }

  @Test func itemsThatCannotBePlayed_areRefusedWithTheReason() throws {
    let uris = ["itunes:artist:1", "itunes:song:5", "itunes:song:x", "tmdb:film:101", song]
    let result = try client.call("queue.add", #"{"uris":\#(fixture.list(uris))}"#)
    #expect(result["added"]?.count == 1)
    let failed = try #require(result["failed"]?.elements)
    #expect(failed.map { $0["uri"]?.string } == uris.dropLast())
    #expect(failed.map { $0["kind"]?.string } == ["not_found", "not_found", "not_found", "denied"])
    let silent = "radio:aaaaaaaa-0000-4000-8000-000000000002"
    #expect(try client.errorResponse(to: "play", #"{"uri":"\#(silent)"}"#).kind == "unplayable")
  }

  /// Items are described one after another; the refusal of one must not be handled within that of the one before.
  @Test func thousandsOfItemsThatAreRefused_areAnswered() throws {
    let uris = Array(repeating: "tmdb:film:1", count: 6_000)
    let result = try client.call("queue.add", #"{"uris":\#(fixture.list(uris))}"#)
    #expect(result["failedTotal"]?.int == 6_000 || result["failed"]?.count ?? 0 > 0)
    _ = try client.call("favorites.add", #"{"uris":\#(fixture.list(uris))}"#)
    #expect(try fixture.status().state == .stopped)
  }

  /// The next track is opened in advance, while the first one is paused.
  @Test func station_countsNoClickBeforeItIsAudible() throws {
    let station = "radio:aaaaaaaa-0000-4000-8000-000000000001"
    try fixture.add(uris: [song, station], play: true)
    try fixture.wait { ($0.position ?? .zero) > .zero }
    try fixture.call("pause")
    try waitUntil("the station is opened") { server.requestCount("/media/station.mp3") >= 1 }
    #expect(server.requestCount("/radio/json/url/") == 0)
    try fixture.call("next")
    try fixture.call("play")
    try waitUntil("the click is counted") { server.requestCount("/radio/json/url/") == 1 }
  }

  @Test func station_countsAClickWhenItIsPlayed() throws {
    let station = "radio:aaaaaaaa-0000-4000-8000-000000000001"
    try fixture.call("play", #"{"uri":"\#(station)"}"#)
    try waitUntil("the click is counted") {
      server.requestCount("/radio/json/url/aaaaaaaa-0000-4000-8000-000000000001") == 1
    }
    #expect(try fixture.status().track?.metadata.title == "Synthetic Jazz")
  }

  @Test func picture_hasTheRequestedSize() throws {
    let medium = Art(try client.call("art", #"{"uri":"\#(song)"}"#))
    #expect(server.requestCount("/art/900000001/600x600bb.jpg") == 1)
    #expect((medium.width > 0, medium.width <= 500) == (true, true))
    let again = Art(try client.call("art", #"{"uri":"\#(song)"}"#))
    #expect(again == medium)
    #expect(server.requestCount("/art/900000001/600x600bb.jpg") == 1, "the picture is in the cache")
    let full = Art(try client.call("art", #"{"uri":"\#(song)","size":"full"}"#))
    #expect(server.requestCount("/art/900000001/3000x3000bb.jpg") == 1)
    let original = try SmallFile.read(Repository.fixture("Tags/front.png"), upTo: 1 << 20)
    #expect(try SmallFile.read(FilePath(full.path), upTo: 1 << 20) == original, "the original picture, byte for byte")
  }

  /// The request for the picture of a track that is no longer current ends at once. That for the same picture in its
  /// full size was sent before, and would fail first otherwise.
  @Test func coverOfTheNextTrack_doesNotWaitForAPicture() throws {
    try fixture.write("cover.png", PictureFile.png(90, 90, [30, 30, 200]))
    let file = try fixture.track("file", 0..<441_000)
    try fixture.add(uris: [song, FileURI.encode(file)])
    server.hold("/art/")
    let other = try fixture.daemon.connect()
    let picture = try other.sendRequest("art", #"{"uri":"\#(song)","size":"full"}"#)
    try server.waitForRequest("/art/900000001/3000x3000bb.jpg")
    try fixture.call("play")
    try server.waitForRequest("/art/900000001/600x600bb.jpg")
    try fixture.call("next", #"{"by":"track"}"#)
    try fixture.wait { $0.track?.uri == FileURI.encode(file) && $0.track?.metadata.art != nil }
    server.release("/art/")
    #expect(Art(try other.response(to: picture)).width > 0)
  }

  /// More pictures than are downloaded at a time.
  @Test func pictures_areDownloadedOneAfterAnother() throws {
    _ = try client.call("catalog.popular", "{}")
    for number in 0..<20 {
      let uri = "itunes:song:\(960_000_001 + number)"
      try client.send(#"{"id":\#(number),"method":"art","params":{"uri":"\#(uri)"}}"#)
    }
    for _ in 0..<20 {
      let response = try client.json()
      #expect(response["result"]?["width"]?.int ?? 0 > 0, "\(response["error"]?["message"]?.string ?? "")")
    }
  }

  @Test(arguments: [
    (CatalogServer.Response(200, headers: ["Content-Type: text/html"], "<html>"), "bad_response"),
    (.init(200, headers: ["Content-Type: image/png"], "not a picture"), "unplayable"), (.init(404, ""), "not_found"),
    (.init(200, body: Array(repeating: 0, count: 11 << 20)), "bad_response"),
  ]) func badPicture_becomesAnError(response: CatalogServer.Response, kind: String) throws {
    server.respond(to: "/art/", with: response)
    #expect(try client.errorResponse(to: "art", #"{"uri":"\#(song)"}"#).kind == kind)
    server.respond(to: "/art/", with: nil)
    #expect(Art(try client.call("art", #"{"uri":"\#(song)"}"#)).width > 0)
  }

  @Test func item_isAFavorite() throws {
    let result = FavoriteResult(try client.call("favorites.add", #"[["ITUNES:song:920000001","itunes:song:x"]]"#))
    #expect((result.uris, result.failed.listed.map(\.uri)) == ([song], ["itunes:song:x"]))
    try fixture.add(uris: [song])
    #expect(try client.call("list")["tracks"]?.elements?.first.map(QueueEntry.init)?.favorite == true)
    try client.call("favorites.remove", #"[["\#(song)"]]"#)
    #expect(try client.call("favorites.list")["total"]?.int == 0)
  }

  /// The favorites are added nevertheless. Their titles are found when they are played.
  @Test func clientThatDisconnects_cancelsTheRequestsForItsFavorites() throws {
    let station = "radio:aaaaaaaa-0000-4000-8000-000000000001"
    server.hold("/itunes/lookup")
    var other: SocketClient? = try fixture.daemon.connect()
    _ = try other?.sendRequest("favorites.add", "[\(fixture.list([song, station]))]")
    try withExtendedLifetime(other) { try server.waitForRequest("/itunes/lookup") }
    other = nil
    try waitUntil("the favorites are added") { try client.call("favorites.list")["total"]?.int == 2 }
    #expect(server.requestCount("/radio/") == 0)
  }

  @Test func favoriteWithoutATitle_getsItWhenItIsPlayed() throws {
    server.respond(to: "/itunes/", with: .init(503, ""))
    try client.call("favorites.add", #"[["\#(song)"]]"#)
    func favorite() throws -> Metadata? {
      FoundItems(try client.call("favorites.list")).tracks.first?.metadata
    }
    #expect(try favorite()?.artist == nil)
    server.respond(to: "/itunes/", with: nil)
    try fixture.call("play", #"{"uri":"\#(song)"}"#)
    try waitUntil("the favorite has a title") { try favorite()?.artist != nil }
    #expect(try (favorite()?.title, favorite()?.artist) == ("Тестовая песня", "Пример"))
  }
}
