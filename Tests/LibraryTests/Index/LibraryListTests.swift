import SegueLibrary
import SegueSQLite
import SegueSystem
import SegueWire
import SegueWorkerProtocol
import Testing

/// Pages of lists in all orders, and filters.
@Suite(.timeLimit(.minutes(2))) struct LibraryListTests {
  private let scratch = Scratch()
  private let store: LibraryStore

  init() { store = LibraryStore(path: scratch["library.db"]) }

  /// Adds enough tracks for several checkpoints per list, with few years, some artists and many albums. Some tracks
  /// have no album.
  private func fill(_ count: Int) async throws {
    var files: [ScannedFile] = []
    for number in 0..<count {
      let album = number / 7
      var builder = ScannedFileBuilder(album: number % 50 == 0 ? nil : "Album \(album * 7919 % 1000)")
      builder.artists = album % 9 == 0 ? [] : ["Artist \(album * 31 % 40)"]
      builder.year = album % 5 == 0 ? nil : 1990 + album % 6
      builder.genres = [["Rock", "Jazz"][number % 2]]
      files.append(builder.file("/m/\(album)/\(number % 7).flac", "T\(number * 7919 % 10007)", track: number % 7 + 1))
    }
    try await store.scan(files)
  }

  /// Checks that the pages of each list together are the whole list, in both directions.
  private func expectConsistentPages() async throws {
    for sort in TrackSort.allCases where sort != .random {
      let whole = try await store.read { reader throws(StoreError) in
        try reader.tracks(by: sort, .ascending, PageRequest(limit: 100_000))
      }
      #expect(Set(whole.items.map(\.id)).count == whole.total, "\(sort): each track occurs once")
      var pages: [Int64] = []
      var backwards: [Int64] = []
      for offset in stride(from: 0, to: whole.total, by: 301) {
        let page = PageRequest(offset: offset, limit: 301)
        let (one, other) = try await store.read { reader throws(StoreError) in
          (try reader.tracks(by: sort, .ascending, page), try reader.tracks(by: sort, .descending, page))
        }
        #expect(one.total == whole.total && other.total == whole.total)
        pages += one.items.map(\.id)
        backwards += other.items.map(\.id)
      }
      #expect(pages == whole.items.map(\.id), "\(sort)")
      #expect(backwards == whole.items.map(\.id).reversed(), "\(sort)")
    }
    for sort in AlbumSort.allCases where sort != .random {
      let whole = try await store.read { reader throws(StoreError) in
        try reader.albums(by: sort, .ascending, PageRequest(limit: 100_000))
      }
      let end = try await store.read { reader throws(StoreError) in
        try reader.albums(by: sort, .descending, PageRequest(limit: 3))
      }
      #expect(end.items.map(\.id) == whole.items.suffix(3).map(\.id).reversed(), "\(sort)")
      #expect(whole.total == whole.items.count)
    }
  }

  @Test func pagesTogetherAreTheWholeListInEveryOrder() async throws {
    try await fill(4000)
    let counts = try await store.read { reader throws(StoreError) in try reader.counts() }
    #expect(counts.tracks == 4000)
    try await expectConsistentPages()

    let tracks = try await store.read { reader throws(StoreError) in
      try reader.tracks(by: .title, .ascending, PageRequest(limit: 100_000)).items
    }
    #expect(tracks.map { ScannedFileBuilder.key($0.metadata.title) }.isSorted)
    let byYear = try await store.read { reader throws(StoreError) in
      try reader.tracks(by: .year, .ascending, PageRequest(limit: 100_000)).items
    }
    #expect(byYear.map { [UInt8(($0.metadata.year ?? 1900) - 1900)] }.isSorted)
    store.close()
  }

  /// Changes update the checkpoints.
  @Test func pagesStayConsistentWhenTheLibraryChanges() async throws {
    try await fill(3000)
    for step in 0..<6 {
      // The changes are few, as in a watched folder, and once so many that the checkpoints are rebuilt.
      let builder = ScannedFileBuilder(album: "New \(step)", artists: ["Artist \(step)"], year: 1950 + step)
      let files = (0..<(step == 4 ? 700 : 12)).map {
        builder.file("/new/\(step)/\($0).flac", "N\($0 * 77 % 1000)", track: $0)
      }
      try await store.scan(files)
      let gone = (0..<7).map { FilePath("/m/\(step * 3)/\($0).flac") }
      try await store.write { writer throws(StoreError) in
        try writer.remove(gone)
        try writer.setRating("file:///m/100/\(step).flac", step)
        try writer.finishScan()
      }
      try await expectConsistentPages()
    }
    store.close()
  }

  @Test func pagesAreCorrectDuringAScan() async throws {
    try await fill(2000)
    let more = (0..<1200).map { (number: Int) in
      ScannedFileBuilder(album: "More").file("/more/\(number).flac", "M\(number)", track: number)
    }
    try await store.write { writer throws(StoreError) in try writer.put(more) }
    for sort in [TrackSort.title, .added, .year] {
      let page = try await store.read { reader throws(StoreError) in
        try reader.tracks(by: sort, .ascending, PageRequest(offset: 3150, limit: 100))
      }
      #expect(page.total == 3200)
      #expect(page.items.count == 50)
    }
    store.close()
  }

  @Test func tracksByArtistAreSortedByAlbum() async throws {
    let b = ScannedFileBuilder(album: "Zebra", artists: ["Beta"])
    let a = ScannedFileBuilder(album: "Mono", artists: ["Alpha", "Beta"])
    try await store.scan(
      b.files("/m/z", "z1", "z2") + a.files("/m/m", "m1")
        + ScannedFileBuilder(album: "Aaa", artists: ["Beta"]).files("/m/a", "a1")
        + ScannedFileBuilder(album: "Void", artists: []).files("/m/v", "v1"))
    #expect(try await store.titles(by: .artist) == ["m1", "a1", "z1", "z2", "v1"])
    let artists = try await store.read { reader throws(StoreError) in try reader.artists() }
    #expect(artists.items.map { "\($0.name) \($0.albumCount) \($0.trackCount)" } == ["Alpha 1 1", "Beta 3 4"])
    let beta = try #require(artists.items.last)
    let albums = try await store.read { reader throws(StoreError) in try reader.albums(ofArtist: beta.id) }
    #expect(albums.map(\.title) == ["Aaa", "Mono", "Zebra"])
    var filter = LibraryFilter()
    filter.artist = beta.id
    #expect(try await store.titles(by: .title, .ascending, filter) == ["a1", "m1", "z1", "z2"])
    #expect(try await store.titles(by: .album, .descending, filter) == ["z2", "z1", "m1", "a1"])
    // An artist is removed with the last track.
    try await store.remove("/m/z/1.flac", "/m/z/2.flac", "/m/a/1.flac", "/m/m/1.flac")
    #expect(try await store.read { reader throws(StoreError) in try reader.artists().total } == 0)
    store.close()
  }

  @Test func aRandomPageHasDifferentItemsOfTheList() async throws {
    try await fill(300)
    var nineties = LibraryFilter()
    nineties.years = 1990...1999
    for filter in [LibraryFilter(), nineties] {
      let all = try await store.read { reader throws(StoreError) in
        try reader.tracks(filter, by: .title, .ascending, PageRequest(limit: 1000))
      }
      let random = try await store.read { reader throws(StoreError) in
        try reader.tracks(filter, by: .random, .ascending, PageRequest(limit: 20))
      }
      #expect(random.items.count == min(20, all.total) && random.total == all.total)
      #expect(Set(random.items.map(\.uri)).count == random.items.count)
      #expect(Set(random.items.map(\.uri)).isSubset(of: all.items.map(\.uri)))
      let other = try await store.read { reader throws(StoreError) in
        try reader.tracks(filter, by: .random, .ascending, PageRequest(limit: 20))
      }
      #expect(random.items.map(\.uri) != other.items.map(\.uri))
    }
    let (albums, all) = try await store.read { reader throws(StoreError) in
      (
        try reader.albums(by: .random, .ascending, PageRequest(limit: 1000)),
        try reader.albums(by: .title, .ascending, PageRequest(limit: 1000))
      )
    }
    #expect(Set(albums.items.map(\.id)) == Set(all.items.map(\.id)) && albums.total == all.total)
    store.close()
  }

  @Test func filtersApplyToPagesAndRandomTracks() async throws {
    try await fill(500)
    var filter = LibraryFilter()
    filter.genre = "rock"
    filter.years = 1991...1992
    let wanted = filter
    let all = try await store.read { reader throws(StoreError) in
      try reader.tracks(by: .title, .ascending, PageRequest(limit: 1000)).items
    }
    let found = try await store.read { reader throws(StoreError) in
      try reader.tracks(wanted, by: .title, .ascending, PageRequest(offset: 3, limit: 10))
    }
    let expected = all.filter { $0.metadata.genre == ["Rock"] && (1991...1992).contains($0.metadata.year ?? 0) }
    #expect(found.total == expected.count)
    #expect(found.items == Array(expected[3..<13]))
    let genres = try await store.read { reader throws(StoreError) in try reader.genres().items }
    #expect(genres.map { "\($0.name) \($0.trackCount)" } == ["Jazz 250", "Rock 250"])
    let sample = try await store.read { reader throws(StoreError) in try reader.random(20, wanted) }
    #expect(sample.count == min(20, expected.count))
    #expect(sample.allSatisfy { track in expected.contains { $0.id == track.id } })
    let any = try await store.read { reader throws(StoreError) in try reader.random(40) }
    #expect(Set(any.map(\.id)).count == 40)
    store.close()
  }
}

extension [[UInt8]] {
  fileprivate var isSorted: Bool { zip(self, dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) } }
}
