import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of favourites, ratings and searches, and of their durability after `kill -9`.
@Suite struct LibraryUserTests {
  let stage: LibraryStage

  init() throws { stage = try LibraryStage() }

  private func favorites(_ params: String? = nil) throws -> FoundItems {
    FoundItems(try stage.client.call("favorites.list", params))
  }

  private func change(_ method: String, _ uris: [String]) throws -> FavoriteResult {
    let list = uris.map(quoted).joined(separator: ",")
    return FavoriteResult(try stage.client.call(method, "{\"uris\":[\(list)]}"))
  }

  @Test func tracksAlbumsArtistsAndStreamsCanBeFavourites() throws {
    let albums: ListPage<Album> = try stage.page("library.albums", #"{"year":1993}"#)
    let debut = try #require(albums.items.first)
    let stream = "http://127.0.0.1:9/radio"
    let added = try change("favorites.add", [stage.uri("loose"), debut.uri, stream])
    #expect(added.uris == [stage.uri("loose"), debut.uri, stream])
    #expect(added.failed.total == 0)
    #expect(added.total == 3)
    let all = try favorites()
    #expect(all.total == 3)
    #expect(all.albums.map(\.id) == [debut.id])
    #expect(all.albums.map(\.favorite) == [true])
    #expect(Set(all.tracks.map(\.uri)) == [stage.uri("loose"), stream])
    #expect(try favorites(#"{"type":"track","limit":1}"#).total == 2)
    #expect(try stage.titles("library.tracks", #"{"favorite":true}"#) == ["Loose"])
    #expect(try change("favorites.remove", [debut.uri, stream]).total == 1)
    #expect(try favorites().tracks.map(\.uri) == [stage.uri("loose")])
  }

  @Test func favouritesAreSortedByTheYearOfTheirRelease() throws {
    let songs = ["Кино/Звезда/1", "Björk/Debut/01", "loose", "Кино/Группа крови/1"]
    for song in songs { _ = try change("favorites.add", [stage.uri(song)]) }
    #expect(try favorites(#"{"sort":"year"}"#).tracks.map(\.metadata.year) == [1993, 1989, 1988, nil])
    let oldest = try favorites(#"{"sort":"year","order":"ascending","limit":2}"#)
    #expect(oldest.tracks.map(\.metadata.year) == [nil, 1988])
  }

  @Test func whatCannotBeAFavouriteSaysWhy() throws {
    let result = try change(
      "favorites.add", ["file:///no/such.flac", "segue:album/99999", "segue:genre/Rock", "no uri", stage.uri("loose")])
    #expect(result.uris == [stage.uri("loose")])
    #expect(result.total == 1)
    let kinds = Dictionary(result.failed.listed.map { ($0.uri, $0.kind) }) { first, _ in first }
    #expect(kinds["file:///no/such.flac"] == "not_found")
    #expect(kinds["segue:album/99999"] == "not_found")
    #expect(kinds["segue:genre/Rock"] == "invalid_params")
    #expect(kinds["no uri"] == "invalid_params")
    #expect(result.failed.listed.allSatisfy { !$0.message.isEmpty })
  }

  @Test func theQueueShowsItsFavouritesAndTellsOfThem() throws {
    try stage.client.call("queue.replace", "{\"uris\":[\"\(stage.uri("loose"))\",\"\(stage.uri("Björk/Debut/01"))\"]}")
    let watcher = try stage.daemon.connect()
    try watcher.call("subscribe", #"{"topics":["queue"]}"#)
    _ = try change("favorites.add", [stage.uri("loose")])
    _ = try watcher.event(of: "queue")
    let shown = try stage.client.call("list")["tracks"]?.elements?.map { $0["favorite"]?.bool }
    #expect(shown == [true, false])
  }

  @Test func aRatingIsSetAndTakenBack() throws {
    let uri = stage.uri("loose")
    #expect(Rating(try stage.client.call("rating.set", "{\"uri\":\"\(uri)\",\"rating\":9}")).rating == 9)
    let rated: ListPage<ListedTrack> = try stage.page("library.tracks", #"{"rating":8}"#)
    #expect(rated.items.map(\.uri) == [uri])
    #expect(rated.items.map(\.rating) == [9])
    #expect(Rating(try stage.client.call("rating.set", "{\"uri\":\"\(uri)\",\"rating\":null}")).rating == nil)
    #expect(try stage.titles("library.tracks", #"{"rating":0}"#).isEmpty)
    for rating in ["11", "-1", "2.5", #""5""#] {
      let refusal = try stage.client.refusal(of: "rating.set", "{\"uri\":\"\(uri)\",\"rating\":\(rating)}")
      #expect(refusal.kind == "invalid_params")
    }
    #expect(try stage.client.refusal(of: "rating.set", #"["file:///no.flac",5]"#).kind == "not_found")
    #expect(try stage.client.refusal(of: "rating.set", #"["segue:album/1",5]"#).kind == "invalid_params")
  }

  @Test func theLastFiveSearchesAreKept() throws {
    for query in ["one", "two", "three", "four", "five", "six", "TWO"] {
      try stage.client.call("library.search", "{\"query\":\"\(query)\"}")
    }
    try stage.client.call("library.search", #"{"query":"secret","remember":false}"#)
    try stage.client.call("library.search", #"{"query":"a page of it","offset":50}"#)
    #expect(SearchList(try stage.client.call("history.searches")).searches == ["TWO", "six", "five", "four", "three"])
    #expect(SearchList(try stage.client.call("history.searches", #"{"prefix":"F"}"#)).searches == ["five", "four"])
  }

  @Test func whatWasAnsweredOutlivesAKill() throws {
    _ = try change("favorites.add", [stage.uri("loose"), "segue:artist/1"])
    try stage.client.call("rating.set", "{\"uri\":\"\(stage.uri("loose"))\",\"rating\":3}")
    try stage.client.call("playlists.save", "{\"name\":\"kept\",\"uris\":[\"\(stage.uri("loose"))\"]}")
    stage.daemon.kill()
    try stage.restart()
    let kept = try favorites()
    #expect(kept.tracks.map(\.uri) == [stage.uri("loose")])
    #expect(kept.tracks.map(\.rating) == [3])
    #expect(kept.artists.map(\.id) == [1])
    #expect(try stage.titles("playlists.load", #"{"name":"kept"}"#) == ["Loose"])
    _ = try change("favorites.remove", [stage.uri("loose")])
    stage.daemon.kill()
    try stage.restart()
    #expect(try favorites().tracks.isEmpty)
    #expect(try favorites().total == 1)
  }

  @Test func aFavouriteFollowsItsFile() throws {
    _ = try change("favorites.add", [stage.uri("loose")])
    let old = stage.music.appending("loose.flac")
    let new = stage.music.appending("Björk/found.flac")
    old.withCString { old in new.withCString { _ = rename(old, $0) } }
    while try favorites().tracks.map(\.uri) != [stage.uri("Björk/found")] { _ = try stage.watcher.event(of: "library") }
    #expect(try favorites().tracks.map(\.metadata.title) == ["Loose"])
  }

  @Test func aLibraryThatCannotBeOpenedSaysSo() throws {
    #expect(stage.daemon.stop() == 0)
    // Root cannot create a file inside a file either.
    let folder = stage.daemon.directory.appending("home/.local/state/segue")
    let aside = folder.parent.appending("aside")
    folder.withCString { old in aside.withCString { _ = rename(old, $0) } }
    try AudioFile.write([], to: folder)
    try stage.restart()
    let refusal = try stage.client.refusal(of: "library.albums")
    #expect(refusal.kind == "unavailable")
    #expect(refusal.message.contains("state/segue"))
    #expect(try stage.client.refusal(of: "favorites.add", "[[\"\(stage.uri("loose"))\"]]").kind == "unavailable")
    #expect(try stage.status().error?.contains("state/segue") == true)
    // The queue does not need the index.
    #expect(try stage.client.call("queue.replace", "{\"uris\":[\"\(stage.uri("loose"))\"]}")["added"]?.count == 1)
  }
}
