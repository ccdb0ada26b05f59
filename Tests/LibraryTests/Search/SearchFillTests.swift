import SegueLibrary
import Testing

/// While many tracks are added at once, which the search is told of when the scan is done.
@Suite(.timeLimit(.minutes(2))) struct SearchFillTests {
  private typealias Track = SearchStage.Track

  private static let songs = (0..<400).map { Track(title: "Song \($0)", artist: "Choir") }

  @Test func manyAreFoundWhenTheScanIsDone() async throws {
    let stage = try await SearchStage([])
    try await stage.scan(Self.songs)
    let during = try await stage.counts()
    #expect(during.tracks == 400)
    #expect(during.searchable == 0)
    try await stage.add([])
    #expect(try await stage.counts().searchable == 400)
    #expect(try await stage.search("song").total == 400)
    #expect(try await stage.titles("song 17 choir").first == "Song 17")
  }

  @Test func fewAreFoundAtOnce() async throws {
    let stage = try await SearchStage([])
    try await stage.scan([Track(title: "Solo", artist: "Singer")])
    #expect(try await stage.counts().searchable == 1)
    #expect(try await stage.titles("solo") == ["Solo"])
  }

  @Test func whatChangesMeanwhileIsFoundAsItIs() async throws {
    let stage = try await SearchStage([])
    try await stage.scan(Self.songs)
    try await stage.favor(7)
    try await stage.scan([Track(title: "Corrected", artist: "Choir")], from: 7)
    try await stage.remove([8, 399])
    // What was removed last leaves its number to the next.
    try await stage.add([Track(title: "Newcomer", artist: "Choir")], from: 500)
    #expect(try await stage.titles("corrected") == ["Corrected"])
    #expect(try await stage.titles("is:favorite") == ["Corrected"])
    #expect(try await stage.titles("newcomer") == ["Newcomer"])
    #expect(try await stage.search("song").total == 397)
    let counts = try await stage.counts()
    #expect(counts.searchable == counts.tracks)

    // The search was told now: it is told of changes, too.
    try await stage.add([Track(title: "Changed", artist: "Choir")], from: 9)
    #expect(try await stage.search("song").total == 396)
    #expect(try await stage.titles("changed") == ["Changed"])
    #expect(try await stage.search("choir").total == 399)
  }
}
