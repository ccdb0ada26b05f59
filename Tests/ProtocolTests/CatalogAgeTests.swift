import SegueSQLite
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of items whose results in the cache are old.
@Suite final class CatalogAgeTests: CatalogFixture {
  private let song = "itunes:song:920000001"

  /// Restarts the daemon with a cache whose results are older than they were.
  private func restart(afterSeconds seconds: Int64) throws {
    // It writes the cache before it ends.
    fixture.daemon.stop()
    let path = fixture.daemon.directory.appending("home/.cache/segue/catalog.db")
    try SQLiteConnection(path: path, busyTimeout: .zero).execute(
      "UPDATE result SET received = received - \(seconds * 1_000_000_000)")
    try fixture.daemon.start()
    try fixture.reconnect()
  }

  @Test func itemOfAnOutdatedList_isUsedIfTheProviderCannotBeReached() throws {
    _ = try fixture.client.call("catalog.search", #"{"query":"тест","kind":"song"}"#)
    let picture = Art(try fixture.client.call("art", #"{"uri":"\#(song)"}"#))
    try restart(afterSeconds: 2 * 86_400)
    server.respond(to: "/itunes/", with: .init(503, ""))
    #expect(Art(try fixture.client.call("art", #"{"uri":"\#(song)"}"#)) == picture)
    #expect(try fixture.add(uris: [song]).count == 1)
    let track = try #require(try fixture.client.call("list")["tracks"]?.elements?.first.map(QueueEntry.init))
    #expect(track.metadata.title == "Тестовая песня")
  }

  /// The address of a station does not expire; that of a preview does.
  @Test func station_playsIfItsProviderCannotBeReached() throws {
    let station = "radio:aaaaaaaa-0000-4000-8000-000000000001"
    _ = try fixture.client.call("catalog.search", #"{"query":"jazz","kind":"station"}"#)
    _ = try fixture.client.call("catalog.search", #"{"query":"тест","kind":"song"}"#)
    try restart(afterSeconds: 3_600)
    for path in ["/radio/", "/itunes/"] { server.respond(to: path, with: .init(503, "")) }
    try fixture.call("play", #"{"uri":"\#(station)"}"#)
    try fixture.wait { ($0.position ?? .zero) > .zero }
    #expect(server.requestCount("/radio/json/stations/byuuid/") == 1, "the station may have moved")
    _ = try fixture.client.call("play", #"{"uri":"\#(song)"}"#)
    try waitUntil("the song fails") {
      try fixture.client.call("list")["tracks"]?.elements?.last.map(QueueEntry.init)?.errorKind == .offline
    }
  }

  /// Without the header, a search is fresh for ten minutes.
  @Test(arguments: [
    ("Cache-Control: public, max-age=3600", 1_800, 1), ("Cache-Control: max-age=120", 300, 2), ("X-Unknown: 1", 300, 1),
    ("X-Unknown: 1", 1_800, 2),
  ]) func result_isFreshForTheTimeThatTheServerStates(header: String, seconds: Int64, requests: Int) throws {
    server.respond(to: "/itunes/search", with: .init(200, headers: [header], #"{"results":[]}"#))
    _ = try fixture.client.call("catalog.search", #"{"query":"music"}"#)
    try restart(afterSeconds: seconds)
    _ = try fixture.client.call("catalog.search", #"{"query":"music"}"#)
    #expect(server.requestCount("/itunes/search") == requests)
  }

  /// The address of a preview may be valid for a shorter time than what is known about the song.
  @Test func timeThatTheServerStates_isNotThatOfAddresses() throws {
    let songs = try CatalogSample.text("search_songs_cyrillic.json", port: server.port)
    server.respond(to: "/itunes/", with: .init(200, headers: ["Cache-Control: max-age=86400"], songs))
    _ = try fixture.client.call("catalog.info", #"{"uri":"\#(song)"}"#)
    try restart(afterSeconds: 1_800)
    try fixture.call("play", #"{"uri":"\#(song)"}"#)
    try fixture.wait { ($0.position ?? .zero) > .zero }
    #expect(server.requestCount("/itunes/lookup") == 2)
  }

  /// Other stores may not have the item.
  @Test func itemOfAnotherStore_isRequestedFromThatStore() throws {
    _ = try fixture.client.call("catalog.search", #"{"query":"тест","kind":"song","country":"de"}"#)
    _ = try fixture.client.call("catalog.info", #"{"uri":"\#(song)"}"#)
    #expect(server.requests.last?.contains("country=de") == true)
    try restart(afterSeconds: 2 * 86_400)
    try fixture.call("play", #"{"uri":"\#(song)"}"#)
    try fixture.wait { ($0.position ?? .zero) > .zero }
    let lookups = server.requests.filter { $0.hasPrefix("GET /itunes/lookup") }
    #expect(lookups.count == 2)
    #expect(lookups.allSatisfy { $0.contains("country=de") })
  }
}
