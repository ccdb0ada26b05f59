import SegueFiles
import SegueLibrary
import SegueSQLite
import SegueSystem
import SegueWire
import SegueWorkerProtocol
import Testing

/// The user data: favorites, ratings, plays, searches, bookmarks.
@Suite(.timeLimit(.minutes(1))) struct LibraryUserTests {
  private let scratch = Scratch()
  private let store: LibraryStore

  init() { store = LibraryStore(path: scratch["library.db"]) }

  private func favorites(by sort: FavoriteSort, _ order: SortOrder) async throws -> [String] {
    try await store.read { reader throws(StoreError) in
      try reader.favorites(by: sort, order).items.map(\.uri)
    }
  }

  @Test func favoritesAreSortedByDateTitleAndRating() async throws {
    try await store.scan(ScannedFileBuilder(album: "Beta").files("/m/b", "Zulu", "Alpha"))
    let album = try #require(try await store.read { reader throws(StoreError) in try reader.albums().items.first }).uri
    let (zulu, alpha, stream) = ("file:///m/b/1.flac", "file:///m/b/2.flac", "http://radio/")
    try await store.write { writer throws(StoreError) in
      try writer.setFavorite([zulu], true, at: UnixTime(nanoseconds: 1))
      try writer.setFavorite([album], true, at: UnixTime(nanoseconds: 2))
      try writer.setFavorite([stream], true, at: UnixTime(nanoseconds: 3))
      try writer.setFavorite([alpha, zulu], true, at: UnixTime(nanoseconds: 4))
      try writer.setRating(zulu, 10)
      try writer.setRating(stream, 4)
      try writer.setRating(alpha, 0)
    }
    #expect(
      try await favorites(by: .date, .descending) == [alpha, stream, album, zulu],
      "an existing favorite keeps its time")
    #expect(try await favorites(by: .title, .ascending) == [alpha, album, zulu, stream])
    #expect(try await favorites(by: .rating, .descending) == [zulu, stream, alpha, album])
    let page = try await store.read { reader throws(StoreError) in
      try reader.favorites(by: .date, .ascending, PageRequest(offset: 1, limit: 2))
    }
    #expect(page.total == 4)
    #expect(page.items.map(\.uri) == [album, stream])
    guard case .album(let found) = page.items[0].item, page.items[1].item == .unknown else {
      Issue.record("a favorite has the wrong item")
      return
    }
    #expect(found.isFavorite)
    var filter = LibraryFilter()
    filter.isFavorite = true
    #expect(try await store.titles(by: .title, .ascending, filter) == ["Alpha", "Zulu"])
    try await store.write { writer throws(StoreError) in try writer.setFavorite([zulu, album], false) }
    #expect(try await favorites(by: .date, .ascending) == [stream, alpha])
    #expect(try await store.read { reader throws(StoreError) in try reader.isFavorite(zulu) } == false)
    store.close()
  }

  /// The description of an item may arrive when the item is no longer a favorite.
  @Test func factsAreStoredForFavoritesOnly() async throws {
    var facts = FavoriteFacts()
    facts.metadata.title = "Song"
    try await store.write { [facts] writer throws(StoreError) in
      try writer.setFavorite(["itunes:song:1", "itunes:song:2"], true)
      try writer.setFavorite(["itunes:song:1"], false)
      for uri in ["itunes:song:1", "itunes:song:2"] { try writer.setFavoriteFacts(uri, facts) }
    }
    let page = try await store.read { reader throws(StoreError) in try reader.favorites(by: .date, .ascending) }
    #expect(page.items.map(\.uri) == ["itunes:song:2"])
    #expect(page.items.map(\.metadata.title) == ["Song"])
    store.close()
  }

  @Test func tracksAreSortedAndFilteredByRating() async throws {
    try await store.scan(ScannedFileBuilder(album: "A").files("/m", "a", "b", "c", "d"))
    try await store.write { writer throws(StoreError) in
      try writer.setRating("file:///m/2.flac", 10)
      try writer.setRating("file:///m/3.flac", 0)
      try writer.setRating("file:///m/4.flac", 5)
      try writer.setRating("file:///m/4.flac", nil)
    }
    #expect(try await store.titles(by: .rating, .descending).prefix(2) == ["b", "c"])
    #expect(try await store.track("/m/3.flac")?.rating == 0)
    #expect(try await store.track("/m/4.flac")?.rating == nil)
    var filter = LibraryFilter()
    filter.ratings = 0...9
    #expect(try await store.titles(by: .title, .ascending, filter) == ["c"])
    store.close()
  }

  /// User data belongs to the URI. It is kept when the track is removed, and applies when it is added again.
  @Test func userDataSurvivesTheRemovalOfTheFile() async throws {
    let files = ScannedFileBuilder(album: "A").files("/m", "a")
    let uri = "file:///m/1.flac"
    try await store.write { writer throws(StoreError) in
      // The track is not in the index yet.
      try writer.setRating(uri, 8)
    }
    try await store.scan(files)
    #expect(try await store.track("/m/1.flac")?.rating == 8)
    try await store.write { writer throws(StoreError) in
      try writer.setFavorite([uri], true)
      try writer.addPlay(uri, at: UnixTime(nanoseconds: 5))
    }
    try await store.remove("/m/1.flac")
    #expect(
      try await store.read { reader throws(StoreError) in try reader.favorites().items.map(\.item) } == [.unknown])
    try await store.scan(files)
    let track = try #require(try await store.track("/m/1.flac"))
    #expect(track.isFavorite && track.rating == 8)
    let plays = try await store.read { reader throws(StoreError) in try reader.plays() }
    #expect(plays.items.map(\.time) == [UnixTime(nanoseconds: 5)])
    #expect(plays.items.map(\.track) == [track])
    // A change of the tags does not affect the user data.
    try await store.scan(ScannedFileBuilder(album: "B").files("/m", "other"))
    let changed = try #require(try await store.track("/m/1.flac"))
    #expect(changed.id == track.id && changed.isFavorite && changed.rating == 8)
    store.close()
  }

  /// Moved files are not looked for if the index was empty when the scan began, unless there is user data.
  @Test func aFileThatMovesDuringTheFirstScanKeepsItsUserData() async throws {
    let stamp = FileStamp(device: 1, inode: ScannedFileBuilder.newInode(), size: 1, modified: 1)
    let song = ScannedFileBuilder(album: "A").file("/m/1.flac", "a", stamp: stamp)
    try await store.write { writer throws(StoreError) in try writer.put([song]) }
    try await store.write { writer throws(StoreError) in try writer.setFavorite(["file:///m/1.flac"], true) }
    try await store.scan([ScannedFileBuilder(album: "A").file("/n/1.flac", "a", stamp: stamp)])
    #expect(try await store.track("/m/1.flac") == nil)
    #expect(try await store.track("/n/1.flac")?.isFavorite == true)
    store.close()
  }

  @Test func playsAreListedNewestFirst() async throws {
    try await store.write { writer throws(StoreError) in
      for second in 1...9 { try writer.addPlay("http://\(second)/", at: UnixTime(nanoseconds: Int64(second % 4))) }
    }
    let plays = try await store.read { reader throws(StoreError) in try reader.plays(PageRequest(offset: 1, limit: 3)) }
    #expect(plays.items.map(\.uri) == ["http://3/", "http://6/", "http://2/"])
    #expect(plays.total == 9)
    store.close()
  }

  @Test func playedTracksAreListedByTheNumberOfPlays() async throws {
    try await store.write { writer throws(StoreError) in
      for (second, number) in [1, 2, 3, 2, 3, 4].enumerated() {
        try writer.addPlay("http://\(number)/", at: UnixTime(nanoseconds: Int64(second)))
      }
    }
    let plays = try await store.read { reader throws(StoreError) in try reader.plays(by: .plays) }
    // Tracks with the same number of plays are in the order of the last play, the newest first.
    #expect(
      plays.items.map { "\($0.uri) \($0.count) \($0.time.nanoseconds)" } == [
        "http://3/ 2 4", "http://2/ 2 3", "http://4/ 1 5", "http://1/ 1 0",
      ])
    #expect(plays.total == 4)
    let page = try await store.read { reader throws(StoreError) in
      try reader.plays(by: .plays, PageRequest(offset: 1, limit: 2))
    }
    #expect(page.items.map(\.uri) == ["http://2/", "http://4/"])
    let byTime = try await store.read { reader throws(StoreError) in try reader.plays().items }
    #expect(byTime.map(\.count) == [1, 2, 2, 2, 2, 1])
    store.close()
  }

  @Test func aPlayStoresTheFactsOfATrackOutsideTheIndex() async throws {
    var metadata = Metadata()
    metadata.title = "Outside"
    metadata.artists = ["One", "Two"]
    metadata.artist = "One & Two"
    metadata.album = "Elsewhere"
    let known = PlayedFacts(metadata, duration: .seconds(5), durationKind: .exact)
    try await store.write { writer throws(StoreError) in try writer.addPlay("file:///else/1.flac", known) }
    store.close()
    let again = LibraryStore(path: scratch["library.db"])
    let plays = try await again.read { reader throws(StoreError) in try reader.plays().items }
    #expect(plays.map(\.known) == [known])
    #expect(plays.map(\.known.metadata) == [metadata])
    again.close()
  }

  @Test func theLastFiveSearchesAreKept() async throws {
    try await store.write { writer throws(StoreError) in
      for (second, query) in ["Кино", "abba", "x", "Beatles", " ", "kinks", "КИНО", "Zappa 50%"].enumerated() {
        try writer.addSearch(query, at: UnixTime(nanoseconds: Int64(second)))
      }
    }
    let searches = { (text: String) in
      try await store.read { reader throws(StoreError) in try reader.searches(containing: text) }
    }
    #expect(try await searches("") == ["Zappa 50%", "КИНО", "kinks", "Beatles", "x"])
    #expect(try await searches("ино") == ["КИНО"])
    #expect(try await searches("K") == ["kinks"])
    #expect(try await searches("%") == ["Zappa 50%"])
    #expect(try await searches("nothing") == [])
    // The clock is set back.
    try await store.write { writer throws(StoreError) in
      try writer.addSearch("Earlier", at: UnixTime(nanoseconds: -5))
      try writer.addSearch("Kinks", at: UnixTime(nanoseconds: -4))
    }
    #expect(try await searches("") == ["Kinks", "Earlier", "Zappa 50%", "КИНО", "Beatles"])
    store.close()
  }

  @Test func aBookmarkIsSetChangedAndRemoved() async throws {
    let uri = "file:///books/long.m4b"
    let bookmark = { try await store.read { reader throws(StoreError) in try reader.bookmark(uri) } }
    // A change whose speed is unknown keeps the speed.
    for (position, speed) in [(10, PlaybackSpeed.slowest), (20, nil)] {
      try await store.write { writer throws(StoreError) in
        try writer.setBookmark(
          uri, ResumePoint(position: MediaTime(nanoseconds: Int64(position)), speed: speed),
          at: UnixTime(nanoseconds: 7))
      }
    }
    let mark = try #require(try await bookmark())
    #expect(mark.point == ResumePoint(position: MediaTime(nanoseconds: 20), speed: .slowest))
    #expect(mark.time == UnixTime(nanoseconds: 7))
    try await store.write { writer throws(StoreError) in try writer.setBookmark(uri, nil) }
    #expect(try await bookmark() == nil)
    store.close()
  }

  /// The recording was encoded anew: the file has other audio, and another name.
  @Test func userDataFollowsARecordingThatWasEncodedAnew() async throws {
    let (one, two) = ("6cf3aaf4-8c80-4d2c-8f61-9a1d8cbd0f01", "6cf3aaf4-8c80-4d2c-8f61-9a1d8cbd0f02")
    try await store.scan([
      ScannedFileBuilder(album: "A", release: one, recording: one).file("/gone/a.mp3", "A"),
      ScannedFileBuilder(album: "B", release: two, recording: one).file("/gone/b.mp3", "A"),
    ])
    try await store.write { writer throws(StoreError) in
      try writer.setRating("file:///gone/a.mp3", 2)
      try writer.setRating("file:///gone/b.mp3", 9)
    }
    try await store.remove("/gone/a.mp3", "/gone/b.mp3")
    // The recording is on two albums. Only the same album is certain.
    try await store.scan([
      ScannedFileBuilder(album: "B", release: two, recording: one).file("/gone/new/b.opus", "A"),
      ScannedFileBuilder(album: "X", release: two, recording: two).file("/gone/new/x.opus", "X"),
    ])
    #expect(try await store.track("/gone/new/b.opus")?.rating == 9)
    #expect(try await store.track("/gone/new/x.opus")?.rating == nil)
    store.close()
  }

  /// Returns a file of the music folder with this audio, which is also on the disk.
  private func song(_ name: String, audio: UInt64) -> ScannedFile {
    let path = scratch.write(name)
    var file = ScannedFileBuilder(album: "A").file("\(path)", name)
    if case .success(var facts) = file.result {
      facts.audioDigest = audio
      file.result = .success(facts)
    }
    return file
  }

  /// Songs were copied one place up, over each other, in whatever order the scan reads them.
  @Test(arguments: [false, true]) func userDataFollowsSongsThatWereCopiedOverEachOther(isReversed: Bool) async throws {
    let names = (1...4).map { "m/\($0).mp3" }
    let uris = names.map { [scratch] in FileURI.encode(scratch[$0]) }
    try await store.scan((0..<4).map { song(names[$0], audio: UInt64($0)) })
    try await store.write { writer throws(StoreError) in
      for index in 0..<4 { try writer.setRating(uris[index], index + 1) }
    }
    // The last one is another song now.
    let files = (0..<4).map { song(names[$0], audio: UInt64($0) + 1) }
    try await store.scan(isReversed ? files.reversed() : files)
    let ratings = try await store.read { reader throws(StoreError) in
      var ratings: [Int?] = []
      for uri in uris { ratings.append(try reader.rating(uri)) }
      return ratings
    }
    #expect(ratings == [2, 3, 4, nil])
    store.close()
  }

  enum Interruption: CaseIterable { case none, killed, abandoned }

  /// A song was copied to another path, and another song then took its place. The scan reads the copy first.
  @Test(arguments: Interruption.allCases) func userDataFollowsACopyThatWasReadBeforeAnInterruptionOfTheScan(
    _ interruption: Interruption
  ) async throws {
    var store = store
    let (place, copy) = (FileURI.encode(scratch["m/place.mp3"]), FileURI.encode(scratch["m/copy.mp3"]))
    try await store.scan([song("m/place.mp3", audio: 1)])
    try await store.write { writer throws(StoreError) in try writer.setRating(place, 9) }
    let (second, third) = (song("m/copy.mp3", audio: 1), song("m/place.mp3", audio: 2))
    try await store.write { writer throws(StoreError) in try writer.put([second]) }
    switch interruption {
    case .none: break
    case .killed:
      store.close()
      store = LibraryStore(path: scratch["library.db"])
    case .abandoned: try await store.write { writer throws(StoreError) in writer.abandonScan() }
    }
    try await store.scan([third])
    let ratings = try await store.read { reader throws(StoreError) in
      [try reader.rating(copy), try reader.rating(place)]
    }
    #expect(ratings == [9, nil])
    // Another scan is not the continuation of this one.
    let (again, fourth) = (song("m/later.mp3", audio: 2), song("m/place.mp3", audio: 3))
    try await store.write { writer throws(StoreError) in try writer.setRating(place, 4) }
    try await store.scan([again])
    try await store.scan([fourth])
    let later = FileURI.encode(scratch["m/later.mp3"])
    #expect(try await store.read { reader throws(StoreError) in try reader.rating(later) } == nil)
    store.close()
  }
}
