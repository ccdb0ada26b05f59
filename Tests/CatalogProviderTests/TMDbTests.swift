import SegueSystem
import SegueWire
import Testing

@testable import SegueCatalogProviders

@Suite struct TMDbTests {
  private let provider = Sample.tmdb

  private func url(_ query: CatalogQuery) throws -> String {
    let request = try provider.request(for: query)
    #expect(request.token?.secret == "secret")
    #expect(!request.url.contains("secret"))
    return request.url
  }

  @Test func requests_haveLanguageRegionAndPage() throws {
    let base = "https://api.themoviedb.org/3"
    let film = try CatalogItemURI("tmdb:film:101")
    #expect(
      try url(CatalogQuery(.search(.film, "a b"), country: "ru", language: "ru-RU"))
        == "\(base)/search/movie?query=a%20b&language=ru-RU&region=RU&include_adult=false&page=1")
    #expect(
      try url(CatalogQuery(.popular(.film, genre: "Action"), page: PageRequest(offset: 20, limit: 20)))
        == "\(base)/discover/movie?with_genres=28&sort_by=popularity.desc&include_adult=false&page=2")
    #expect(try url(CatalogQuery(.people)) == "\(base)/person/popular?include_adult=false&page=1")
    #expect(
      try url(CatalogQuery(.details(film), language: "de"))
        == "\(base)/movie/101?language=de&append_to_response=credits,translations")
    expectFailure(.outOfRange) {
      try url(CatalogQuery(.popular(.film, genre: nil), page: PageRequest(offset: 10_000, limit: 20)))
    }
    expectFailure(.invalidParams) { try url(CatalogQuery(.details(try CatalogItemURI("itunes:film:1")))) }
  }

  @Test(arguments: [
    (0, 20, [0]), (0, 30, [0, 20]), (30, 30, [20, 40]), (60, 30, [60, 80]), (19, 2, [0, 20]), (9_990, 30, [9_980]),
    (.max, .max, [.max]),
  ]) func pages_coverTheWantedOne(offset: Int, limit: Int, offsets: [Int]) {
    let query = CatalogQuery(.search(.film, "abc"), page: PageRequest(offset: offset, limit: limit))
    #expect(provider.pages(of: query).map(\.offset) == offsets)
    #expect(provider.pages(of: CatalogQuery(.suggest(.film, "abc"), page: query.page)) == [query.page])
  }

  @Test func genre_choosesTheProvider() throws {
    var configuration = CatalogConfiguration()
    func name(_ genre: String) throws -> String {
      try CatalogProviders(configuration).provider(for: .popular(.film, genre: genre)).name
    }
    #expect(try name("4401") == "itunes")
    expectFailure(.denied) { try name("28") }
    configuration.tokens[.tmdb] = try CatalogToken("secret")
    #expect(try name("4401") == "itunes", "TMDb has no genre 4401")
    #expect(try name("28") == "tmdb")
    #expect(try name("action") == "tmdb")
    #expect(try name("unknown") == "tmdb", "whose error names the genre")
  }

  @Test func withoutAToken_accessIsDenied() throws {
    let provider = TMDbProvider(CatalogConfiguration())
    expectFailure(.denied) { try provider.request(for: CatalogQuery(.people)) }
    #expect(provider.info.error != nil)
    #expect(self.provider.info.error == nil)
  }

  @Test func providerOfFilms_isTMDbIfItHasAToken() throws {
    var configuration = CatalogConfiguration()
    #expect(try CatalogProviders(configuration).provider(for: .popular(.film, genre: nil)).name == "itunes")
    #expect(try CatalogProviders(configuration).provider(for: .people).name == "itunes")
    configuration.tokens[.tmdb] = try CatalogToken("secret")
    #expect(try CatalogProviders(configuration).provider(for: .popular(.film, genre: nil)).name == "tmdb")
    #expect(try CatalogProviders(configuration).provider(for: .people).name == "tmdb")
    #expect(try CatalogProviders(configuration).provider(for: .search(.song, "abc")).name == "itunes")
  }

  @Test func films_haveRatingsGenresAndPosters() throws {
    let query = CatalogQuery(.popular(.film, genre: nil))
    let result = try provider.result(of: query, from: Sample.file("tmdb_films.json"))
    let items = result.entries.map(\.item)
    #expect(items.map(\.uri) == ["tmdb:film:101", "tmdb:film:102", "tmdb:film:104"], "one film is for adults only")
    #expect(result.total == 10_000, "later pages are refused")
    #expect(items[0].rating == CatalogItem.Rating(value: 7.4, votes: 1200, popularity: 512.25))
    #expect(items[0].genres == ["Action", "Science Fiction"])
    #expect(items[0].art == "https://image.tmdb.org/t/p/w780/synthetic1.jpg")
    #expect(items[0].description == "A film that does not exist.")
    #expect((items[0].date, items[0].year, items[0].playable) == ("2024-03-01", 2024, false))
    #expect(items[1].rating == CatalogItem.Rating(votes: 0, popularity: 3.5), "no votes, so no average")
    #expect((items[1].date, items[1].description, items[1].fact(.originalTitle)) == (nil, nil, "Пример"))
    #expect(items[2].art == nil, "the path of the picture is malformed")
    #expect(items.allSatisfy { $0.credit == provider.attribution })
  }

  @Test func detailsOfAFilm_haveCreditsAndTheEnglishDescription() throws {
    let query = CatalogQuery(.details(try CatalogItemURI("tmdb:film:101")), language: "ru")
    let result = try provider.result(of: query, from: Sample.file("tmdb_film.json"))
    let item = try #require(result.entries.first?.item)
    #expect((item.title, item.creator, item.budget) == ("Синтетический боевик", "A Director", 150_000_000))
    #expect(item.description == "English overview.")
    #expect(item.duration == .seconds(121 * 60))
    #expect(item.fact(.cast) == "First Actor, Second Actor")
    #expect(item.fact(.homepage) == "https://film.example/")
    let cast = result.entries.dropFirst().map(\.item)
    #expect(cast.map(\.uri) == ["tmdb:person:201", "tmdb:person:202"])
    #expect(cast.map { $0.fact(.character) } == ["Hero", "Villain"])
    let other = CatalogQuery(.details(try CatalogItemURI("tmdb:film:102")))
    expectFailure(.notFound) { try provider.result(of: other, from: Sample.file("tmdb_film.json")) }
  }

  @Test func person_hasBiographyHomePageAndWorks() throws {
    let uri = try CatalogItemURI("tmdb:person:201")
    let details = try provider.result(of: CatalogQuery(.details(uri)), from: Sample.file("tmdb_person.json"))
    let item = try #require(details.entries.first?.item)
    #expect(item.description == "First paragraph.\n\nSecond paragraph.")
    #expect((item.fact(.homepage), item.fact(.born)) == ("https://actor.example/", "1980-02-29"))
    #expect(item.fact(.knownFor) == "Synthetic Action, Example", "films with more votes come first")
    #expect(details.entries.map(\.item.uri) == [uri.uri, "tmdb:film:101", "tmdb:film:102"])
    let people = try provider.result(of: CatalogQuery(.people), from: Sample.file("tmdb_people.json"))
    #expect(people.entries.map(\.item.title) == ["First Actor"])
    #expect(people.entries.first?.item.fact(.knownFor) == "Synthetic Action, Synthetic Series")
  }

  @Test func pictures_haveSizes() {
    let medium = "https://image.tmdb.org/t/p/w780/a.jpg"
    #expect(provider.artURL(medium, size: .full) == "https://image.tmdb.org/t/p/original/a.jpg")
    #expect(provider.artURL(medium, size: .medium) == medium)
    #expect(provider.artURL("https://h/w780/a.jpg", size: .full) == "https://h/w780/a.jpg")
  }

  @Test func refusedToken_isDeniedWithTheReason() throws {
    let response = try Sample.file("tmdb_error_401.json", status: 401)
    let failure = expectFailure(.denied) { try provider.result(of: CatalogQuery(.people), from: response) }
    #expect(failure?.message.contains("Invalid API key") == true)
    // Only iTunes limits the rate with status 403.
    expectFailure(.denied) {
      try provider.result(of: CatalogQuery(.people), from: Sample.response("", status: 403))
    }
  }

  @Test func token_isNotInDescriptions() throws {
    let token = try CatalogToken(" abc.DEF-1_2~3+/= \n")
    #expect(token.secret == "abc.DEF-1_2~3+/=")
    var dumped = ""
    dump(token, to: &dumped)
    for text in [dumped, "\(token)", String(reflecting: token), String(reflecting: [token])] {
      #expect(!text.contains("abc"))
    }
    for text in ["", "a b", "a\nb", "ж", String(repeating: "a", count: 4097)] {
      expectFailure(.invalidParams) { try CatalogToken(text) }
    }
  }
}
