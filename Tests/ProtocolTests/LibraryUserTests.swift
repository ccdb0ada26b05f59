import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of favorites, ratings and searches, and of their durability after `kill -9`.
@Suite struct LibraryUserTests {
  let fixture: LibraryFixture

  init() throws { fixture = try LibraryFixture() }

  private func favorites(_ params: String? = nil) throws -> FoundItems {
    FoundItems(try fixture.client.call("favorites.list", params))
  }

  private func change(_ method: String, _ uris: [String]) throws -> FavoriteResult {
    let list = uris.map(quoted).joined(separator: ",")
    return FavoriteResult(try fixture.client.call(method, "{\"uris\":[\(list)]}"))
  }

  @Test func tracksAlbumsArtistsAndStreamsCanBeFavorites() throws {
    let albums: ListPage<Album> = try fixture.page("library.albums", #"{"year":1993}"#)
    let debut = try #require(albums.items.first)
    let stream = "http://127.0.0.1:9/radio"
    let added = try change("favorites.add", [fixture.uri("loose"), debut.uri, stream])
    #expect(added.uris == [fixture.uri("loose"), debut.uri, stream])
    #expect(added.failed.total == 0)
    #expect(added.total == 3)
    let all = try favorites()
    #expect(all.total == 3)
    #expect(all.albums.map(\.id) == [debut.id])
    #expect(all.albums.map(\.favorite) == [true])
    #expect(Set(all.tracks.map(\.uri)) == [fixture.uri("loose"), stream])
    #expect(try favorites(#"{"type":"track","limit":1}"#).total == 2)
    #expect(try fixture.titles("library.tracks", #"{"favorite":true}"#) == ["Loose"])
    #expect(try change("favorites.remove", [debut.uri, stream]).total == 1)
    #expect(try favorites().tracks.map(\.uri) == [fixture.uri("loose")])
  }

  @Test func foldersPlaylistsAndDevicesAreNeitherFavoritesNorRated() throws {
    let folder = try TemporaryFolder()
    let playlist = FileURI.encode(try folder.write("list.m3u", Array("a.flac\n".utf8)))
    for uri in [FileURI.encode(folder.path), playlist, "file:///dev/null"] {
      #expect(try fixture.client.errorResponse(to: "rating.set", "[\"\(uri)\",5]").kind == "unplayable", "\(uri)")
      let result = try change("favorites.add", [uri])
      #expect(result.uris.isEmpty && result.failed.listed.map(\.kind) == ["unplayable"], "\(uri)")
    }
  }

  @Test func favoritesAreSortedByReleaseYear() throws {
    let songs = ["Кино/Звезда/1", "Björk/Debut/01", "loose", "Кино/Группа крови/1"]
    for song in songs { _ = try change("favorites.add", [fixture.uri(song)]) }
    #expect(try favorites(#"{"sort":"year"}"#).tracks.map(\.metadata.year) == [1993, 1989, 1988, nil])
    let oldest = try favorites(#"{"sort":"year","order":"ascending","limit":2}"#)
    #expect(oldest.tracks.map(\.metadata.year) == [nil, 1988])
  }

  @Test func invalidFavoritesAreRejectedWithAReason() throws {
    let result = try change(
      "favorites.add",
      ["file:///no/such.flac", "segue:album/99999", "segue:genre/Rock", "no uri", fixture.uri("loose")])
    #expect(result.uris == [fixture.uri("loose")])
    #expect(result.total == 1)
    let kinds = Dictionary(result.failed.listed.map { ($0.uri, $0.kind) }) { first, _ in first }
    #expect(kinds["file:///no/such.flac"] == "not_found")
    #expect(kinds["segue:album/99999"] == "not_found")
    #expect(kinds["segue:genre/Rock"] == "invalid_params")
    #expect(kinds["no uri"] == "invalid_params")
    #expect(result.failed.listed.allSatisfy { !$0.message.isEmpty })
  }

  @Test func theQueueShowsFavoritesWhenTheyAreAnnounced() throws {
    try fixture.client.call(
      "queue.replace", "{\"uris\":[\"\(fixture.uri("loose"))\",\"\(fixture.uri("Björk/Debut/01"))\"]}")
    let watcher = try fixture.daemon.connect()
    try watcher.call("subscribe", #"{"topics":["favorites"]}"#)
    _ = try change("favorites.add", [fixture.uri("loose")])
    _ = try watcher.event(of: "favorites")
    let shown = try fixture.client.call("list")["tracks"]?.elements?.map { $0["favorite"]?.bool }
    #expect(shown == [true, false])
  }

  @Test func aRatingIsSetAndRemoved() throws {
    let uri = fixture.uri("loose")
    #expect(Rating(try fixture.client.call("rating.set", "{\"uri\":\"\(uri)\",\"rating\":9}")).rating == 9)
    let rated: ListPage<ListedTrack> = try fixture.page("library.tracks", #"{"rating":8}"#)
    #expect(rated.items.map(\.uri) == [uri])
    #expect(rated.items.map(\.rating) == [9])
    #expect(Rating(try fixture.client.call("rating.set", "{\"uri\":\"\(uri)\",\"rating\":null}")).rating == nil)
    #expect(try fixture.titles("library.tracks", #"{"rating":0}"#).isEmpty)
    for rating in ["11", "-1", "2.5", #""5""#] {
      let error = try fixture.client.errorResponse(to: "rating.set", "{\"uri\":\"\(uri)\",\"rating\":\(rating)}")
      #expect(error.kind == "invalid_params")
    }
    #expect(try fixture.client.errorResponse(to: "rating.set", #"["file:///no.flac",5]"#).kind == "not_found")
    #expect(try fixture.client.errorResponse(to: "rating.set", #"["segue:album/1",5]"#).kind == "invalid_params")
    #expect(try fixture.client.errorResponse(to: "lyrics", #"["segue:album/1"]"#).kind == "invalid_params")
  }

  @Test func aRatingIsReturnedForEveryTrackAndEverySpellingOfItsURI() throws {
    let outside = try TemporaryFolder()
    try outside.write("a b.flac")
    for uri in [fixture.uri("loose"), "http://host.invalid/a b.flac", "FILE://localhost\(outside.path)/a b.flac"] {
      func rating() throws -> Rating { Rating(try fixture.client.call("rating.get", "[\"\(uri)\"]")) }
      #expect(try rating().rating == nil)
      let saved = Rating(try fixture.client.call("rating.set", "[\"\(uri)\",0]"))
      #expect(try saved.rating == 0 && rating() == saved)
    }
    for (uri, kind) in [("segue:album/1", "invalid_params"), ("x", "invalid_params"), ("file://host/a", "not_found")] {
      #expect(try fixture.client.errorResponse(to: "rating.get", "[\"\(uri)\"]").kind == kind)
    }
  }

  @Test func theLastFiveSearchesAreSaved() throws {
    for query in ["one", "two", "three", "four", "five", "six", "TWO"] {
      try fixture.client.call("library.search", "{\"query\":\"\(query)\"}")
    }
    try fixture.client.call("library.search", #"{"query":"secret","remember":false}"#)
    try fixture.client.call("library.search", #"{"query":"a page of it","offset":50}"#)
    #expect(
      SearchList(try fixture.client.call("history.searches")).searches == ["TWO", "six", "five", "four", "three"])
    #expect(SearchList(try fixture.client.call("history.searches", #"{"prefix":"F"}"#)).searches == ["five", "four"])
  }

  @Test func aFavoriteFollowsAMovedFile() throws {
    _ = try change("favorites.add", [fixture.uri("loose")])
    let old = fixture.music.appending("loose.flac")
    let new = fixture.music.appending("Björk/found.flac")
    old.withCString { old in new.withCString { _ = rename(old, $0) } }
    while try favorites().tracks.map(\.uri) != [fixture.uri("Björk/found")] {
      _ = try fixture.watcher.event(of: "library")
    }
    #expect(try favorites().tracks.map(\.metadata.title) == ["Loose"])
  }

  @Test func aLibraryThatCannotBeOpenedIsReported() throws {
    fixture.daemon.stop()
    // Root cannot create a file inside a file either.
    let folder = fixture.daemon.directory.appending("home/.local/state/segue")
    let aside = folder.parent.appending("aside")
    folder.withCString { old in aside.withCString { _ = rename(old, $0) } }
    try AudioFile.write([], to: folder)
    try fixture.restart()
    let error = try fixture.client.errorResponse(to: "library.albums")
    #expect(error.kind == "unavailable")
    #expect(error.message.contains("state/segue"))
    #expect(
      try fixture.client.errorResponse(to: "favorites.add", "[[\"\(fixture.uri("loose"))\"]]").kind == "unavailable")
    #expect(try fixture.status().error?.text.contains("state/segue") == true)
    // The queue does not need the index.
    #expect(try fixture.client.call("queue.replace", "{\"uris\":[\"\(fixture.uri("loose"))\"]}")["added"]?.count == 1)
  }
}
