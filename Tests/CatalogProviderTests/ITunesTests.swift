import SegueSystem
import SegueWire
import Testing

@testable import SegueCatalogProviders

@Suite struct ITunesTests {
  private let provider = Sample.itunes

  private func entries(_ subject: CatalogQuery.Subject, _ sample: String) throws -> [CatalogEntry] {
    try provider.result(of: CatalogQuery(subject), from: Sample.file(sample)).entries
  }

  // MARK: Requests

  @Test func search_isEncodedAsAForm() throws {
    let query = CatalogQuery(.search(.song, "  rock & roll+ é*  "), country: "DE", language: "de_DE.UTF-8")
    #expect(
      try provider.request(for: query).url
        == "https://itunes.apple.com/search?term=rock+%26+roll%2B+%C3%A9*&media=music&entity=song&country=de&lang=de_de&limit=30"
    )
  }

  @Test(arguments: [
    (CatalogItem.Kind.song, "media=music&entity=song&"), (.album, "media=music&entity=album&"),
    (.artist, "media=music&entity=musicArtist&"), (.film, "media=movie&entity=movie&"),
    (.audiobook, "media=audiobook&entity=audiobook&"), (.podcast, "media=podcast&entity=podcast&"),
    (.episode, "media=podcast&entity=podcastEpisode&"),
  ]) func search_namesMediaAndEntityOfTheKind(kind: CatalogItem.Kind, parameters: String) throws {
    #expect(try provider.request(for: CatalogQuery(.search(kind, "abc"))).url.contains(parameters))
  }

  @Test func pagesAfterTheFirst_shareARequest() throws {
    func url(_ offset: Int) throws -> String {
      let page = PageRequest(offset: offset, limit: 30)
      return try provider.request(for: CatalogQuery(.search(.song, "abc"), page: page)).url
    }
    #expect(try url(0).hasSuffix("limit=30"))
    #expect(try url(30).hasSuffix("limit=200"))
    #expect(try url(60) == url(30))
    expectFailure(.outOfRange) { try url(200) }
    let albums = CatalogQuery(.search(.album, "abc"), page: PageRequest(limit: 30))
    #expect(try provider.request(for: albums).url.hasSuffix("limit=200"), "albums are sorted")
  }

  @Test func chart_isRequestedByCountryKindAndGenre() throws {
    func url(_ subject: CatalogQuery.Subject, country: String? = nil) throws -> String {
      try provider.request(for: CatalogQuery(subject, country: country, page: PageRequest(offset: 20, limit: 20))).url
    }
    #expect(try url(.popular(.song, genre: nil)) == "https://itunes.apple.com/us/rss/topsongs/limit=100/json")
    #expect(
      try url(.popular(.film, genre: "action"), country: "ru")
        == "https://itunes.apple.com/ru/rss/topmovies/limit=100/genre=4401/json")
    #expect(try url(.popular(.song, genre: "14")).hasSuffix("/topsongs/limit=100/genre=14/json"))
    #expect(try url(.people).contains("/rss/topalbums/"))
    expectFailure(.notFound) { try url(.popular(.film, genre: "polka")) }
    expectFailure(.invalidParams) { try url(.popular(.song, genre: nil), country: "../x") }
    expectFailure(.invalidParams) { try url(.popular(.station, genre: nil)) }
  }

  @Test func lookup_namesTheEntityOfTheContents() throws {
    let album = try CatalogItemURI("itunes:album:5")
    #expect(
      try provider.request(for: CatalogQuery(.details(album))).url
        == "https://itunes.apple.com/lookup?id=5&entity=song&country=us&limit=200")
    let song = try CatalogItemURI("itunes:song:6")
    #expect(
      try provider.request(for: CatalogQuery(.details(song))).url == "https://itunes.apple.com/lookup?id=6&country=us")
    expectFailure(.invalidParams) {
      try provider.request(for: CatalogQuery(.details(try CatalogItemURI("tmdb:film:1"))))
    }
  }

  @Test(arguments: ["", "ab", "  a  b ".replacing(" ", with: ""), "\u{1}\u{2}\u{3}a"])
  func termOfLessThanThreeCharacters_isRefusedWithTheMessageForUsers(term: String) {
    let failure = expectFailure(.queryTooShort) { try provider.request(for: CatalogQuery(.search(.song, term))) }
    #expect(failure?.message == "Please enter at least 3 characters for the search")
  }

  @Test func termOfThreeCharactersBeyondASCII_isAccepted() throws {
    #expect(try provider.request(for: CatalogQuery(.suggest(.song, "мир"))).url.contains("term=%D0%BC%D0%B8%D1%80&"))
    expectFailure(.tooLarge) {
      try provider.request(for: CatalogQuery(.search(.song, String(repeating: "a", count: 513))))
    }
  }

  // MARK: Responses

  @Test func songs_haveTitleCreatorAlbumAndPreview() throws {
    let entries = try entries(.search(.song, "тест"), "search_songs_cyrillic.json")
    let item = try #require(entries.first?.item)
    #expect(item.uri == "itunes:song:920000001")
    #expect((item.title, item.creator, item.year, item.date) == ("Тестовая песня", "Пример", 1988, "1988-01-05"))
    #expect(item.duration == .seconds(217))
    #expect(item.genres == ["Рок"])
    #expect(item.art == "http://127.0.0.1:80/art/900000001/600x600bb.jpg")
    #expect((item.fact(.album), item.fact(.track), item.fact(.price)) == ("Альбом А", "1", "1.29 RUB"))
    #expect(item.fact(.disc) == nil, "the album has one disc")
    #expect(item.credit == "provided courtesy of iTunes")
    #expect((item.provider, item.playable, item.favorite) == ("itunes", true, false))
    #expect(entries.first?.stream == "http://127.0.0.1:80/media/preview1.m4a")
  }

  @Test func albums_arePlayableAlthoughTheyHaveNoPreview() throws {
    let entries = try entries(.search(.album, "abc"), "search_albums_unsorted.json")
    #expect(entries.count == 5)
    #expect(entries.first?.item.title == "Ёлка")
    #expect(entries.first?.item.fact(.tracks) == "7")
    #expect(entries.allSatisfy { $0.item.playable && $0.stream == nil })
  }

  @Test func detailsOfAnAlbum_areFollowedByItsSongs() throws {
    let album = try CatalogItemURI("itunes:album:900000001")
    let entries = try entries(.details(album), "lookup_album_songs.json")
    #expect(entries.map(\.item.kind) == [.album, .song, .song])
  }

  @Test func detailsOfAPodcast_areFollowedByItsEpisodes() throws {
    let podcast = try CatalogItemURI("itunes:podcast:950000001")
    let entries = try entries(.details(podcast), "lookup_podcast_episodes.json")
    #expect(entries.map(\.item.kind) == [.podcast, .episode])
    let episode = try #require(entries.last)
    #expect(episode.item.uri == "itunes:episode:1000650000001", "an id of more than 32 bits")
    #expect(episode.item.description == "First.\n\nSecond.")
    #expect((episode.item.genres, episode.item.creator) == (["Technology"], "Synthetic Show"))
    #expect(episode.stream == "http://127.0.0.1:80/media/episode1.mp3")
  }

  @Test func item_isFirstWhereverTheResponseHasIt() throws {
    let song = try CatalogItemURI("itunes:song:920000002")
    #expect(try entries(.details(song), "search_songs_cyrillic.json").first?.item.uri == song.uri)
    expectFailure(.notFound) {
      try entries(.details(try CatalogItemURI("itunes:song:1")), "search_songs_cyrillic.json")
    }
  }

  @Test func filmAudiobookAndPodcast_haveTheirMembers() throws {
    let film = try #require(try entries(.search(.film, "abc"), "search_movie.json").first?.item)
    #expect((film.kind, film.title, film.fact(.advisory)) == (.film, "Synthetic Film", "PG-13"))
    #expect(film.description == "Long description.")
    let book = try #require(try entries(.search(.audiobook, "abc"), "search_audiobook.json").first?.item)
    #expect((book.kind, book.uri) == (.audiobook, "itunes:audiobook:940000002"))
    #expect(book.description == "First line.\n\nSecond & last.")
    #expect((book.fact(.explicit), book.fact(.price)) == ("cleaned", "0.00 USD"))
    let podcasts = try entries(.search(.podcast, "abc"), "search_podcast.json").map(\.item)
    #expect(podcasts.map(\.playable) == [true, false], "the second podcast has no feed")
    #expect(podcasts.first?.genres == ["Technology"])
  }

  @Test func chart_hasAllItsEntriesAndPagesOfTwenty() throws {
    let query = CatalogQuery(.popular(.song, genre: nil), page: PageRequest(offset: 40, limit: 20))
    let result = try provider.result(of: query, from: Sample.file("rss_topsongs_45.json"))
    #expect((result.entries.count, result.total) == (45, 45))
    let page = result.page(query.page, of: provider)
    #expect(page.items.map(\.title) == (41...45).map { "Chart Song \($0)" })
    #expect((page.total, page.offset, page.limit, page.attribution) == (45, 40, 20, provider.attribution))
  }

  @Test func chartWithOneEntry_isAnObjectInsteadOfAList() throws {
    let entries = try entries(.popular(.song, genre: nil), "rss_topsongs_single_entry_object.json")
    #expect(entries.count == 1)
    #expect(entries.first?.item.uri == "itunes:song:960000001")
    #expect(entries.first?.item.art == "http://127.0.0.1:80/art/c1/600x600bb.png")
    #expect(entries.first?.stream == "http://127.0.0.1:80/media/preview1.m4a")
  }

  @Test func itemWithoutValidStream_isNotPlayable() throws {
    let response = Sample.response(
      #"{"results":[{"kind":"song","trackId":1,"trackName":"t","previewUrl":"file:///etc/passwd"}]}"#)
    let query = CatalogQuery(.details(try CatalogItemURI("itunes:song:1")))
    let entry = try #require(try provider.result(of: query, from: response).entries.first)
    #expect((entry.stream, entry.item.playable) == (nil, false))
  }

  @Test func searchForSeveralKinds_returnsThem() throws {
    let query = CatalogQuery(.search(nil, "abc"))
    #expect(
      try provider.request(for: query).url == "https://itunes.apple.com/search?term=abc&country=us&limit=30")
    let response = Sample.response(
      """
      {"results":[{"kind":"song","trackId":1,"trackName":"t"},{"wrapperType":"audiobook","collectionId":2,
      "collectionName":"b"},{"kind":"feature-movie","trackId":3,"trackName":"f"}]}
      """)
    #expect(try provider.result(of: query, from: response).entries.map(\.item.kind) == [.song, .audiobook, .film])
  }

  @Test func resultsOfUnknownKindsOrWithoutIds_areLeftOut() throws {
    let response = Sample.response(
      """
      {"results":[{"kind":"ebook","trackId":1,"trackName":"t"},{"kind":"song","trackName":"t"},
      {"kind":"song","trackId":-1,"trackName":"t"},{"kind":"song","trackId":3,"trackName":" "},1,null,
      {"kind":"song","trackId":"4","trackName":"t"},{"kind":"song","trackId":4,"trackName":"repeated"}]}
      """)
    let result = try provider.result(of: CatalogQuery(.search(.song, "abc")), from: response)
    #expect(result.entries.map(\.item.uri) == ["itunes:song:4"])
  }

  // MARK: Errors

  @Test func responsesWithErrors_becomeFailures() throws {
    let query = CatalogQuery(.search(.song, "abc"))
    let country = try Sample.file("error_400_country.json", status: 400)
    let refused = expectFailure(.invalidParams) { try provider.result(of: query, from: country) }
    #expect(refused?.message.contains("Invalid value(s) for key(s): [country]") == true)
    let page = try Sample.file("error_html.html", contentType: "text/html")
    let html = expectFailure(.badResponse) { try provider.result(of: query, from: page) }
    #expect(html?.message == "iTunes sent a web page instead of JSON")
    // The server names the type of every response "text/javascript".
    expectFailure(.badResponse) { try provider.result(of: query, from: Sample.file("error_html.html")) }
    let limit = expectFailure(.rateLimited) {
      try provider.result(of: query, from: Sample.response("", status: 403))
    }
    #expect(limit?.retryAfter == .seconds(60))
  }

  @Test func emptyResult_isNoError() throws {
    let result = try provider.result(of: CatalogQuery(.search(.song, "abc")), from: Sample.file("empty.json"))
    #expect((result.entries.isEmpty, result.total) == (true, 0))
  }

  // MARK: Artwork

  @Test(arguments: [
    ("http://h/a/100x100bb.jpg", "http://h/a/3000x3000bb.jpg"),
    ("http://h/a.100x100-75.jpg", "http://h/a.100x100-75.jpg"),
    ("http://h/a/100x100-75.jpg", "http://h/a/3000x3000-75.jpg"), ("http://h/a/cover.jpg", "http://h/a/cover.jpg"),
    ("http://h/100x100bb/a.jpg", "http://h/100x100bb/a.jpg"), ("http://h/a/100xbb.jpg", "http://h/a/100xbb.jpg"),
  ]) func artwork_isResized(url: String, full: String) { #expect(provider.artURL(url, size: .full) == full) }
}
