import SegueSystem
import SegueWire
import Testing

@testable import SegueCatalogProviders

@Suite struct CatalogResultTests {
  private func entry(_ id: Int, title: String = "t", stream: String? = nil) -> CatalogEntry {
    CatalogEntry(
      item: CatalogItem(uri: "itunes:song:\(id)", kind: .song, title: title, provider: "itunes"), stream: stream)
  }

  private func decoded(_ result: CatalogResult) throws -> CatalogResult {
    var json = JSONWriter()
    result.encode(into: &json)
    return CatalogResult(try JSON(parsing: json.bytes))
  }

  @Test func result_isEqualAfterEncodingAndDecoding() throws {
    for (provider, query, sample) in [
      (Sample.itunes as any CatalogProvider, CatalogQuery(.search(.podcast, "abc")), "search_podcast.json"),
      (Sample.itunes, CatalogQuery(.popular(.song, genre: nil)), "rss_topsongs_45.json"),
      (Sample.tmdb, CatalogQuery(.popular(.film, genre: nil)), "tmdb_films.json"),
      (
        Sample.radio, CatalogQuery(.search(.station, "abc"), page: PageRequest(offset: 5, limit: 3)),
        "radio_stations.json"
      ),
    ] {
      let result = try provider.result(of: query, from: Sample.file(sample))
      #expect(try decoded(result) == result)
      #expect(!result.entries.isEmpty)
    }
  }

  @Test func entries_areDistinctHaveTitlesAndAreLimited() {
    let result = CatalogResult([entry(1), entry(1), entry(2, title: ""), entry(3)], total: 1)
    #expect(result.entries.map(\.item.uri) == ["itunes:song:1", "itunes:song:3"])
    #expect(result.total == 2)
    #expect(CatalogResult((1...300).map { entry($0) }).entries.count == 201)
  }

  @Test func textsAndURLs_areBounded() {
    let long = String(repeating: "ж", count: 20_000)
    var item = CatalogItem(uri: "itunes:song:1", kind: .song, title: long, provider: "itunes")
    (item.description, item.art, item.genres) = (long, "http://h/\(long)", Array(repeating: long, count: 100))
    item.rating = CatalogItem.Rating(value: 11, votes: -1, popularity: .infinity)
    item.facts = Array(repeating: CatalogItem.Fact(.album, long), count: 100)
    let bounded = CatalogResult([CatalogEntry(item: item, stream: "http://h/\(long)")]).entries[0]
    #expect(bounded.item.title.utf8.count == Metadata.maximumTextSize)
    #expect(bounded.item.description?.utf8.count == CatalogItem.maximumDescriptionSize)
    #expect((bounded.item.art, bounded.stream) == (nil, nil))
    #expect(bounded.item.rating == CatalogItem.Rating())
    #expect(bounded.item.genres.count == Metadata.maximumValueCount)
    #expect(bounded.item.facts.count == CatalogItem.maximumFactCount)
  }

  @Test func hostileRecord_isBounded() throws {
    let text = #"{"entries":[{"item":{"uri":"u","title":"t","kind":"x"},"stream":1},7,{}],"offset":-5,"total":-1}"#
    let result = CatalogResult(try JSON(parsing: text))
    #expect((result.entries.count, result.offset, result.total) == (1, 0, 1))
    let huge = CatalogResult(try JSON(parsing: #"{"offset":9223372036854775807,"total":9223372036854775807}"#))
    #expect(huge.entries(of: PageRequest(offset: .max, limit: .max)).isEmpty)
    #expect((huge.total ?? 0) < .max)
  }

  @Test func page_isAPartOfTheWholeList() {
    let result = CatalogResult((0..<20).map { entry($0 + 1) }, offset: 20, total: 100)
    func ids(_ offset: Int, _ limit: Int) -> [String] {
      result.entries(of: PageRequest(offset: offset, limit: limit)).map { String($0.item.uri.dropFirst(12)) }
    }
    #expect(ids(20, 2) == ["1", "2"])
    #expect(ids(38, 20) == ["19", "20"])
    #expect(ids(40, 20).isEmpty)
    #expect(ids(0, 20).isEmpty, "the result does not contain the beginning of the list")
  }

  @Test func lines_areReadInParts() throws {
    let result = CatalogResult((0..<20).map { entry($0 + 1) }, offset: 20, total: 100)
    let lines = result.lines
    #expect(CatalogResult(lines: lines) == result)
    for page in [
      PageRequest(offset: 20, limit: 2), PageRequest(offset: 30, limit: 30), PageRequest(offset: 0, limit: 9),
    ] {
      let part = try #require(CatalogResult(lines: lines, page: page))
      #expect(part.entries(of: page) == result.entries(of: page))
      #expect(part.entries.count == result.entries(of: page).count && part.total == 100)
    }
    #expect(CatalogResult(lines: lines, page: PageRequest(offset: .max, limit: .max))?.entries.isEmpty == true)
    #expect(CatalogResult(lines: Array(#"{"entries":[]}"#.utf8)) == nil)
  }

  @Test func sortedEntries_keepTheirOrderIfKeysAreEqual() {
    var result = CatalogResult((1...4).map { entry($0) })
    result.sort(by: [[2], [1, 1], [2], [1]])
    #expect(result.entries.map { String($0.item.uri.dropFirst(12)) } == ["4", "2", "1", "3"])
  }
}
