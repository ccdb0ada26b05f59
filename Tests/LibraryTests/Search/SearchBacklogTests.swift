import SegueLibrary
import Testing

/// While many tracks are added at once, which the search is told of when the scan is done.
@Suite(.timeLimit(.minutes(2))) struct SearchBacklogTests {
  private typealias Track = SearchFixture.Track

  private static let songs = (0..<400).map { Track(title: "Song \($0)", artist: "Choir") }

  @Test func manyAreFoundWhenTheScanIsDone() async throws {
    let stage = try await SearchFixture([])
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
    let stage = try await SearchFixture([])
    try await stage.scan([Track(title: "Solo", artist: "Singer")])
    #expect(try await stage.counts().searchable == 1)
    #expect(try await stage.titles("solo") == ["Solo"])
  }

  @Test func whatChangesMeanwhileIsFoundAsItIs() async throws {
    let stage = try await SearchFixture([])
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

  @Test func theNewestWordsMayBeMistypedToo() async throws {
    let stage = try await SearchFixture(Self.songs)
    try await stage.add([Track(title: "Dawn", artist: "Choir")], from: 1000)
    #expect(try await stage.search("dwan").correction == "dawn")
    // What is gone is not meant.
    try await stage.remove([1000])
    try await stage.add([Track(title: "Swan", artist: "Choir")], from: 1001)
    #expect(try await stage.search("dwan").correction == "swan")
  }

  @Test func whatTheEndOfTheProcessInterruptedGoesOn() async throws {
    let scratch = Scratch()
    let files = (0..<400).map { ScannedFileBuilder().file("/m/\($0).flac", "Song \($0)") }
    // The search is told of them in many steps, of which the end of the process drops most.
    var store = LibraryStore(path: scratch["library.db"])
    try await store.scan(files)
    store.close()
    try await eventually("all is done") {
      store = LibraryStore(path: scratch["library.db"])
      defer { store.close() }
      return try await store.write { writer throws(StoreError) in !writer.isSettling }
    }
    store = LibraryStore(path: scratch["library.db"])
    let found = try await store.read { reader throws(StoreError) in try reader.search("sogn", .track, PageRequest()) }
    #expect(found.total == 400)
    #expect(found.correction == "song")
    store.close()
  }
}
