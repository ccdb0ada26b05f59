import SegueLibrary
import SegueSQLite
import SegueWire
import Testing

/// The search while a scan adds many tracks, which are indexed when it is finished.
@Suite(.timeLimit(.minutes(2))) struct SearchBacklogTests {
  private typealias Track = SearchFixture.Track

  private static let songs = (0..<400).map { Track(title: "Song \($0)", artist: "Choir") }

  @Test func manyTracksAreFoundWhenTheScanIsFinished() async throws {
    let fixture = try await SearchFixture([])
    try await fixture.scan(Self.songs)
    let during = try await fixture.counts()
    #expect(during.tracks == 400)
    #expect(during.searchable == 0)
    try await fixture.add([])
    #expect(try await fixture.counts().searchable == 400)
    #expect(try await fixture.search("song").total == 400)
    #expect(try await fixture.titles("song 17 choir").first == "Song 17")
  }

  @Test func fewTracksAreFoundImmediately() async throws {
    let fixture = try await SearchFixture([])
    try await fixture.scan([Track(title: "Solo", artist: "Singer")])
    #expect(try await fixture.counts().searchable == 1)
    #expect(try await fixture.titles("solo") == ["Solo"])
  }

  @Test func changesDuringTheScanAreFoundAfterIt() async throws {
    let fixture = try await SearchFixture([])
    try await fixture.scan(Self.songs)
    try await fixture.addFavorite(7)
    try await fixture.scan([Track(title: "Corrected", artist: "Choir")], from: 7)
    try await fixture.remove([8, 399])
    // The id of the track that was removed last is reused.
    try await fixture.add([Track(title: "Newcomer", artist: "Choir")], from: 500)
    #expect(try await fixture.titles("corrected") == ["Corrected"])
    #expect(try await fixture.titles("is:favorite") == ["Corrected"])
    #expect(try await fixture.titles("newcomer") == ["Newcomer"])
    #expect(try await fixture.search("song").total == 397)
    let counts = try await fixture.counts()
    #expect(counts.searchable == counts.tracks)

    // All tracks are indexed now, and changes are indexed immediately.
    try await fixture.add([Track(title: "Changed", artist: "Choir")], from: 9)
    #expect(try await fixture.search("song").total == 396)
    #expect(try await fixture.titles("changed") == ["Changed"])
    #expect(try await fixture.search("choir").total == 399)
  }

  @Test func misspelledNewWordsAreCorrected() async throws {
    let fixture = try await SearchFixture(Self.songs)
    try await fixture.add([Track(title: "Dawn", artist: "Choir")], from: 1000)
    #expect(try await fixture.search("dwan").correction == "dawn")
    // Words of removed tracks are no corrections.
    try await fixture.remove([1000])
    try await fixture.add([Track(title: "Swan", artist: "Choir")], from: 1001)
    #expect(try await fixture.search("dwan").correction == "swan")
  }

  @Test func interruptedMaintenanceContinuesAfterARestart() async throws {
    let scratch = Scratch()
    let files = (0..<400).map { ScannedFileBuilder().file("/m/\($0).flac", "Song \($0)") }
    // Indexing takes many steps. Closing the store skips most of them.
    var store = LibraryStore(path: scratch["library.db"])
    try await store.scan(files)
    store.close()
    try await eventually("the maintenance is finished") {
      store = LibraryStore(path: scratch["library.db"])
      defer { store.close() }
      return try await store.write { writer throws(StoreError) in !writer.needsSearchMaintenance }
    }
    store = LibraryStore(path: scratch["library.db"])
    let found = try await store.read { reader throws(StoreError) in try reader.search("sogn", .track, PageRequest()) }
    #expect(found.total == 400)
    #expect(found.correction == "song")
    store.close()
  }
}
