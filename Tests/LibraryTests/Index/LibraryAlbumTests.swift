import SegueLibrary
import SegueSQLite
import SegueSystem
import SegueWire
import Testing

/// The grouping of tracks into albums.
@Suite(.timeLimit(.minutes(1))) struct LibraryAlbumTests {
  private let scratch = Scratch()
  private let store: LibraryStore

  init() { store = LibraryStore(path: scratch["library.db"]) }

  private func album(_ title: String) async throws -> LibraryAlbum {
    let albums = try await store.read { reader throws(StoreError) in try reader.albums().items }
    return try #require(albums.first { $0.title == title })
  }

  @Test func tracksOfAFolderWithTheSameLeadArtistAreAnAlbum() async throws {
    let guest = ScannedFileBuilder(album: "Kärlek", artists: ["Ane Brun feat. Nina"])
    let solo = ScannedFileBuilder(album: "Kärlek", artists: ["Ane Brun"])
    try await store.scan(
      [guest.file("/m/a/2.flac", "Two", track: 2)] + solo.files("/m/a", "One")
        + [solo.file("/m/a/3.flac", "Three", track: 3)])
    #expect(try await store.albumList() == ["Kärlek / Ane Brun / 3"])
    let id = try await album("Kärlek").id
    let tracks = try await store.read { reader throws(StoreError) in try reader.tracks(ofAlbum: id) }
    #expect(tracks.map(\.metadata.title) == ["One", "Two", "Three"])
    #expect(tracks.allSatisfy { $0.album == id })
    store.close()
  }

  /// Consecutive tracks mostly have the same tags, but not always.
  @Test func consecutiveTracksWithDifferentTagsAreDistinguished() async throws {
    let own = ScannedFileBuilder(album: "X", artists: ["P"], genres: ["Rock"])
    var loud = own
    loud.genres = ["Metal"]
    let lent = ScannedFileBuilder(album: "X", albumArtist: "Q", artists: ["P"], genres: ["Rock"])
    let mixed = ScannedFileBuilder(album: "X", artists: ["P"], genres: ["Rock"], isCompilation: true)
    let other = ScannedFileBuilder(album: "Y", artists: ["P", "R"], genres: ["Rock"])
    let tracks = [own, loud, lent, mixed, other, own].enumerated().map { $1.file("/m/\($0).flac", "\($0)") }
    try await store.scan(tracks + [own.file("/n/6.flac", "6")])
    #expect(try await store.albumList().sorted() == ["X / - / 1", "X / P / 4", "X / Q / 1", "Y / P / 1"])
    let (artists, genres) = try await store.read { reader throws(StoreError) in
      (try reader.artists().items, try reader.genres().items)
    }
    #expect(artists.map { "\($0.name) \($0.trackCount)" } == ["P 7", "Q 1", "R 1"])
    #expect(genres.map { "\($0.name) \($0.trackCount)" } == ["Metal 1", "Rock 6"])
    store.close()
  }

  /// Names in different Unicode normalizations are the same artist, album and genre, with and without the caches of the
  /// writer, and all rows are removed with the last track.
  @Test func namesInDifferentNormalizationsAreEqual() async throws {
    let composed = ScannedFileBuilder(album: "Ég", artists: ["Sigur Rós"], genres: ["Café"])
    let decomposed = ScannedFileBuilder(album: "E\u{301}g", artists: ["Sigur Ro\u{301}s"], genres: ["Cafe\u{301}"])
    let hangul = ScannedFileBuilder(album: "\u{1112}\u{1161}\u{11AB}", artists: ["한"], genres: [])
    try await store.scan([composed.file("/m/a/1.flac", "1"), hangul.file("/m/b/1.flac", "1")])
    store.close()
    let again = LibraryStore(path: scratch["library.db"])
    try await again.scan([
      decomposed.file("/m/a/2.flac", "2"),
      ScannedFileBuilder(album: "한", artists: ["\u{1112}\u{1161}\u{11AB}"]).file("/m/b/2.flac", "2"),
    ])
    let (artists, albums, genres) = try await again.read { reader throws(StoreError) in
      (try reader.artists().items, try reader.albums().items, try reader.genres().items)
    }
    #expect(artists.map(\.trackCount) == [2, 2])
    #expect(albums.map(\.trackCount) == [2, 2])
    #expect(genres.map(\.trackCount) == [2])
    again.close()
    let third = LibraryStore(path: scratch["library.db"])
    try await third.remove("/m/a/2.flac", "/m/b/2.flac")
    try await third.remove("/m/a/1.flac", "/m/b/1.flac")
    let counts = try await third.read { reader throws(StoreError) in try reader.counts() }
    #expect(counts == LibraryCounts())
    #expect(try await third.read { reader throws(StoreError) in try reader.artists().items } == [])
    third.close()
  }

  @Test func tracksOfAFolderWithDifferentArtistsAreACompilation() async throws {
    for (index, artist) in ["A", "B", "C"].enumerated() {
      try await store.scan([
        ScannedFileBuilder(album: "Mix", artists: [artist]).file("/m/mix/\(index).flac", "\(index)", track: index)
      ])
    }
    #expect(try await store.albumList() == ["Mix / - / 3"])
    #expect(try await album("Mix").isCompilation)
    // A compilation with the same title in another folder is another album.
    try await store.scan(
      [ScannedFileBuilder(album: "Mix", artists: ["D"]).file("/m/other/1.flac", "x")]
        + [ScannedFileBuilder(album: "Mix", artists: ["E"]).file("/m/other/2.flac", "y")])
    #expect(try await store.albumList() == ["Mix / - / 3", "Mix / - / 2"])
    store.close()
  }

  @Test func aTaggedCompilationMaySpanFolders() async throws {
    for artist in ["A", "B", "C"] {
      let builder = ScannedFileBuilder(album: "Hits", artists: [artist], year: 1999, isCompilation: true)
      try await store.scan([builder.file("/m/\(artist)/Hits/1.flac", artist)])
    }
    let named = ScannedFileBuilder(album: "Best", albumArtist: "Various Artists", artists: ["A"])
    try await store.scan(named.files("/m/A/Best", "a") + named.files("/m/B/Best", "b"))
    #expect(try await store.albumList() == ["Best / - / 2", "Hits / - / 3"])
    store.close()
  }

  @Test(arguments: [
    ["/m/Album/CD1", "/m/Album/CD2"], ["/m/Album/Disc 1", "/m/Album/Disc 02"],
    ["/m/Album (Disc 1)", "/m/Album (Disc 2)"], ["/m/Album/диск 1", "/m/Album/Диск 2"],
    ["/m/Album/Disc 1 - Studio", "/m/Album/Disc 2 - Live"], ["/m/Album/CD1", "/m/Album/Disk 2 (Bonus)"],
    ["/m/Album/Disc 1: Studio", "/m/Album/CD2 [Demos]"],
  ])
  func discFoldersAreOneAlbum(_ folders: [String]) async throws {
    // There are no disc tags. The name of the folder or the title of the album contains the number.
    for (index, folder) in folders.enumerated().reversed() {
      let title = folder.hasSuffix(")") ? "Album (Disc \(index + 1))" : "Album"
      try await store.scan(ScannedFileBuilder(album: title).files(folder, "\(index + 1)a", "\(index + 1)b"))
    }
    #expect(try await store.albumList() == ["Album / Artist / 4"])
    let found = try await album("Album")
    #expect(found.discCount == 2)
    #expect(found.duration == .seconds(240))
    let tracks = try await store.read { reader throws(StoreError) in try reader.tracks(ofAlbum: found.id) }
    #expect(tracks.map(\.metadata.title) == ["1a", "1b", "2a", "2b"])
    #expect(try await store.titles(by: .album) == ["1a", "1b", "2a", "2b"])
    store.close()
  }

  @Test(arguments: [
    "Disco 2000", "CD 12 Hits", "Disc", "Disc 100 - X", "Discography 1 - X", "Disco 80 - The Hits",
    "CD 90 (Compilation)",
  ])
  func foldersWithOtherNamesAreNoDiscs(_ name: String) async throws {
    try await store.scan(
      ScannedFileBuilder(album: "A").files("/m/x/\(name)", "1")
        + ScannedFileBuilder(album: "A").files("/m/y/\(name)", "2"))
    let found = try await album("A")
    #expect(found.discCount == 1)
    store.close()
  }

  @Test func titlesWithTheNamesOfDiscsAreOneAlbum() async throws {
    let titles = ["Album [Disc 1]", "Album (Disc 2: Live)", "Album (CD3 - Demos)"]
    for (index, title) in titles.enumerated() {
      var builder = ScannedFileBuilder(album: title, artists: ["A\(index)", "B"])
      builder.albumArtist = "A"
      builder.disc = index + 1
      try await store.scan([builder.file("/m/album/\(index).flac", "\(index)", track: 1)])
    }
    #expect(try await store.albumList() == ["Album / A / 3"])
    #expect(try await album("Album").discCount == 3)
    store.close()
  }

  /// The folders contain a compilation that no tag calls one.
  @Test func foldersWithTheNameOfADiscInBracketsAreOneCompilation() async throws {
    for disc in 1...2 {
      for (index, artist) in ["A", "B"].enumerated() {
        try await store.scan([
          ScannedFileBuilder(album: "Mix", artists: [artist]).file(
            "/m/Mix (Disc \(disc))/\(index).flac", "\(disc)\(artist)", track: index + 1)
        ])
      }
    }
    #expect(try await store.albumList() == ["Mix / - / 4"])
    #expect(try await store.titles(by: .album) == ["1A", "1B", "2A", "2B"])
    store.close()
  }

  // MARK: Album artists

  /// Guests make no other album of the tracks without an album artist, in whatever order the tracks are scanned.
  @Test(arguments: [true, false]) func tracksWithoutAlbumArtistJoinTheAlbumOfTheirFolder(areLast: Bool) async throws {
    let named = ScannedFileBuilder(album: "Звезда", albumArtist: "Кино", artists: ["Кино"])
    let own = ScannedFileBuilder(album: "Звезда", artists: ["Кино"])
    let guest = ScannedFileBuilder(album: "Звезда", artists: ["Гость"])
    let labelled = [1, 3, 5].map { (number: Int) in named.file("/m/a/\(number).flac", "\(number)", track: number) }
    let unlabelled = [own.file("/m/a/2.flac", "2", track: 2), guest.file("/m/a/4.flac", "4", track: 4)]
    try await store.scan(areLast ? labelled : unlabelled)
    try await store.scan(areLast ? unlabelled : labelled)
    #expect(try await store.albumList() == ["Звезда / Кино / 5"])
    #expect(try await store.titles(by: .album) == ["1", "2", "3", "4", "5"])
    // Reading the files again changes nothing.
    try await store.scan(unlabelled)
    #expect(try await store.albumList() == ["Звезда / Кино / 5"])
    let artists = try await store.read { reader throws(StoreError) in try reader.artists().items }
    #expect(artists.map { "\($0.name) \($0.trackCount)" }.sorted() == ["Гость 1", "Кино 4"])
    try await store.remove("/m/a/1.flac", "/m/a/3.flac", "/m/a/5.flac")
    #expect(try await store.albumList() == ["Звезда / Кино / 2"])
    try await store.remove("/m/a/2.flac", "/m/a/4.flac")
    #expect(try await store.read { reader throws(StoreError) in try reader.counts() } == LibraryCounts())
    store.close()
  }

  @Test func someTracksOfACompilationHaveNoFlag() async throws {
    let flagged = ScannedFileBuilder(album: "Mix", artists: ["A"], isCompilation: true)
    let other = ScannedFileBuilder(album: "Mix", artists: ["B"])
    let named = ScannedFileBuilder(album: "Mix", albumArtist: "Various Artists", artists: ["C"])
    try await store.scan([
      flagged.file("/m/1.flac", "1", track: 1), other.file("/m/2.flac", "2", track: 2),
      named.file("/m/3.flac", "3", track: 3),
    ])
    #expect(try await store.albumList() == ["Mix / - / 3"])
    #expect(try await album("Mix").isCompilation)
    store.close()
  }

  /// The same title by two artists stays two albums, in two folders and in one.
  @Test func albumsOfTwoArtistsWithTheSameTitleStayTwo() async throws {
    let (queen, abba) = (
      ScannedFileBuilder(album: "Greatest Hits", albumArtist: "Queen", artists: ["Queen"]),
      ScannedFileBuilder(album: "Greatest Hits", artists: ["ABBA"])
    )
    try await store.scan(queen.files("/m/queen", "1", "2") + abba.files("/m/abba", "1", "2"))
    // The numbers of the tracks occur twice in this folder.
    try await store.scan(
      [queen.file("/m/one/q1.flac", "1", track: 1), abba.file("/m/one/a1.flac", "1", track: 1)]
        + [queen.file("/m/one/q2.flac", "2", track: 2), abba.file("/m/one/a2.flac", "2", track: 2)])
    // This folder has tracks of several albums.
    let other = ScannedFileBuilder(album: "Other", artists: ["X"])
    try await store.scan(
      [queen.file("/m/all/q3.flac", "3", track: 3), abba.file("/m/all/a4.flac", "4", track: 4)]
        + [other.file("/m/all/o.flac", "o", track: 1)])
    #expect(
      try await store.albumList().sorted()
        == ["Greatest Hits / ABBA / 5", "Greatest Hits / Queen / 5", "Other / X / 1"])
    store.close()
  }

  /// The order of several album artists makes no other artist and no other album.
  @Test func severalAlbumArtistsAreSeveralArtists() async throws {
    var one = ScannedFileBuilder(album: "Duets", artists: ["Ella", "Louis"])
    one.albumArtists = ["Ella", "Louis"]
    var two = one
    (two.artists, two.albumArtists) = (["Guest"], ["Louis", "Ella"])
    try await store.scan([
      one.file("/m/d/1.flac", "1", track: 1), two.file("/m/d/2.flac", "2", track: 2),
      one.file("/m/d/3.flac", "3", track: 3),
    ])
    #expect(try await store.albumList() == ["Duets / Ella, Louis / 3"])
    let artists = try await store.read { reader throws(StoreError) in try reader.artists().items }
    #expect(artists.map { "\($0.name) \($0.trackCount)" }.sorted() == ["Ella 3", "Guest 1", "Louis 3"])
    try await store.remove("/m/d/1.flac", "/m/d/2.flac", "/m/d/3.flac")
    #expect(try await store.read { reader throws(StoreError) in try reader.artists().items } == [])
    store.close()
  }

  @Test func albumsWithTheSameTitleAreDistinguishedByYearReleaseOrArtist() async throws {
    let one = "6cf3aaf4-8c80-4d2c-8f61-9a1d8cbd0f01"
    let two = "6cf3aaf4-8c80-4d2c-8f61-9a1d8cbd0f02"
    try await store.scan(
      ScannedFileBuilder(album: "Weezer", year: 1994).files("/m/blue", "a")
        + ScannedFileBuilder(album: "Weezer", year: 2001).files("/m/green", "b")
        + ScannedFileBuilder(album: "weezer", year: 1994).files("/m/blue more", "c")
        + ScannedFileBuilder(album: "Release", release: one).files("/m/r1", "d")
        + ScannedFileBuilder(album: "Release", release: two).files("/m/r2", "e"))
    #expect(
      try await store.albumList() == [
        "Release / Artist / 1", "Release / Artist / 1", "Weezer / Artist / 2", "Weezer / Artist / 1",
      ])
    // An album of another artist is a different one, too.
    try await store.scan(ScannedFileBuilder(album: "Weezer", artists: ["Other"], year: 1994).files("/m/other", "f"))
    #expect(try await store.albumList().count == 5)
    store.close()
  }

  @Test func tracksWithoutAnAlbumTagHaveNoAlbum() async throws {
    try await store.scan(
      ScannedFileBuilder(album: nil).files("/m/loose", "a", "b") + ScannedFileBuilder(album: "Z").files("/m/z", "c"))
    #expect(try await store.albumList() == ["Z / Artist / 1"])
    #expect(try await store.track("/m/loose/1.flac")?.album == nil)
    #expect(try await store.titles(by: .album) == ["c", "a", "b"], "tracks without an album follow the albums")
    store.close()
  }

  @Test func anAlbumKeepsItsIDWhenItChanges() async throws {
    let builder = ScannedFileBuilder(album: "Albun", year: 2000)
    try await store.scan(ScannedFileBuilder(album: "Else").files("/m/else", "x") + builder.files("/m/a", "1", "2"))
    let id = try await album("Albun").id
    try await store.scan(builder.files("/m/a", "1", "2", "3"))
    #expect(try await album("Albun").id == id)
    // The title is corrected.
    let right = ScannedFileBuilder(album: "Album", year: 2000)
    try await store.scan(right.files("/m/a", "1", "2", "3"))
    #expect(try await album("Album").id == id)
    #expect(try await store.albumList() == ["Album / Artist / 3", "Else / Artist / 1"])
    // The folder is moved.
    try await store.rename("/m/a", to: "/m/deep/er/b")
    #expect(try await album("Album").id == id)
    store.close()
  }

  @Test func anAlbumIsRemovedWithItsLastTrack() async throws {
    try await store.scan(
      ScannedFileBuilder(album: "Gone").files("/m/a", "1", "2") + ScannedFileBuilder(album: "Loved").files("/m/b", "3"))
    let loved = try await album("Loved").uri
    try await store.write { writer throws(StoreError) in try writer.setFavorite([loved], true) }
    try await store.remove("/m/a/1.flac", "/m/a/2.flac", "/m/b/1.flac")
    let counts = try await store.read { reader throws(StoreError) in try reader.counts() }
    #expect(counts == LibraryCounts())
    #expect(try await store.albumList().isEmpty)
    // A favorite has the same id when its tracks are added again.
    try await store.scan(ScannedFileBuilder(album: "Loved").files("/m/elsewhere", "3"))
    let back = try await album("Loved")
    #expect(back.uri == loved)
    #expect(back.isFavorite)
    store.close()
  }

  @Test func renamingADiscFolderRemovesTheDisc() async throws {
    let builder = ScannedFileBuilder(album: "Album")
    try await store.scan(builder.files("/m/Album/CD1", "1") + builder.files("/m/Album/CD2", "2"))
    #expect(try await album("Album").discCount == 2)
    try await store.rename("/m/Album/CD2", to: "/m/Album/bonus")
    let found = try await album("Album")
    #expect(found.discCount == 1, "the old name contained the number of the disc")
    #expect(found.trackCount == 2, "artist and title are still the same")
    store.close()
  }
}
