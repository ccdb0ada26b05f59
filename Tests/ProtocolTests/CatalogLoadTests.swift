import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests that requests to online catalogues do not delay each other, nor anything else.
@Suite final class CatalogLoadTests: CatalogFixture {
  private let song = "itunes:song:920000001"

  // MARK: Additions

  @Test func slowProvider_delaysNoAdditionOfOthers() throws {
    server.hold("/itunes/lookup")
    let other = try fixture.daemon.connect()
    let id = try other.sendRequest("queue.add", #"{"uris":["\#(song)"]}"#)
    try waitUntil("the provider is asked") { server.requestCount("/itunes/lookup") == 1 }
    let track = try fixture.track("1", 0..<1_000)
    #expect(try fixture.add([track]).count == 1)
    server.release("/itunes/lookup")
    #expect(try other.response(to: id)["added"]?.count == 1)
    #expect(try client.call("list")["tracks"]?.elements?.map { $0["uri"]?.string } == [FileURI.encode(track), song])
  }

  @Test func clearedQueue_endsAdditionsThatWaitForAProvider() throws {
    server.hold("/itunes/lookup")
    let other = try fixture.daemon.connect()
    let uris = (1...5).map { "itunes:song:92\($0)" }
    try other.send(#"{"id":1,"method":"queue.add","params":{"uris":\#(fixture.list(uris))}}"#)
    try waitUntil("the provider is asked") { server.requestCount("/itunes/lookup") == 1 }
    try client.call("queue.clear")
    #expect(try other.json()["error"]?["data"]?["kind"]?.string == "cancelled")
    server.release("/itunes/lookup")
    #expect(try fixture.add(uris: [song]).count == 1)
    #expect(server.requestCount("/itunes/lookup") == 2, "the other items are not requested")
  }

  @Test func providerThatCannotBeReached_isAskedOncePerRequest() throws {
    // The cache has one of the items.
    _ = try client.call("catalog.search", #"{"query":"тест","kind":"song"}"#)
    server.respond(to: "/itunes/lookup", with: .init(503, ""))
    let uris = (1...8).map { "itunes:song:93\($0)" } + [song]
    let result = try client.call("queue.add", #"{"uris":\#(fixture.list(uris))}"#)
    #expect(result["added"]?.count == 1)
    #expect(result["failed"]?.elements?.map { $0["kind"]?.string } == Array(repeating: "offline", count: 8))
    #expect(server.requestCount("/itunes/lookup") == 1)
    let favorites = FavoriteResult(try client.call("favorites.add", #"[\#(fixture.list(uris))]"#))
    #expect(favorites.uris.count == 9, "an item that cannot be described is a favorite nevertheless")
    #expect(server.requestCount("/itunes/lookup") == 2)
  }

  // MARK: Pictures

  @Test func pictures_delayNoQuery() throws {
    _ = try client.call("catalog.popular", "{}")
    server.hold("/art/")
    let other = try fixture.daemon.connect()
    for number in 0..<16 {
      try other.send(#"{"id":\#(number),"method":"art","params":{"uri":"itunes:song:\#(960_000_001 + number)"}}"#)
    }
    try waitUntil("pictures are requested") { server.requestCount("/art/") == 8 }
    #expect(try client.call("catalog.search", #"{"query":"тест","kind":"song"}"#)["items"]?.count == 3)
    #expect(!other.hasMore, "no picture has ended before")
    server.release("/art/")
  }

  @Test func picturesOfAClientThatDisconnects_areNotRequested() throws {
    _ = try client.call("catalog.popular", "{}")
    server.hold("/art/")
    do {
      let other = try fixture.daemon.connect()
      for number in 0..<16 {
        try other.send(#"{"id":\#(number),"method":"art","params":{"uri":"itunes:song:\#(960_000_001 + number)"}}"#)
      }
      try waitUntil("pictures are requested") { server.requestCount("/art/") == 8 }
    }
    let id = try client.sendRequest("art", #"{"uri":"itunes:song:960000020"}"#)
    try waitUntil("the picture of the other client is requested") { server.requestCount("/art/") == 9 }
    server.release("/art/")
    #expect(Art(try client.response(to: id)).width > 0)
    #expect(server.requestCount("/art/") == 9)
  }

  @Test func serverOfPictures_isNotAskedBeforeTheTimeThatItStates() throws {
    _ = try client.call("catalog.popular", "{}")
    server.respond(to: "/art/", with: .init(429, headers: ["Retry-After: 3600"], ""))
    for number in 1...3 {
      _ = try client.sendRequest("art", #"{"uri":"itunes:song:\#(960_000_000 + number)"}"#)
      let error = try client.json()["error"]?["data"]
      #expect(error?["kind"]?.string == "rate_limited")
      #expect((3590...3600).contains(error?["retryAfter"]?.double ?? 0))
    }
    #expect(server.requestCount("/art/") == 1)
  }

  // MARK: Responses

  /// Long responses are sent in slices, between which nothing else may be written.
  @Test func longResponses_areWhole() throws {
    let text = String(repeating: #"\""#, count: 3_200)
    let episodes = (1...200).map { id in
      #"{"kind":"podcast-episode","trackId":\#(id),"trackName":"\#(text)","description":"\#(text)"}"#
    }
    let podcast = #"{"kind":"podcast","collectionId":1,"collectionName":"\#(text)"}"#
    server.respond(
      to: "/itunes/", with: .init(200, #"{"results":[\#(([podcast] + episodes).joined(separator: ","))]}"#))
    let other = try fixture.daemon.connect()
    try other.send(#"{"id":0,"method":"subscribe"}"#)
    #expect(try other.json()["id"]?.int == 0)
    for id in 1...16 { try other.send(#"{"id":\#(id),"method":"catalog.info","params":["itunes:podcast:1"]}"#) }
    for id in 17...20 {
      try other.send(#"{"id":\#(id),"method":"library.tracks"}"#)
      try other.send(#"[{"id":\#(id + 4),"method":"status"},{"id":\#(id + 8),"method":"volume","params":[\#(id)]}]"#)
    }
    var ids: Set<Int> = []
    while ids.count < 28 {
      let json = try other.json()
      for response in json.elements ?? [json] {
        guard let id = response["id"]?.int else { continue }
        #expect(ids.insert(id).inserted)
        if id <= 16 { #expect(response["result"]?["contents"]?.count ?? 0 > 100) }
      }
    }
    #expect(ids == Set(1...28))
  }

  // MARK: Suggestions

  @Test func suggestionsInTheCache_areNotDelayed() throws {
    _ = try client.call("catalog.suggest", #"["musi"]"#)
    _ = try client.call("catalog.search", #"{"query":"music","kind":"song"}"#)
    _ = try client.call("catalog.suggest", #"["musi"]"#)
    // The results of both are in the cache, which answers in order.
    try client.send(#"{"id":1,"method":"catalog.suggest","params":["musi"]}"#)
    try client.send(#"{"id":2,"method":"catalog.search","params":{"query":"music","kind":"song"}}"#)
    #expect(try [client.json()["id"]?.int, client.json()["id"]?.int] == [1, 2])
  }

  @Test func suggestions_leaveRequestsToSearches() throws {
    var kinds: [String?] = []
    for number in 10..<21 {
      let other = try fixture.daemon.connect()
      try other.send(#"{"id":1,"method":"catalog.suggest","params":["text \#(number)"]}"#)
      kinds.append(try other.json()["error"]?["data"]?["kind"]?.string)
    }
    #expect(kinds == Array(repeating: nil, count: 10) + ["rate_limited"])
    #expect(try client.call("catalog.search", #"{"query":"text","kind":"song"}"#)["items"]?.count == 3)
  }
}
