import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of pages of long lists of online catalogues, through a daemon and its fetch process.
@Suite final class CatalogPageTests: CatalogFixture {
  private func page(_ method: String, _ params: String) throws -> CatalogPage {
    CatalogPage(try client.call(method, params))
  }

  /// Makes the server have films with the ids from 1 on, 20 a page as TMDb.
  private func listFilms(_ count: Int) {
    server.respond(to: "/tmdb/") { target in
      let number = target.split(separator: "=").last.flatMap { Int($0) } ?? 0
      let films = ((number - 1) * 20..<max((number - 1) * 20, min(number * 20, count)))
        .map { #"{"id":\#($0 + 1),"title":"Film \#($0 + 1)"}"# }.joined(separator: ",")
      return .init(200, #"{"page":\#(number),"results":[\#(films)],"total_results":\#(count)}"#)
    }
  }

  @Test func pagesOfFilms_followOneAnotherWithoutGaps() throws {
    try client.call("catalog.setToken", #"["tmdb","secret"]"#)
    listFilms(75)
    for (offset, films) in [(0, 1...30), (30, 31...60), (60, 61...75)] {
      let page = try page("catalog.search", #"{"query":"film","kind":"film","offset":\#(offset)}"#)
      #expect(page.items.map(\.uri) == films.map { "tmdb:film:\($0)" })
      #expect((page.offset, page.limit, page.total, page.stale) == (offset, 30, 75, false))
    }
    #expect(server.requestCount("/tmdb/search/movie") == 4, "each page of the provider is requested once")
    let popular = try page("catalog.popular", #"{"kind":"film","genre":null,"limit":50}"#)
    #expect(popular.items.count == 50)
    #expect(try page("catalog.popular", #"{"kind":"film","genre":null,"offset":75}"#).items.isEmpty)
  }

  @Test func failedPage_failsTheWhole() throws {
    try client.call("catalog.setToken", #"["tmdb","secret"]"#)
    listFilms(75)
    server.respond(
      to: "/tmdb/search/movie?query=film&language=en-US&region=US&include_adult=false&page=2", with: .init(500, ""))
    let error = try client.errorResponse(to: "catalog.search", #"{"query":"film","kind":"film"}"#)
    #expect(error.kind == "bad_response")
  }

  @Test func genre_choosesTheProvider() throws {
    try client.call("catalog.setToken", #"["tmdb","secret"]"#)
    #expect(try page("catalog.popular", #"{"kind":"film","genre":"4401"}"#).provider == "itunes")
    #expect(try page("catalog.popular", #"{"kind":"film","genre":"28"}"#).provider == "tmdb")
  }

  @Test func artists_areThoseOfTheCountry() throws {
    _ = try page("catalog.people", #"{"country":"de"}"#)
    #expect(server.requests.last?.hasPrefix("GET /itunes/de/rss/topalbums/") == true)
    let outcome = try ClientProcess.run(
      ["people", "--country", "fr"], environment: ["SEGUE_SOCKET": "\(daemon.socket)"])
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(server.requests.last?.hasPrefix("GET /itunes/fr/rss/topalbums/") == true)
  }

  /// The most popular artists are those of the most popular albums: both lists are read from one chart.
  @Test func albumsAndArtists_areTwoListsOfOneChart() throws {
    server.respond(to: "/itunes/us/rss/topalbums/", with: .init(200, CatalogSample.albumChart))
    for refresh in [false, false, true] {
      let albums = try page("catalog.popular", #"{"kind":"album","refresh":\#(refresh)}"#)
      let artists = try page("catalog.people", #"{"refresh":\#(refresh)}"#)
      #expect(albums.items.map(\.uri) == ["itunes:album:6"])
      #expect(artists.items.map(\.uri) == ["itunes:artist:7"])
    }
    #expect(server.requests.count == 4)
  }

  /// A lookup by the id of a song is the same request as one by the id of a film.
  @Test func itemsOfTwoKinds_mayHaveOneID() throws {
    let song = #"{"kind":"song","trackId":6,"trackName":"Song"}"#
    let film = #"{"kind":"feature-movie","trackId":6,"trackName":"Film"}"#
    server.respond(to: "/itunes/lookup", with: .init(200, #"{"results":[\#(song),\#(film)]}"#))
    for (kind, title) in [("song", "Song"), ("film", "Film"), ("song", "Song")] {
      let details = CatalogDetails(try client.call("catalog.info", #"{"uri":"itunes:\#(kind):6"}"#))
      #expect((details.item.uri, details.item.title) == ("itunes:\(kind):6", title))
    }
  }

  @Test func pagesOfAlbums_areSortedAsOneList() throws {
    // Best matches first: the order of the titles differs from it, and depends on the number of results.
    server.respond(to: "/itunes/search") { target in
      let limit = target.split(separator: "=").last.flatMap { Int($0) } ?? 0
      let albums = (0..<min(limit, 70)).map { index in
        let number = (index * 37 + limit) % 70 + 1
        return """
          {"wrapperType":"collection","collectionType":"Album","collectionId":\(number),
          "collectionName":"Album \(number < 10 ? "0" : "")\(number)"}
          """
      }
      return .init(200, #"{"resultCount":\#(albums.count),"results":[\#(albums.joined(separator: ","))]}"#)
    }
    var titles: [String] = []
    for offset in [0, 30, 60] {
      titles += try page("catalog.search", #"{"query":"album","kind":"album","offset":\#(offset)}"#).items.map(\.title)
    }
    #expect(titles == (1...70).map { "Album \($0 < 10 ? "0" : "")\($0)" })
    #expect(server.requestCount("/itunes/search") == 1)
  }
}
