import SegueSystem
import SegueWire
import Testing

@testable import SegueCatalogProviders

@Suite struct RadioBrowserTests {
  private let provider = Sample.radio
  private let uri = "radio:aaaaaaaa-0000-4000-8000-000000000001"

  @Test func requests_haveNameTagCountryAndPage() throws {
    func url(_ query: CatalogQuery) throws -> String {
      let url = try provider.request(for: query).url
      return String(url.dropFirst("https://all.api.radio-browser.info/json/".count))
    }
    #expect(
      try url(CatalogQuery(.search(.station, "jazz & blues"), country: "de"))
        == "stations/search?name=jazz%20%26%20blues&countrycode=DE&hidebroken=true&order=clickcount&reverse=true&offset=0&limit=30"
    )
    #expect(
      try url(CatalogQuery(.popular(.station, genre: "Smooth Jazz"), page: PageRequest(offset: 20, limit: 20)))
        == "stations/search?tagList=smooth%20jazz&hidebroken=true&order=clickcount&reverse=true&offset=20&limit=20")
    #expect(try url(CatalogQuery(.played(try CatalogItemURI(uri)))) == "url/\(uri.dropFirst(6))")
    #expect(try url(CatalogQuery(.details(try CatalogItemURI(uri)))) == "stations/byuuid/\(uri.dropFirst(6))")
    expectFailure(.invalidParams) { try url(CatalogQuery(.popular(.station, genre: "a,b"))) }
    expectFailure(.invalidParams) { try url(CatalogQuery(.search(.song, "abc"))) }
  }

  @Test func stations_haveTagsCountryAndStream() throws {
    let query = CatalogQuery(.search(.station, "jazz"))
    let result = try provider.result(of: query, from: Sample.file("radio_stations.json"))
    #expect(result.entries.count == 2, "one station has a malformed UUID")
    let item = result.entries[0].item
    #expect((item.uri, item.title, item.language) == (uri, "Synthetic Jazz", "de"))
    #expect(item.genres == ["jazz", "smooth jazz", "blues"])
    #expect((item.fact(.country), item.fact(.codec), item.fact(.bitrate)) == ("DE", "MP3", "128"))
    #expect(item.rating == CatalogItem.Rating(votes: 12, popularity: 99))
    #expect(result.entries[0].stream == "http://127.0.0.1:80/media/station.mp3")
    #expect(
      (result.entries[1].stream, result.entries[1].item.playable, result.entries[1].item.link) == (nil, false, nil))
    #expect(result.total == 2)
  }

  @Test func pageWithAsManyStationsAsRequested_isNotTheLast() throws {
    let query = CatalogQuery(.search(.station, "jazz"), page: PageRequest(offset: 10, limit: 3))
    let result = try provider.result(of: query, from: Sample.file("radio_stations.json"))
    #expect((result.total, result.offset) == (nil, 10))
    #expect(result.entries(of: query.page).count == 2)
  }

  @Test func stationIsResolvedToItsStream() throws {
    let response = try Sample.file("radio_stations.json")
    let result = try provider.result(of: CatalogQuery(.details(try CatalogItemURI(uri))), from: response)
    #expect(result.entries.first?.stream == "http://127.0.0.1:80/media/station.mp3")
    let silent = try CatalogItemURI("radio:aaaaaaaa-0000-4000-8000-000000000002")
    #expect(try provider.result(of: CatalogQuery(.details(silent)), from: response).entries.first?.stream == nil)
    // The server responds to an unknown UUID with an empty list.
    expectFailure(.notFound) { try provider.result(of: CatalogQuery(.details(silent)), from: Sample.response("[]")) }
  }
}
