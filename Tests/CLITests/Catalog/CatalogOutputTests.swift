import SegueSystem
import SegueTestKit
import SegueUnicode
import SegueWire
import Testing

/// Tests of the output of the verbs of online catalogues.
@Suite struct CatalogOutputTests: StubOutputTests {
  let responses: StubDaemon.Script = RecordedCatalogResponses.standard

  @Test func listInAPipeHasTabsAndStartsWithTheURI() throws {
    let lines = [
      "itunes:song:1\tsong\tГруппа крови\tКино\t1988\t4:46\tfavorite",
      "itunes:album:2\talbum\t^[[31mred\ta^Ib\t\t\t",
      "tmdb:film:550\tfilm\tFight Club\tDavid Fincher\t1999\t2:19:00\t",
      "radio:960e57c5-0601-11e8-ae97-52543be04c81\tstation\tGroove Salad\t\t\t\t",
    ]
    for words in [["search", "--online", "kino"], ["popular", "--tiles"], ["people"], ["radio"]] {
      #expect(try run(words).lines == lines)
    }
    #expect(try run(["genres", "--online", "RO"]).lines == ["21\tRock\titunes"])
    #expect(try run(["search", "--online"]).lines == ["kino", "fight club"])
    #expect(
      try run(["providers"]).lines == [
        "itunes\tiTunes\tsong album\tsong\thttps://example.org/itunes\t",
        "tmdb\tTMDb\tfilm\tfilm\thttps://example.org/t\ta token is required",
      ])
  }

  @Test func theReasonWhyAProviderCannotBeUsedIsNotCut() throws {
    let lines = try run(["providers"], on: .terminal(columns: 30)).lines
    #expect(
      lines == [
        "itunes  iTunes  song, album", "    https://example.org/itunes", "tmdb    TMDb    film",
        "    a token is required",
      ])
  }

  @Test func tableOnATerminalEndsWithTheAttribution() throws {
    #expect(
      try run(["popular"], on: .terminal(columns: 90)).lines == [
        "♥  song     Группа крови  Кино           Группа крови        1988     4:46",
        "   album    ^[[31mred     a^Ib           9 songs                          ",
        "   film     Fight Club    David Fincher  8.4 of 10           1999  2:19:00",
        "   station  Groove Salad                 MP3 128 kbit/s, US               ", "From iTunes.",
      ])
    let many = try run(["popular", "--page", "2"], on: .terminal(columns: 90)) { _, _ in
      [.result(RecordedCatalogResponses.page { ($0.offset, $0.total) = (20, 100) })]
    }
    #expect(many.lines.suffix(2) == ["… 100 in total: --page 3", "From iTunes."])
    let none = try run(["radio", "xyz"], on: .terminal(columns: 90)) { _, _ in
      [.result(RecordedCatalogResponses.page([]))]
    }
    #expect(none.lines == ["No stations.", "From iTunes."])
  }

  /// Radio Browser does not say how many stations there are.
  @Test func fullPageHasAHintAtTheItemsAfterIt() throws {
    for (limit, total, hint) in [
      (4, nil, "… more: --page 2"), (5, nil, nil), (4, 4, nil), (4, 100, "… 100 in total: --page 2"),
    ] as [(Int, Int?, String?)] {
      let page: StubDaemon.Script = { _, _ in
        [.result(RecordedCatalogResponses.page { ($0.limit, $0.total) = (limit, total) })]
      }
      #expect(
        try run(["radio", "jazz"], on: .terminal(columns: 90), page).lines.dropFirst(4).first == hint ?? "From iTunes.")
      #expect(try run(["radio", "jazz"], page).lines.count == 4)
    }
  }

  @Test func outdatedResultsAreMarkedWithTheirAge() throws {
    for (age, text) in [
      (59, "59 seconds"), (60, "1 minute"), (3 * 3_600 + 3_599, "3 hours"), (86_400, "1 day"), (600_000, "6 days"),
    ] {
      let stale: StubDaemon.Script = { _, _ in
        [.result(RecordedCatalogResponses.page { ($0.stale, $0.age) = (true, .seconds(age)) })]
      }
      let shown = try run(["popular"], on: .terminal(columns: 90), stale)
      #expect(shown.lines.suffix(2) == ["from the cache, \(text) old", "From iTunes."])
      let program = try run(["popular"], stale)
      #expect(program.lines.count == 4)
      #expect(program.errorText == "segue: from the cache, \(text) old\n")
    }
    let fresh = try run(["popular"], on: .terminal(columns: 90)) { _, _ in
      [.result(RecordedCatalogResponses.page { $0.age = .seconds(30) })]
    }
    #expect(!fresh.text.contains("cache"))
  }

  @Test func tilesStandInTwoColumns() throws {
    #expect(
      try run(["popular", "--tiles"], on: .terminal(columns: 70)).lines == [
        "song ♥                              album",
        "Группа крови                        ^[[31mred",
        "Кино                                a^Ib",
        "1988 · 4:46 · Группа крови · Rock   9 songs", "",
        "film                                station",
        "Fight Club                          Groove Salad",
        "David Fincher                       ",
        "1999 · 2:19:00 · 8.4 of 10 · Drama  MP3 128 kbit/s, US · ambient", "", "From iTunes.",
      ])
  }

  @Test(arguments: [
    ["popular"], ["popular", "--tiles"], ["info", "tmdb:film:550"], ["info", "itunes:album:2"], ["providers"],
    ["genres", "--online"], ["info", "/usr"],
  ])
  func outputFitsTheTerminal(words: [String]) throws {
    for columns in [20, 40, 80, 200] {
      for language in ["C.UTF-8", "C"] {
        let outcome = try run(
          words, on: .terminal(columns: UInt16(columns)), environment: ["NO_COLOR": "1", "LANG": language])
        #expect(outcome.code == 0 && outcome.errorText == "")
        #expect(!outcome.lines.isEmpty)
        // Addresses are not shortened, so that they can be copied.
        for line in outcome.lines where !line.contains("://") {
          #expect(DisplayWidth.of(line) <= columns, "\(columns): \(line)")
          #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
      }
    }
  }

  @Test func infoShowsEveryMember() throws {
    #expect(
      try run(["info", "tmdb:film:550"], on: .terminal(columns: 60)).lines == [
        "Fight Club", "kind            film", "director        David Fincher", "released        1999-10-15",
        "duration        2:19:00", "genres          Drama, Thriller", "rating          8.4 of 10 (28,123 votes)",
        "popularity      61.4", "language        en", "budget          $63,000,000", "tagline         Soap.",
        "revenue         $100,853,753", "homepage        http://example.org/club",
        "link            https://example.org/550", "provider        tmdb", "uri             tmdb:film:550",
        "playable        no", "favorite        no", "", "An insomniac and a salesman.", "",
        "Clubs form in every town.^[", "This product uses the TMDB API.",
      ])
    #expect(
      try run(["info", "tmdb:film:550"]).lines == [
        "uri: tmdb:film:550", "kind: film", "title: Fight Club", "creator: David Fincher", "year: 1999",
        "date: 1999-10-15", "duration: 8340.000", "genres: Drama, Thriller", "art:",
        "description: An insomniac and a salesman.  Clubs form in every town.^[", "rating: 8.4", "votes: 28123",
        "popularity: 61.4", "language: en", "budget: 63000000", "link: https://example.org/550", "playable: no",
        "provider: tmdb", "credit: This product uses the TMDB API.", "favorite: no", "fact: director\tDavid Fincher",
        "fact: tagline\tSoap.",
        "fact: revenue\t100853753", "fact: homepage\thttp://example.org/club",
      ])
    let album = try run(["info", "itunes:album:2"])
    #expect(
      album.lines.suffix(2)
        == Array(repeating: "content: itunes:song:1\tsong\tГруппа крови\tКино\t1988\t4:46\tfavorite", count: 2))
    let track = try run(["info", "/usr"]).lines
    #expect(track.contains("title: So What") && track.contains("codec: flac") && track.contains("lyrics: yes"))
  }

  /// Responses about a track with a cover and lyrics beside it, of which the library knows nothing if `isKnown` is
  /// false.
  private static func trackInFolder(isKnown: Bool) -> StubDaemon.Script {
    { method, parameters in
      switch method {
      case "art": [.result(#"{"path":"/a.png","uri":"file:///a.png","width":8,"height":8}"#)]
      case "lyrics": [.result(#"{"uri":"","source":"file","text":"la","lines":null}"#)]
      case "status" where !isKnown:
        [.result(RecordedResponses.json(RecordedResponses.status { $0.track?.rating = 7 }))]
      case "library.track" where !isKnown: [.error(code: 3, kind: "not_found", message: "not found in the library")]
      default: RecordedCatalogResponses.standard(method, parameters)
      }
    }
  }

  @Test func infoShowsPeopleThePathTheLocalTimeAndWhereCoverAndLyricsAre() throws {
    let environment = ["NO_COLOR": "1", "TZ": "XXX-2"]
    let script = Self.trackInFolder(isKnown: true)
    let lines = try run(["info", "/usr"], on: .terminal(columns: 80), environment: environment, script).lines
    let track = RecordedLibraryResponses.tracks[0]
    #expect(lines.first == "So What")
    #expect(lines.contains("cover           in the folder") && lines.contains("lyrics          in the folder"))
    #expect(lines.last == "file            " + (FileURI.decode(track.uri)?.description ?? ""), "\(lines)")
    #expect(!lines.contains { $0.contains("file://") || $0.contains("T") && $0.hasSuffix("Z") }, "\(lines)")
    let missing = try run(["info", "/usr"], on: .terminal(columns: 80), environment: environment) {
      method, parameters in
      ["art", "lyrics"].contains(method)
        ? [.error(code: 3, kind: "not_found", message: "none")] : RecordedCatalogResponses.standard(method, parameters)
    }
    #expect(missing.lines.contains("cover           no") && missing.lines.contains("lyrics          no"))
    let pipe = try run(["info", "/usr"], environment: environment, script).lines
    #expect(pipe.contains("uri: \(track.uri)") && pipe.contains("cover: no"), "\(pipe)")
  }

  @Test func infoShowsTheCurrentTrackAlthoughItIsNotInTheLibrary() throws {
    let script = Self.trackInFolder(isKnown: false)
    let lines = try run(["info"], on: .terminal(columns: 80), script).lines
    #expect(lines.first == "So What" && lines.contains("rating          7 of 10"), "\(lines)")
    #expect(try run(["info", "--json"], script).text.contains(#""rating":7"#))
    let other = try run(["info", "/usr"], script)
    #expect(other.code == 1 && other.errorText.contains("segue info   shows the current track, wherever it is"))
  }

  @Test func jsonOptionPrintsTheResponse() throws {
    #expect(try run(["search", "--online", "kino", "--json"]).lines == [RecordedCatalogResponses.page()])
    #expect(
      try run(["info", "tmdb:film:550", "--json"]).lines == [
        RecordedCatalogResponses.details(RecordedCatalogResponses.film)
      ])
    #expect(try run(["providers", "--json"]).lines == [RecordedCatalogResponses.providers])
    #expect(try run(["genres", "--online", "--json"]).lines == [RecordedCatalogResponses.genres])
  }

  @Test func errorsAreExplained() throws {
    let expected = [
      (
        Failure(.queryTooShort, "Please enter at least 3 characters for the search"),
        "segue: Please enter at least 3 characters for the search (query_too_short)\n"
      ),
      (
        Failure(.rateLimited, "too many requests", retryAfter: .milliseconds(41_200)),
        "segue: too many requests (rate_limited)\n  try again in 42 seconds\n"
      ),
      (
        Failure(.rateLimited, "too many requests", retryAfter: .seconds(601)),
        "segue: too many requests (rate_limited)\n  try again in 11 minutes\n"
      ),
      (
        Failure(.rateLimited, "too many requests"),
        "segue: too many requests (rate_limited)\n  try again in a moment\n"
      ),
      (
        Failure(.denied, "a token is required"),
        "segue: a token is required (denied)\n  segue providers   shows which providers can be used\n"
      ),
      (Failure(.offline, "there is no network"), "segue: there is no network (offline)\n"),
    ]
    for (failure, text) in expected {
      let outcome = try run(["search", "--online", "kino"]) { _, _ in
        [.line(#"{"jsonrpc":"2.0","id":1,"error":\#(RecordedResponses.json(failure))}"#)]
      }
      #expect(outcome.code == 1)
      #expect(outcome.errorText == text)
    }
  }
}
