import SegueSystem
import SegueTestKit
import Testing

/// Tests of the requests that the verbs of online catalogues send to the daemon.
@Suite struct CatalogRequestTests {
  typealias Example = RequestExample

  static let examples: [Example] = [
    Example("search --online kino film", #"catalog.search {"query":"kino film"}"#),
    Example("search --online kino -live --json", #"catalog.search {"query":"kino -live"}"#),
    Example("search kino --online --kind films", #"catalog.search {"query":"kino","kind":"film"}"#),
    Example(
      "search kino --online --provider tmdb --limit 5 --page 3",
      #"catalog.search {"query":"kino","provider":"tmdb","offset":10,"limit":5}"#),
    Example("search kino --online --page 2", #"catalog.search {"query":"kino","offset":30}"#),
    Example("search --online", "catalog.hints"),
    Example("popular", "catalog.popular"),
    Example("popular films --genre comedy", #"catalog.popular {"kind":"film","genre":"comedy"}"#),
    Example("popular films --genre all", #"catalog.popular {"kind":"film","genre":null}"#),
    Example("popular --refresh --page 2", #"catalog.popular {"offset":20,"refresh":true}"#),
    Example("popular album --provider itunes", #"catalog.popular {"kind":"album","provider":"itunes"}"#),
    Example("people", "catalog.people"),
    Example("people --page 2 --limit 10 --refresh", #"catalog.people {"offset":10,"limit":10,"refresh":true}"#),
    Example("radio", #"catalog.popular {"kind":"station"}"#),
    Example("radio --genre jazz", #"catalog.popular {"kind":"station","genre":"jazz"}"#),
    Example("radio groove salad", #"catalog.search {"query":"groove salad","kind":"station"}"#),
    Example("person tmdb:person:287", #"catalog.person {"uri":"tmdb:person:287"}"#),
    Example("info tmdb:film:550", #"catalog.info {"uri":"tmdb:film:550"}"#),
    Example("info tmdb:film:550 --refresh", #"catalog.info {"uri":"tmdb:film:550","refresh":true}"#),
    Example("info itunes:album:2 --page 2", #"catalog.info {"uri":"itunes:album:2","offset":200}"#),
    Example("info segue:album/12", #"library.album {"id":12}"#),
    Example("info segue:artist/3", #"library.artist {"id":3}"#),
    Example("info /usr", #"library.track {"uri":"file:///usr"}"#),
    Example("info", "status", #"library.track {"uri":"file:///music/2.flac"}"#),
    Example("radio --country de", #"catalog.popular {"kind":"station","country":"de"}"#),
    Example("providers", "catalog.providers"),
    Example("providers forget tmdb", #"catalog.setToken {"provider":"tmdb","token":null}"#),
    Example("genres --online", #"catalog.genres {"kind":"song"}"#),
    Example("genres --online --kind film", #"catalog.genres {"kind":"film"}"#),
    Example("art itunes:album:2 --size full", #"art {"uri":"itunes:album:2","size":"full"}"#),
    Example("art itunes:album:2 --size 100", #"art {"uri":"itunes:album:2","size":"small"}"#),
    Example("art itunes:album:2 --size 129", #"art {"uri":"itunes:album:2"}"#),
    Example("art itunes:album:2 --size 501", #"art {"uri":"itunes:album:2","size":"full"}"#),
    Example("play itunes:song:1", #"queue.add {"uris":["itunes:song:1"],"at":"next","play":true}"#, "status"),
    Example("fav add radio:960e57c5", #"favorites.add {"uris":["radio:960e57c5"]}"#),
  ]

  @Test(arguments: examples)
  func catalogVerbSendsTheExpectedRequests(_ example: Example) throws {
    let daemon = try StubDaemon(RecordedCatalogResponses.standard)
    let outcome = try ClientProcess.run(example.words, environment: daemon.environment)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(daemon.requests.map { $0.replacing(" {}", with: "") } == example.requests)
    #expect(outcome.errorText == "")
  }

  @Test(arguments: [
    "search kino --kind film", "search kino --tiles", "search --online --kind film", "search --online kino --play",
    "search --online kino --kind sonnet", "search --online kino --limit 0", "search --online kino --limit 201",
    "search --online kino --page x", "popular sonnets", "popular song album", "people kino", "radio jazz --refresh",
    "providers x", "providers token", "providers token tmdb", "person", "info a b", "genres --kind film",
    "art itunes:album:2 --size -1", "list --online",
  ])
  func wrongUsageIsRejectedWithoutARequest(words: String) throws {
    let daemon = try StubDaemon(RecordedCatalogResponses.standard)
    let outcome = try ClientProcess.run(words.split(separator: " ").map(String.init), environment: daemon.environment)
    #expect(outcome.code == 2, "\(outcome.errorText)")
    #expect(daemon.requests == [])
  }
}
