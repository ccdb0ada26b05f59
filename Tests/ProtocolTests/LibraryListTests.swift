import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of lists, searches and events of the library.
@Suite struct LibraryListTests {
  let fixture: LibraryFixture

  init() throws { fixture = try LibraryFixture() }

  @Test func libraryStatusCountsTracksAlbumsAndArtists() throws {
    let status = try fixture.status()
    #expect(status.tracks == 6)
    #expect(status.albums == 3)
    #expect(status.artists == 3)
    #expect(status.failed == 0)
    #expect(status.error == nil)
    #expect(status.folders == [.init(uri: FileURI.encode(fixture.music), state: .online)])
    #expect(try LibraryStatus(fixture.client.call("subscribe")["library"]) == status)
  }

  @Test func albumsAreListedInAnyOrderPageByPage() throws {
    let byTitle: ListPage<Album> = try fixture.page("library.albums")
    #expect(byTitle.total == 3)
    #expect(Set(byTitle.items.map(\.title)) == ["Debut", "Группа крови", "Звезда по имени Солнце"])
    let debut = try #require(byTitle.items.first { $0.title == "Debut" })
    #expect(debut.albumArtist == "Björk")
    #expect(debut.year == 1993)
    #expect(debut.trackCount == 2)
    #expect(debut.uri == "segue:album/\(debut.id)")
    let byYear: ListPage<Album> = try fixture.page("library.albums", #"{"sort":"year","order":"descending"}"#)
    #expect(byYear.items.map(\.year) == [1993, 1989, 1988])
    let second: ListPage<Album> = try fixture.page("library.albums", #"{"sort":"year","offset":1,"limit":1}"#)
    #expect(second.items.map(\.year) == [1989])
    #expect(second.total == 3)
    #expect(second.offset == 1)
    let beyond: ListPage<Album> = try fixture.page("library.albums", #"{"offset":70}"#)
    #expect(beyond.items.isEmpty)
    #expect(beyond.total == 3)
  }

  @Test func aFolderIsListedLevelByLevelWithFoldersBeforeTracks() throws {
    func contents(_ folder: String, _ more: String = "") throws -> FolderContents {
      let path = folder.isEmpty ? fixture.music : fixture.music.appending(folder)
      return FolderContents(
        try fixture.client.call("library.folder", "{\"uri\":\"\(FileURI.encode(path))\"\(more)}"))
    }
    func names(_ contents: FolderContents) -> [String] {
      (contents.folders.map(\.uri) + contents.tracks.map(\.uri)).compactMap { FileURI.decode($0)?.stem }
    }
    let top = try contents("")
    #expect(names(top) == ["Björk", "Кино", "loose"])
    #expect(top.folders.count == 2 && top.tracks.count == 1 && top.total == 3)
    #expect(try names(contents("Björk")) == ["Debut"])
    #expect(try contents("Björk/Debut").tracks.count == 2)
    // A page may end among the folders, and begin among the tracks.
    let second = try contents("", #","offset":1,"limit":1"#)
    #expect(names(second) == ["Кино"] && second.total == 3 && second.offset == 1)
    #expect(try names(contents("", #","offset":2,"limit":9"#)) == ["loose"])
    #expect(try names(contents("", #","offset":9"#)) == [])
  }

  @Test func tracksAreFiltered() throws {
    #expect(try fixture.titles("library.tracks").count == 6)
    #expect(try fixture.titles("library.tracks", #"{"genre":"electronic"}"#) == ["Human Behaviour", "Violently Happy"])
    #expect(try fixture.titles("library.tracks", #"{"year":1989}"#) == ["Звезда по имени Солнце"])
    #expect(try fixture.titles("library.tracks", #"{"year":"1988..1989","sort":"year"}"#).count == 3)
    #expect(try fixture.titles("library.tracks", #"{"year":"1993.."}"#).count == 2)
    #expect(try fixture.titles("library.tracks", #"{"format":"flac"}"#).count == 6)
    #expect(try fixture.titles("library.tracks", #"{"format":"mp3"}"#).isEmpty)
    #expect(try fixture.titles("library.tracks", #"{"addedWithin":3600}"#).count == 6)
    #expect(try fixture.titles("library.tracks", #"{"year":"..1988"}"#).count == 2)
    // One track has no year.
    for year in [#""0..1988""#, #""-5..1988""#, #""1..1988""#] {
      #expect(try fixture.titles("library.tracks", "{\"year\":\(year)}").count == 2, "\(year)")
    }
    for year in [#""then""#, #""1999..1990""#, #""..""#, #""-5..0""#] {
      let error = try fixture.client.errorResponse(to: "library.tracks", "{\"year\":\(year)}")
      #expect(error.kind == "invalid_params")
      #expect(error.message.contains("`year`"))
    }
    let artists: ListPage<Artist> = try fixture.page("library.artists")
    let kino = try #require(artists.items.first { $0.name == "Кино" })
    #expect(kino.trackCount == 3)
    #expect(kino.albumCount == 2)
    #expect(try fixture.titles("library.tracks", "{\"artist\":\(kino.id)}").count == 3)
  }

  @Test func albumsListTheirTracksAndArtistsTheirAlbums() throws {
    let albums: ListPage<Album> = try fixture.page("library.albums", #"{"year":1993}"#)
    let debut = try #require(albums.items.first)
    let contents = AlbumContents(try fixture.client.call("library.album", "{\"id\":\(debut.id)}"))
    #expect(contents.album == debut)
    #expect(contents.tracks.map(\.metadata.track) == [1, 10])
    #expect(contents.tracks.map(\.album) == [debut.uri, debut.uri])
    #expect(contents.tracks.map(\.uri) == [fixture.uri("Björk/Debut/01"), fixture.uri("Björk/Debut/10")])
    let artists: ListPage<Artist> = try fixture.page("library.artists", #"{"order":"descending"}"#)
    let kino = try #require(artists.items.first { $0.name == "Кино" })
    let works = ArtistContents(try fixture.client.call("library.artist", "{\"id\":\(kino.id)}"))
    #expect(works.artist == kino)
    #expect(works.albums.map(\.year) == [1988, 1989])
    #expect(works.total == 2)
    let tail = AlbumContents(try fixture.client.call("library.album", "{\"id\":\(debut.id),\"offset\":1}"))
    #expect(tail.tracks.map(\.metadata.track) == [10])
    #expect(tail.total == 2 && tail.offset == 1)
    let first = ArtistContents(try fixture.client.call("library.artist", "{\"id\":\(kino.id),\"limit\":1}"))
    #expect(first.albums.map(\.year) == [1988])
    #expect(first.total == 2)
    for method in ["library.album", "library.artist"] {
      #expect(try fixture.client.errorResponse(to: method, #"{"id":123456}"#).kind == "not_found")
    }
  }

  @Test func genresAreCounted() throws {
    let genres: ListPage<Genre> = try fixture.page("library.genres")
    #expect(genres.items.map(\.name) == ["Electronic", "Rock"])
    #expect(genres.items.map(\.trackCount) == [2, 3])
    #expect(genres.items.map(\.uri) == ["segue:genre/Electronic", "segue:genre/Rock"])
  }

  @Test func valuesOfATagAreListedAndSelectAlbumsTracksAndTheQueue() throws {
    try fixture.write(
      (
        "mass/01",
        [
          ("TITLE", "Kyrie"), ("ALBUM", "Mass"), ("ARTIST", "Choir"), ("COMPOSER", "J. S. Bach"), ("COMPOSER", "Anon."),
          ("CONDUCTOR", "Karl Richter"), ("WORK", "Mass in B minor"), ("DATE", "1961"),
        ]
      ))
    try fixture.wait { $0.tracks == 7 && !$0.scanning }
    func values(_ tag: String, _ more: String = "") throws -> ListPage<TagValue> {
      try fixture.page("library.values", "{\"tag\":\"\(tag)\"\(more)}")
    }
    let composers = try values("composer")
    #expect(
      composers.items == [
        TagValue(name: "Anon.", uri: "segue:composer/Anon.", albumCount: 1, trackCount: 1),
        TagValue(name: "J. S. Bach", uri: "segue:composer/J.%20S.%20Bach", albumCount: 1, trackCount: 1),
      ])
    #expect(composers.total == 2 && composers.offset == 0)
    #expect(try values("albumArtist").items.map(\.name) == ["Björk", "Choir", "Кино"])
    #expect(try values("conductor").items.map(\.uri) == ["segue:conductor/Karl%20Richter"])
    #expect(try values("work").items.map(\.name) == ["Mass in B minor"])
    #expect(try values("genre").items.map(\.albumCount) == [1, 2])
    #expect(try values("year").items.map(\.name) == ["1993", "1989", "1988", "1961"])
    #expect(try values("decade").items.map(\.uri) == ["segue:decade/1990", "segue:decade/1980", "segue:decade/1960"])
    #expect(try values("decade", #","order":"ascending","limit":1"#).items.map(\.name) == ["1960s"])
    for filter in [
      #"{"composer":"j. s. bach"}"#, #"{"conductor":"Karl Richter"}"#, #"{"work":"mass in b minor"}"#,
      #"{"albumArtist":"choir"}"#, #"{"year":"1960..1969"}"#,
    ] {
      #expect(try fixture.titles("library.tracks", filter) == ["Kyrie"], "\(filter)")
      #expect(try fixture.titles("library.random", filter) == ["Kyrie"], "\(filter)")
      let albums: ListPage<Album> = try fixture.page("library.albums", filter)
      #expect(albums.items.map(\.title) == ["Mass"], "\(filter)")
    }
    for uri in ["segue:composer/j.%20s.%20bach", "segue:year/1961", "segue:decade/1960", "segue:albumArtist/choir"] {
      let added = AddResult(try fixture.client.call("queue.replace", "{\"uris\":[\"\(uri)\"]}"))
      #expect(added.addedTotal == 1, "\(uri)")
    }
    #expect(try fixture.client.errorResponse(to: "library.values", #"{"tag":"mood"}"#).kind == "invalid_params")
    let found = SearchAnswer(try fixture.client.call("library.search", #"{"query":"composer:bach"}"#))
    #expect(found.found.tracks.map(\.metadata.title) == ["Kyrie"] && found.found.albums.map(\.title) == ["Mass"])
    let report = TrackReport(try fixture.client.call("library.track", "{\"uri\":\"\(fixture.uri("mass/01"))\"}"))
    #expect(report.conductors == ["Karl Richter"] && report.works == ["Mass in B minor"])
  }

  @Test func trackInformationContainsAllFields() throws {
    try fixture.write(
      (
        "full",
        [
          ("TITLE", "Full"), ("ARTIST", "The Someone"), ("ARTISTSORT", "Someone, The"), ("ORIGINALDATE", "1971-02-03"),
          ("MUSICBRAINZ_TRACKID", "11111111-2222-3333-4444-555555555555"), ("REPLAYGAIN_TRACK_GAIN", "-6.50 dB"),
          ("REPLAYGAIN_TRACK_PEAK", "0.5"), ("LYRICS", "La la"),
        ]
      ))
    try fixture.wait { $0.tracks == 7 && !$0.scanning }
    let report = TrackReport(try fixture.client.call("library.track", "{\"uri\":\"\(fixture.uri("full"))\"}"))
    #expect(report.track.metadata.title == "Full")
    #expect(report.audio.codec == "flac")
    #expect(report.originalDate == "1971-02-03")
    #expect(report.sort.artist == "Someone, The")
    #expect(report.musicBrainz.track == "11111111-2222-3333-4444-555555555555")
    #expect(report.gain.trackGain == -6.5)
    #expect(report.gain.trackPeak == 0.5)
    #expect(report.hasLyrics)
    #expect(!report.hasCover)
    #expect(
      try fixture.client.errorResponse(to: "library.track", #"{"uri":"file:///nowhere.flac"}"#).kind == "not_found")
  }

  @Test func searchFindsLatinAndCyrillicSpellings() throws {
    let both = SearchAnswer(try fixture.client.call("library.search", #"{"query":"kino"}"#))
    #expect(both.found.artists.map(\.name) == ["Кино"])
    #expect(both.found.tracks.count == 3)
    let typed = SearchAnswer(try fixture.client.call("library.search", #"{"query":"bjork","type":"artist"}"#))
    #expect(typed.found.artists.map(\.name) == ["Björk"])
    #expect(typed.found.total == 1)
    #expect(typed.found.tracks.isEmpty)
    let paged = SearchAnswer(
      try fixture.client.call("library.search", #"{"query":"кино","type":"track","offset":1,"limit":1}"#))
    #expect(paged.found.tracks.count == 1)
    #expect(paged.found.total == 3)
    for query in ["", "   ", "\\t"] {
      #expect(
        try fixture.client.errorResponse(to: "library.search", "{\"query\":\"\(query)\"}").kind == "query_too_short")
    }
    for query in [#"\"("#, "AND OR NOT", "artist:", "*", "%'--", "-"] {
      _ = try fixture.client.call("library.search", "{\"query\":\"\(query)\"}")
    }
  }

  /// Results are sorted by title instead of by rank.
  @Test func searchResultsCanBeSortedByTitle() throws {
    let query = #"{"query":"rock","type":"track","sort":"title"}"#
    #expect(
      try fixture.titles("library.search", query) == ["Группа крови", "Закрой за мной дверь", "Звезда по имени Солнце"])
    let second = #"{"query":"rock","type":"track","sort":"title","offset":1,"limit":1}"#
    #expect(try fixture.titles("library.search", second) == ["Закрой за мной дверь"])
    let albums = SearchAnswer(try fixture.client.call("library.search", #"["year:1988..1993","album","title"]"#))
    #expect(albums.found.albums.map(\.title) == ["Debut", "Группа крови", "Звезда по имени Солнце"])
    #expect(albums.found.total == 3)
  }

  @Test func earlierSearchesAreSuggested() throws {
    for query in ["Björk live", "kino", "LIVELY"] {
      try fixture.client.call("library.search", "{\"query\":\(quoted(query))}")
    }
    func suggested(_ params: String) throws -> [LibrarySuggestion] {
      Suggestions(try fixture.client.call("library.suggest", params)).suggestions
    }
    let hints = try suggested(#"{"prefix":"live"}"#)
    #expect(hints.prefix(2).map(\.text) == ["LIVELY", "Björk live"])
    #expect(hints.prefix(2).allSatisfy { $0.type == .search })
    #expect(hints.first?.uri == "segue:search/LIVELY")
    #expect(try suggested(#"{"prefix":""}"#).map(\.text) == ["LIVELY", "kino", "Björk live"])
    #expect(try suggested(#"{"prefix":"","limit":1}"#).map(\.text) == ["LIVELY"])
    // No user types as much.
    let long = String(repeating: "live ", count: 200)
    try fixture.client.call("library.search", "{\"query\":\(quoted(long))}")
    #expect(try suggested(#"{"prefix":""}"#).map(\.text) == ["LIVELY", "kino", "Björk live"])
  }

  @Test func suggestionsCanBeQueued() throws {
    let found = Suggestions(try fixture.client.call("library.suggest", #"{"prefix":"deb"}"#)).suggestions
    let album = try #require(found.first { $0.type == .album })
    #expect(album.text == "Debut" && album.artist == "Björk")
    let added = try fixture.client.call("queue.replace", "{\"uris\":[\"\(album.uri)\"]}")
    #expect(added["added"]?.count == 2)
  }

  @Test func randomOrderContainsEachTrackOnce() throws {
    let all = TrackList(try fixture.client.call("library.random", #"{"limit":100}"#)).tracks
    #expect(all.count == 6)
    #expect(Set(all.map(\.uri)).count == 6)
    #expect(TrackList(try fixture.client.call("library.random")).tracks.count == 1)
    #expect(try fixture.titles("library.random", #"{"limit":9,"genre":"Rock"}"#).count == 3)
  }

  @Test func addedAndRemovedFilesAreAnnounced() throws {
    let path = try fixture.write(("new/one", [("TITLE", "New"), ("ARTIST", "New"), ("ALBUM", "New")]))
    try fixture.wait { $0.tracks == 7 && $0.albums == 4 }
    path.withCString { _ = unlink($0) }
    try fixture.wait { $0.tracks == 6 && $0.albums == 3 }
  }

  @Test func aScanOfAFolderScansOnlyThatFolder() throws {
    let status = LibraryStatus(
      try fixture.client.call(
        "library.scan", "{\"paths\":[\"\(fixture.music)/Björk\",\"\(FileURI.encode(fixture.music))\"]}")
    )
    #expect(status.scanning)
    try fixture.waitForScan()
    #expect(try fixture.status().tracks == 6)
    #expect(try fixture.client.errorResponse(to: "library.scan", #"{"paths":["/etc"]}"#).kind == "not_found")
    #expect(try fixture.client.errorResponse(to: "library.scan", #"{"paths":["relative"]}"#).kind == "invalid_params")
  }

  @Test func unreadableFilesAreListedWithTheirReasons() throws {
    try AudioFile.write(Array("no music at all".utf8), to: fixture.music.appending("broken.flac"))
    try fixture.wait { $0.failed == 1 && !$0.scanning }
    let failures: ListPage<URIFailure> = try fixture.page("library.failures")
    #expect(failures.items.map(\.uri) == [fixture.uri("broken")])
    #expect(failures.items.first?.kind == "unplayable")
    #expect(failures.items.first?.message.isEmpty == false)
  }
}
