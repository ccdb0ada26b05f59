import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of queries to online catalogues, through a daemon and its fetch process, against a server on the loopback
/// interface.
@Suite final class CatalogQueryTests: CatalogFixture {
  private func page(_ method: String, _ params: String) throws -> CatalogPage {
    CatalogPage(try client.call(method, params))
  }

  private func failure(_ method: String, _ params: String) throws -> (kind: String?, message: String, data: JSON?) {
    _ = try client.sendRequest(method, params)
    let error = try #require(try client.json()["error"])
    return (error["data"]?["kind"]?.string, error["message"]?.string ?? "", error["data"])
  }

  /// Makes the daemon read another configuration, and waits until it uses it.
  private func configure(_ text: String) throws {
    try daemon.configure(text)
    try daemon.reload()
  }

  // MARK: Results

  @Test func songs_areFound() throws {
    let page = try page("catalog.search", #"{"query":"тест","kind":"song"}"#)
    #expect(page.items.count == 3)
    #expect((page.items.first?.title, page.items.first?.creator) == ("Тестовая песня", "Пример"))
    #expect((page.provider, page.offset, page.limit, page.stale, page.age) == ("itunes", 0, 30, false, nil))
    #expect(page.attribution == "provided courtesy of iTunes")
    let request = try #require(server.requests.last)
    #expect(request.hasPrefix("GET /itunes/search?term=%D1%82%D0%B5%D1%81%D1%82&media=music&entity=song&country=us&"))
    #expect(request.contains("\r\nAccept-Encoding: gzip\r\n"))
  }

  @Test func albums_areSortedByTitleInTheCollation() throws {
    let titles = try page("catalog.search", #"{"query":"пример","kind":"album"}"#).items.map(\.title)
    #expect(titles.count == 5)
    #expect(titles == ["Banana", "zebra", "Альбом А", "Ёлка", "Жук"])
  }

  @Test func pageInTheCache_needsNoRequest() throws {
    _ = try page("catalog.search", #"{"query":"тест","kind":"song"}"#)
    let second = try page("catalog.search", #"{"query":"тест","kind":"song"}"#)
    #expect(server.requestCount("/itunes/search") == 1)
    #expect(!second.stale)
    #expect((second.age ?? .maximum) < .seconds(60))
    #expect(second.items.count == 3)
  }

  @Test func chart_hasPagesOfTwentyAndIsRefreshed() throws {
    let first = try page("catalog.popular", "{}")
    #expect((first.items.count, first.total, first.limit) == (20, 45, 20))
    let last = try page("catalog.popular", #"{"offset":40}"#)
    #expect(last.items.map(\.title) == (41...45).map { "Chart Song \($0)" })
    #expect(server.requestCount("/itunes/us/rss/topsongs/") == 1, "a chart is requested once for all pages")
    let refreshed = try page("catalog.popular", #"{"refresh":true}"#)
    #expect(server.requestCount("/itunes/us/rss/topsongs/") == 2)
    #expect(server.requests.last?.contains("If-None-Match: ") == true)
    #expect((refreshed.items.count, refreshed.age) == (20, nil), "the server has confirmed the chart")
  }

  @Test func popularFilms_areOfTheGenreInTheSettings() throws {
    _ = try page("catalog.popular", #"{"kind":"film"}"#)
    #expect(server.requestCount("/itunes/us/rss/topmovies/limit=100/genre=4401/json") == 1)
    _ = try page("catalog.popular", #"{"kind":"film","genre":null}"#)
    #expect(server.requestCount("/itunes/us/rss/topmovies/limit=100/json") == 1)
    try client.call("settings.set", #"["catalog.genre","comedy"]"#)
    _ = try page("catalog.popular", #"{"kind":"film"}"#)
    #expect(server.requestCount("/itunes/us/rss/topmovies/limit=100/genre=4404/json") == 1)
  }

  @Test func details_areTheItemAndItsContents() throws {
    let album = CatalogDetails(try client.call("catalog.info", #"{"uri":"itunes:album:900000001"}"#))
    #expect((album.item.title, album.contents.map(\.kind), album.total) == ("Альбом А", [.song, .song], 2))
    let page = CatalogDetails(
      try client.call("catalog.info", #"{"uri":"itunes:album:900000001","offset":1,"limit":1}"#))
    #expect(page.contents == [album.contents[1]])
    #expect(server.requestCount("/itunes/lookup") == 1)
    #expect(try failure("catalog.info", #"{"uri":"itunes:album:5"}"#).kind == "not_found")
    #expect(try failure("catalog.info", #"{"uri":"file:///a"}"#).kind == "not_found")
    #expect(try failure("catalog.person", #"{"uri":"itunes:album:900000001"}"#).kind == "invalid_params")
  }

  @Test func stations_areFoundByNameAndTag() throws {
    let station = try #require(try page("catalog.search", #"{"query":"jazz","kind":"station"}"#).items.first)
    #expect((station.uri, station.title) == ("radio:aaaaaaaa-0000-4000-8000-000000000001", "Synthetic Jazz"))
    #expect(server.requests.last?.contains("countrycode") == false, "the country of the store limits no stations")
    _ = try page("catalog.popular", #"{"kind":"station","genre":"jazz","country":"de"}"#)
    #expect(server.requests.last?.contains("tagList=jazz&countrycode=DE&") == true)
  }

  @Test func favorites_areMarked() throws {
    try client.call("favorites.add", #"[["itunes:song:920000001"]]"#)
    let items = try page("catalog.search", #"{"query":"тест","kind":"song"}"#).items
    #expect(items.map(\.favorite) == items.map { $0.uri == "itunes:song:920000001" })
    #expect(items.contains { $0.favorite })
  }

  @Test func providersAndGenres_areListed() throws {
    let providers = CatalogProviderList(try client.call("catalog.providers")).providers
    #expect(Set(providers.map(\.name)) == ["itunes", "tmdb", "radio"])
    #expect(providers.first { $0.name == "tmdb" }?.error?.text.contains("token") == true)
    let genres = CatalogGenreList(try client.call("catalog.genres", #"{"kind":"film"}"#)).genres
    #expect(Set(genres.map(\.provider)) == ["itunes", "tmdb"])
    #expect(try failure("catalog.genres", #"{"kind":"film","provider":"x"}"#).kind == "not_found")
  }

  // MARK: Hints and suggestions

  @Test func lastFiveSearches_areHints() throws {
    for query in ["one", "two", "three", "Four", "five", "six", "  six\\t", "TWO"] {
      _ = try page("catalog.search", #"{"query":"\#(query)","kind":"song"}"#)
    }
    func hints(_ prefix: String) throws -> [String] {
      SearchList(try client.call("catalog.hints", #"["\#(prefix)"]"#)).searches
    }
    #expect(try hints("") == ["TWO", "six", "five", "Four", "three"])
    #expect(try hints("O") == ["TWO", "Four"], "case is ignored")
    #expect(try client.call("history.searches")["searches"]?.count == 0, "searches in the library are separate")
    // The daemon writes them before it ends.
    daemon.stop()
    try daemon.start()
    let restarted = try daemon.connect()
    #expect(SearchList(try restarted.call("catalog.hints")).searches.first == "TWO")
  }

  @Test func newRequestForSuggestions_cancelsThePreviousOne() throws {
    server.hold("/itunes/search?term=mus&")
    try client.send(#"{"id":1,"method":"catalog.suggest","params":["mus"]}"#)
    try server.waitForRequest("/itunes/search?term=mus&")
    try client.send(#"{"id":2,"method":"catalog.suggest","params":["musi"]}"#)
    try client.send(#"{"id":3,"method":"catalog.suggest","params":["music"]}"#)
    var kinds: [Int: String] = [:]
    while kinds.count < 3 {
      let response = try client.json()
      kinds[response["id"]?.int ?? 0] = response["error"]?["data"]?["kind"]?.string ?? "found"
    }
    #expect(kinds == [1: "cancelled", 2: "cancelled", 3: "found"])
    #expect(server.requestCount("/itunes/search?term=musi&") == 0, "the provider is asked after a pause in typing")
    #expect(server.requestCount("/itunes/search?term=music&") == 1)
  }

  @Test func slowProvider_delaysNoOtherRequest() throws {
    server.hold("/itunes/search")
    try client.send(#"{"id":1,"method":"catalog.search","params":["music"]}"#)
    try client.send(#"{"id":2,"method":"status"}"#)
    #expect(try client.json()["id"]?.int == 2)
    server.release("/itunes/search")
    #expect(try client.json()["id"]?.int == 1)
  }

  /// The requests of a batch are carried out although nobody reads the responses.
  @Test func clientsThatDisconnectInABatch_leaveNoSession() throws {
    server.hold("/itunes/search")
    let clients = try client.call("daemon.stats")["clients"]?.int
    for number in 0..<4 {
      for method in ["catalog.search", "catalog.suggest"] {
        let request = #"{"id":1,"method":"\#(method)","params":["unanswered \#(number)"]}"#
        for batch in ["[\(request)]", #"[\#(request),{"id":2,"method":"status"}]"#] { try daemon.connect().send(batch) }
      }
    }
    try waitUntil("the sessions are closed") { try client.call("daemon.stats")["clients"]?.int == clients }
  }

  // MARK: Errors

  @Test func shortQuery_isRefusedWithTheMessageForUsers() throws {
    for method in [#"catalog.search","params":{"query":"ab"}"#, #"catalog.suggest","params":{"prefix":" a "}"#] {
      try client.send(#"{"id":1,"method":"\#(method)}"#)
      let error = try client.json()["error"]
      #expect(error?["data"]?["kind"]?.string == "query_too_short")
      #expect(error?["message"]?.string == "Please enter at least 3 characters for the search")
    }
    #expect(server.requests.isEmpty)
    #expect(try client.call("status")["state"]?.string == "stopped", "the session goes on")
  }

  @Test func unreachableProvider_isAnsweredFromTheCache() throws {
    _ = try page("catalog.popular", "{}")
    for response in [
      CatalogServer.Response(503, ""), .init(500, "{}"), .init(200, headers: ["Content-Type: text/html"], "<html>"),
      .init(429, headers: ["Retry-After: 1"], ""),
    ] {
      server.respond(to: "/itunes/", with: response)
      let page = try page("catalog.popular", #"{"refresh":true}"#)
      #expect(page.stale)
      #expect(page.age != nil)
      #expect(page.items.count == 20)
    }
    #expect(try failure("catalog.search", #"{"query":"music"}"#).kind == "rate_limited")
  }

  /// iTunes responds so beyond its rate, without saying for how long.
  @Test func refusalOfITunes_isALimitOfAMinute() throws {
    _ = try page("catalog.popular", "{}")
    server.respond(to: "/itunes/", with: .init(403, ""))
    let first = try failure("catalog.search", #"{"query":"music"}"#)
    #expect((first.kind, first.data?["retryAfter"]?.double) == ("rate_limited", 60))
    #expect(try page("catalog.popular", #"{"refresh":true}"#).stale)
    #expect(try failure("catalog.search", #"{"query":"other"}"#).kind == "rate_limited")
    #expect(server.requests.count == 2, "the server is not asked again before that time")
  }

  @Test(arguments: [
    (CatalogServer.Response(200, headers: ["Content-Type: text/html"], "<html></html>"), "bad_response"),
    (.init(200, "{"), "bad_response"), (.init(200, "[]"), "bad_response"), (.init(200, ""), "bad_response"),
    (.init(400, #"{"errorMessage":"no"}"#), "invalid_params"), (.init(404, "{}"), "not_found"),
    (.init(500, "{}"), "bad_response"), (.init(503, ""), "offline"),
    (.init(301, headers: ["Location: file:///etc/passwd"], ""), "denied"),
    (.truncated, "offline"),
    (.init(200, body: Array(repeating: 0x20, count: 5 << 20)), "bad_response"),
    (.init(302, headers: ["Location: /itunes/again"], ""), "bad_response"),
    (.bomb, "bad_response"),
  ]) func badResponse_becomesAnError(response: CatalogServer.Response, kind: String) throws {
    server.respond(to: "/itunes/", with: response)
    let error = try failure("catalog.search", #"{"query":"music","kind":"song"}"#)
    #expect(error.kind == kind, "\(error.message)")
    server.respond(to: "/itunes/", with: nil)
    // An error is not stored.
    #expect(try page("catalog.search", #"{"query":"music","kind":"song"}"#).items.count == 3)
  }

  @Test func limitOfTheProvider_isStatedWithTheTime() throws {
    server.respond(to: "/itunes/", with: .init(429, headers: ["Retry-After: 7"], ""))
    let first = try failure("catalog.search", #"{"query":"music"}"#)
    #expect((first.kind, first.data?["retryAfter"]?.double) == ("rate_limited", 7))
    let second = try failure("catalog.search", #"{"query":"other"}"#)
    #expect(second.kind == "rate_limited")
    #expect((second.data?["retryAfter"]?.double ?? 100) <= 7)
    #expect(server.requests.count == 1, "the server is not asked again before that time")
  }

  @Test func tooManyRequests_areRefusedBeforeTheyAreSent() throws {
    for number in 0..<20 { _ = try page("catalog.search", #"{"query":"query \#(number)"}"#) }
    let error = try failure("catalog.search", #"{"query":"one more"}"#)
    #expect(error.kind == "rate_limited")
    #expect((error.data?["retryAfter"]?.double ?? 0) > 0)
    #expect(server.requests.count == 20)
    // The cache needs no request.
    #expect(try page("catalog.search", #"{"query":"query 3"}"#).items.count == 3)
  }

  @Test func refusedConnection_isOffline() throws {
    let url = "http://127.0.0.1:9"
    try configure(server.configuration + "ITunesURL=\(url)\n")
    #expect(try failure("catalog.search", #"{"query":"music"}"#).kind == "offline")
  }
}
