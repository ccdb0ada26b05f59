import SegueFiles
import SegueSQLite
import SegueSystem
import SegueWire
import Testing

@testable import SegueLibrary

/// The values of tags by which the library is browsed.
@Suite(.timeLimit(.minutes(1))) struct LibraryValueTests {
  private let store: LibraryStore
  private let scratch = Scratch()

  init() { store = LibraryStore(path: scratch["library.db"]) }

  private func add(
    _ folder: String, _ titles: String..., tags: (inout ScannedFileBuilder) -> Void
  ) async throws {
    var files = ScannedFileBuilder(album: folder)
    tags(&files)
    try await store.scan(
      titles.enumerated().map { files.file("/m/\(folder)/\($0.offset + 1).flac", $0.element, track: $0.offset + 1) })
  }

  private func uris(_ uri: String) async throws -> [String]? {
    let item = try #require(LibraryURI(uri))
    return try await store.read { reader throws(StoreError) in
      try reader.uris(of: item)?.map { String($0.dropFirst("file:///m/".count)) }
    }
  }

  private func albums(_ tag: LibraryTag, _ name: String) async throws -> [String] {
    var filter = LibraryFilter()
    filter.values[tag] = name
    let wanted = filter
    return try await store.read { reader throws(StoreError) in
      try reader.albums(wanted, by: .title).items.map(\.title)
    }
  }

  @Test func everyTagHasItsValuesWithTheNumbersOfAlbumsAndTracks() async throws {
    try await add("Mass", "Kyrie", "Gloria") {
      ($0.artists, $0.albumArtist) = (["Choir"], "Choir")
      ($0.composers, $0.conductors, $0.works) = (["Bach"], ["Karl Richter"], ["Mass in B minor"])
      ($0.genres, $0.year) = (["Classical"], 1961)
    }
    try await add("Songs", "One", "Two") {
      $0.albumArtists = ["Ella", "Louis"]
      ($0.composers, $0.genres, $0.year) = (["Gershwin", "BACH"], ["Jazz", "Classical"], 1969)
    }
    try await add("Mix", "Hit") { ($0.isCompilation, $0.year) = (true, 1997) }
    #expect(try await store.values(.composer) == ["Bach 2 4", "Gershwin 1 2"])
    #expect(try await store.values(.conductor) == ["Karl Richter 1 2"])
    #expect(try await store.values(.work) == ["Mass in B minor 1 2"])
    #expect(try await store.values(.albumArtist) == ["Choir 1 2", "Ella 1 2", "Louis 1 2"])
    #expect(try await store.values(.genre) == ["Classical 2 4", "Jazz 1 2"])
    #expect(try await store.values(.year) == ["1997 1 1", "1969 1 2", "1961 1 2"])
    #expect(try await store.values(.year, .ascending) == ["1961 1 2", "1969 1 2", "1997 1 1"])
    #expect(try await store.values(.decade) == ["1990s 1 1", "1960s 2 4"])
    #expect(try await store.values(.composer, .descending) == ["Gershwin 1 2", "Bach 2 4"])
  }

  @Test func aPageOfValuesHasTheLengthOfTheWholeList() async throws {
    for (index, name) in ["Bach", "Byrd", "Purcell"].enumerated() {
      try await add("\(index)", "One") { ($0.composers, $0.year) = ([name], 1960 + index) }
    }
    for tag in [LibraryTag.composer, .year] {
      let page = try await store.read { reader throws(StoreError) in
        try reader.values(of: tag, .ascending, PageRequest(offset: 1, limit: 1))
      }
      #expect(page.items.map(\.name) == [tag == .year ? "1961" : "Byrd"])
      #expect(page.total == 3 && page.offset == 1)
    }
  }

  @Test func valuesFollowTheirTracks() async throws {
    try await add("A", "One", "Two") {
      ($0.composers, $0.albumArtist, $0.genres, $0.year) = (["Bach"], "X", ["G"], 1980)
    }
    try await add("B", "One") { ($0.composers, $0.albumArtist, $0.genres, $0.year) = (["Bach"], "X", ["G"], 1980) }
    try await store.remove("/m/A/2.flac")
    #expect(try await store.values(.composer) == ["Bach 2 2"])
    #expect(try await store.values(.albumArtist) == ["X 2 2"])
    #expect(try await store.values(.year) == ["1980 2 2"])
    #expect(try await store.values(.genre) == ["G 2 2"])
    // The tags of a file have changed.
    var changed = ScannedFileBuilder(album: "A")
    (changed.composers, changed.albumArtist, changed.genres, changed.year) = (["Byrd"], "Y", ["H"], 1991)
    try await store.scan([changed.file("/m/A/1.flac", "One", track: 1)])
    #expect(try await store.values(.composer) == ["Bach 1 1", "Byrd 1 1"])
    #expect(try await store.values(.albumArtist) == ["X 1 1", "Y 1 1"])
    #expect(try await store.values(.year) == ["1991 1 1", "1980 1 1"])
    #expect(try await store.values(.genre) == ["G 1 1", "H 1 1"])
    try await store.rename("/m/A", to: "/m/C")
    #expect(try await store.values(.composer) == ["Bach 1 1", "Byrd 1 1"])
    try await store.remove("/m/C/1.flac", "/m/B/1.flac")
    for tag in LibraryTag.allCases { #expect(try await store.values(tag).isEmpty) }
    // Nothing is left of values without tracks.
    let rows = try await store.write { writer throws(StoreError) in
      try ["tag_value", "track_value", "album_value", "year", "genre"].map { table throws(StoreError) in
        try writer.connection.integer("SELECT count(*) FROM \(table)")
      }
    }
    #expect(rows == [0, 0, 0, 0, 0])
  }

  @Test func filtersSelectTheAlbumsAndTracksOfAValue() async throws {
    try await add("Mass", "Kyrie", "Gloria") {
      ($0.albumArtist, $0.composers, $0.conductors, $0.works) = ("Choir", ["Bach"], ["Richter"], ["Mass"])
    }
    try await add("Songs", "One") { ($0.albumArtist, $0.composers) = ("Ella", ["Gershwin"]) }
    for (tag, name) in [
      (LibraryTag.albumArtist, "choir"), (.composer, "BACH"), (.conductor, "richter"), (.work, "mass"),
    ] {
      #expect(try await albums(tag, name) == ["Mass"])
      var filter = LibraryFilter()
      filter.values[tag] = name
      #expect(try await store.titles(by: .album, .ascending, filter) == ["Kyrie", "Gloria"])
      filter.values[tag == .composer ? .albumArtist : .composer] = tag == .composer ? "Ella" : "Gershwin"
      #expect(try await store.titles(by: .album, .ascending, filter).isEmpty)
    }
    #expect(try await albums(.composer, "Nobody").isEmpty)
  }

  @Test func aValueStandsForItsTracksAlbumByAlbum() async throws {
    try await add("B", "One", "Two") { ($0.albumArtist, $0.composers, $0.year) = ("X", ["J. S. Bach"], 1985) }
    try await add("A", "One", "Two") { ($0.albumArtist, $0.composers, $0.year) = ("X", ["J. S. Bach"], 1989) }
    try await add("C", "One") { $0.year = 1990 }
    let both = ["A/1.flac", "A/2.flac", "B/1.flac", "B/2.flac"]
    for uri in ["segue:composer/J.%20S.%20Bach", "segue:albumArtist/x", "segue:decade/1980"] {
      #expect(try await uris(uri) == both)
    }
    #expect(try await uris("segue:year/1990") == ["C/1.flac"])
    #expect(try await uris("segue:composer/Nobody") == nil)
    for uri in ["segue:year/next", "segue:decade/1985", "segue:year/0", "segue:mood/happy"] {
      #expect(LibraryURI(uri) == nil, "\(uri)")
    }
  }
}
