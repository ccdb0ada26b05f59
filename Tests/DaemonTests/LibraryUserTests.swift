import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of favorites, ratings and searches, and of their durability after `kill -9`.
@Suite struct LibraryUserTests {
  let fixture: LibraryFixture

  init() throws { fixture = try LibraryFixture() }

  private func favorites(_ params: String? = nil) throws -> FoundItems {
    FoundItems(try fixture.client.call("favorites.list", params))
  }

  private func change(_ method: String, _ uris: [String]) throws -> FavoriteResult {
    let list = uris.map(quoted).joined(separator: ",")
    return FavoriteResult(try fixture.client.call(method, "{\"uris\":[\(list)]}"))
  }

  /// A request may have 65,536 values and a megabyte. The loop only passes its URIs on, as for a method that compares
  /// them with others on another thread.
  @Test(arguments: ["favorites.add", "favorites.remove"])
  func theLoopDoesNotReadTheURIsOfManyFavorites(method: String) throws {
    let uris = "\"uris\":[\((10_000..<60_000).map { "\"file:///\($0)\"" }.joined(separator: ","))]"
    let pid = try #require(fixture.daemon.pid)
    try fixture.client.call("playlists.save", #"{"name":"short","uris":["http://a/1"]}"#)
    let start = Processes.mainThreadTime(of: pid)
    _ = try fixture.client.errorResponse(to: "playlists.remove", "{\"name\":\"short\",\"indices\":[0],\(uris)}")
    let passedOn = Processes.mainThreadTime(of: pid)
    try fixture.client.call(method, "{\(uris)}")
    let taken = Processes.mainThreadTime(of: pid) - passedOn
    #expect(taken < 2 * (passedOn - start), "nanoseconds of the loop")
  }

  @Test func theQueueStatesTheRatingsOfItsTracks() throws {
    let uri = fixture.uri("loose")
    try fixture.client.call("queue.add", "{\"uris\":[\(quoted(uri))]}")
    func ratings() throws -> [Int?] {
      QueuePage(try fixture.client.call("queue.list")).tracks.filter { $0.uri == uri }.map(\.rating)
    }
    #expect(try ratings() == [nil])
    for rating in [0, 10, 7] {
      try fixture.client.call("rating.set", "{\"uri\":\(quoted(uri)),\"rating\":\(rating)}")
      #expect(try ratings() == [rating])
    }
    fixture.daemon.kill()
    try fixture.restart()
    try waitUntil("the ratings are read") { try ratings() == [7] }
    try fixture.client.call("rating.set", "{\"uri\":\(quoted(uri)),\"rating\":null}")
    #expect(try ratings() == [nil])
  }

  @Test func confirmedUserDataSurvivesAKill() throws {
    _ = try change("favorites.add", [fixture.uri("loose"), "segue:artist/1"])
    try fixture.client.call("rating.set", "{\"uri\":\"\(fixture.uri("loose"))\",\"rating\":3}")
    try fixture.client.call("playlists.save", "{\"name\":\"kept\",\"uris\":[\"\(fixture.uri("loose"))\"]}")
    fixture.daemon.kill()
    try fixture.restart()
    let kept = try favorites()
    #expect(kept.tracks.map(\.uri) == [fixture.uri("loose")])
    #expect(kept.tracks.map(\.rating) == [3])
    #expect(kept.artists.map(\.id) == [1])
    #expect(try fixture.titles("playlists.load", #"{"name":"kept"}"#) == ["Loose"])
    _ = try change("favorites.remove", [fixture.uri("loose")])
    fixture.daemon.kill()
    try fixture.restart()
    #expect(try favorites().tracks.isEmpty)
    #expect(try favorites().total == 1)
  }
}
