import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of items of online catalogues wherever a URI is accepted.
@Suite struct CatalogPlaybackTests {
  let server: CatalogServer
  let fixture: DaemonFixture

  init() throws {
    server = try CatalogServer()
    fixture = try DaemonFixture(.null("test"), configuration: server.configuration)
  }

  private var client: SocketClient { fixture.client }
  private let song = "itunes:song:920000001"

  @Test func itemKeepsItsTitleAfterARestart() throws {
    try fixture.add(uris: [song])
    fixture.daemon.kill()
    server.respond(to: "/itunes/", with: .init(503, ""))
    try fixture.daemon.start()
    try fixture.reconnect()
    let track = try #require(try fixture.client.call("list")["tracks"]?.elements?.first.map(QueueEntry.init))
    #expect((track.uri, track.metadata.title) == (song, "Тестовая песня"))
  }

  /// Requests that have no response yet are sent to another process, those that wait as well as those that were sent.
  @Test func endOfTheFetchProcess_losesNoPicture() throws {
    _ = try client.call("catalog.popular", "{}")
    server.hold("/art/")
    for number in 0..<16 {
      try client.send(#"{"id":\#(number),"method":"art","params":{"uri":"itunes:song:\#(960_000_001 + number)"}}"#)
    }
    try waitUntil("the first pictures are requested") { server.requestCount("/art/") > 1 }
    let process = try #require(
      Processes.children(of: fixture.daemon.pid ?? 0).first { Processes.program(of: $0).hasSuffix("/segue-fetch") })
    kill(process, SIGKILL)
    server.release("/art/")
    for _ in 0..<16 {
      let response = try client.json()
      #expect(response["result"]?["width"]?.int ?? 0 > 0, "\(response["error"]?["message"]?.string ?? "")")
    }
    #expect(try client.call("daemon.stats")["workersLost"]?.int == 1)
  }

  @Test func favorites_keepTheirTitlesAndAreSorted() throws {
    let album = "itunes:album:900000001"
    let unknown = "itunes:song:5"
    let result = FavoriteResult(
      try client.call("favorites.add", "[\(fixture.list(["itunes:film:930000001", song, album, unknown]))]"))
    #expect((result.uris.count, result.failed.listed.map(\.uri)) == (3, [unknown]))
    server.respond(to: "/", with: .init(503, ""))
    func titles(_ sort: String) throws -> [String?] {
      let found = FoundItems(try client.call("favorites.list", #"{"sort":"\#(sort)","order":"ascending"}"#))
      return found.tracks.map(\.metadata.title)
    }
    #expect(try titles("title") == ["Synthetic Film", "Альбом А", "Тестовая песня"])
    #expect(try titles("year").last == "Synthetic Film", "of 2014, the others of 1988")
    fixture.daemon.kill()
    try fixture.daemon.start()
    try fixture.reconnect()
    let found = FoundItems(try fixture.client.call("favorites.list"))
    #expect(Set(found.tracks.map(\.metadata.artist)) == ["Пример", "Director Name"])
  }

  /// The fetch process is needed only while there are requests.
  @Test func fetchProcess_endsAfterTheGracePeriod() throws {
    try client.call("settings.set", #"["player.gracePeriod",0]"#)
    _ = try client.call("catalog.search", #"{"query":"тест","kind":"song"}"#)
    try waitUntil("the fetch process ends") {
      !Processes.children(of: fixture.daemon.pid ?? 0).contains { Processes.program(of: $0).hasSuffix("segue-fetch") }
    }
  }
}
