import SegueSystem
import SegueWire
import Testing

@testable import SegueLibrary
@testable import SegueSQLite

/// Searches with so many results that not all of them are found.
@Suite(.timeLimit(.minutes(2))) struct SearchLimitsTests {
  private typealias Track = SearchFixture.Track

  private static let limits = SearchReader.Limits(
    hits: 5_000, goodHits: 20, page: 0..<50, chunkSize: 16, idSpan: 100, enoughHits: 30, rowsCheckedForYear: 200)

  private func find(_ query: String, _ tracks: [Track]) async throws -> (titles: [String], total: Int, isExact: Bool) {
    try await SearchFixture(tracks).read { reader throws(StoreError) in
      let query = SearchQuery(query, reader.search.tokenizer)
      let found = try reader.search.find(query, .track, Self.limits)
      let titles = try reader.tracks(found.items.map(\.id)).map { $0.metadata.title ?? "-" }
      return (titles, found.total, found.isTotalExact)
    }
  }

  private static let songs = (0..<400).map {
    Track(title: "Song \($0)", artist: "Choir", genre: "Rock", year: $0 % 2 == 0 ? 1980 : 1999)
  }

  @Test func aSingleLetterIsSearchedInTheFirstTracksOnly() async throws {
    let found = try await find("choir s", Self.songs + [Track(title: "Choir S")])
    #expect(found.titles.first == "Choir S")
    #expect(found.total == 101)
    #expect(!found.isExact)
    #expect(try await find("choir so", Self.songs).total == 400)
  }

  /// If there are few results, all of them are found, also among the last tracks.
  @Test func fewResultsAreCompleteDespiteASingleLetter() async throws {
    let others = (0..<400).map { Track(title: "Tale \($0)", artist: "Choir") }
    let found = try await find("choir s", others + Self.songs.prefix(29))
    #expect(found.total == 29)
    #expect(found.isExact)
  }

  @Test(arguments: ["choir genre:rock", "choir format:flac"])
  func aFrequentFilterIsSearchedInTheFirstTracksOnly(query: String) async throws {
    let songs = Self.songs.prefix(149) + [Track(title: "Choir", genre: "Rock")] + Self.songs.dropFirst(149)
    let found = try await find(query, Array(songs))
    #expect(found.titles.first == "Choir")
    #expect(found.total == 101)
    #expect(!found.isExact)
  }

  @Test func manyYearsAreSearchedInTheFirstTracksOnly() async throws {
    let late = [
      Track(title: "Choir", year: 1975), Track(title: "Choir", year: 1995), Track(title: "Choir Boy", year: 1988),
    ]
    let found = try await find("choir year:1970..1989", Self.songs + late)
    #expect(found.titles.prefix(2) == ["Choir", "Choir Boy"])
    #expect(found.titles.count { $0 == "Choir" } == 1)
    #expect(found.total == 102)
    #expect(!found.isExact)
    // With fewer results, all of them are found.
    let few = try await find("choir year:1970..1989", Array(Self.songs.prefix(200)))
    #expect(few.total == 100)
    #expect(few.isExact)
  }

  /// The last tracks are found, too.
  @Test func aFewYearsAreSearchedInAllTracks() async throws {
    let late = (0..<3).map { Track(title: "Late \($0)", artist: "Choir", year: 2000 + $0) }
    let found = try await find("choir year:2000..2009", Self.songs + late)
    #expect(found.titles.sorted() == ["Late 0", "Late 1", "Late 2"])
    #expect(found.isExact)
    #expect(try await find("choir year:2000..2009", Self.songs).total == 0)
  }
}
