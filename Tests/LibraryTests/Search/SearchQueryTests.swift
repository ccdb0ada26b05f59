import SegueLibrary
import SegueSQLite
import SegueWire
import Testing

/// The syntax of queries. Every text is a valid query.
@Suite(.timeLimit(.minutes(1))) struct SearchQueryTests {
  private typealias Track = SearchFixture.Track

  private func fixture() async throws -> SearchFixture {
    try await SearchFixture([
      Track(title: "Zvezda", artist: "Kino", album: "Group of Blood", genre: "Rock", year: 1988, format: "flac"),
      Track(title: "Love Me Do", artist: "The Beatles", album: "Please", genre: "Pop", year: 1963, format: "mp3"),
      Track(title: "Love Live", artist: "Zebra", album: "Stripes", genre: "Rock", year: 1990, format: "mp3"),
      Track(title: "Kino", artist: "Somebody", album: "Beatles Covers", genre: "Jazz", year: 1999, format: "opus"),
      Track(title: "Old", artist: "Nobody", album: "Dust", genre: "Folk", year: 2004, format: "aac"),
    ])
  }

  /// The prefix may be in any spelling, and may be a word of a run or the run.
  @Test func genresAreFoundByPrefix() async throws {
    let genres = [
      "Electronic", "Electropop", "Электроника", "Hip-Hop", "Hip Hop", "HipHop", "Rock", "Indie Rock\nElectro",
    ]
    let fixture = try await SearchFixture(genres.map { Track(title: $0.filter { $0 != "\n" }, genre: $0) })
    for (query, titles) in [
      ("genre:electro", ["Electronic", "Electropop", "Электроника", "Indie RockElectro"]),
      ("genre:electron", ["Electronic", "Электроника"]), ("genre:electrop", ["Electropop"]),
      ("genre:электроника", ["Электроника"]),
      ("genre:elektronika", ["Электроника"]), ("genre:hip-hop", ["Hip-Hop", "Hip Hop", "HipHop"]),
      ("genre:hiphop", ["Hip-Hop", "HipHop"]), ("genre:indie genre:electro", ["Indie RockElectro"]),
      ("genre:\"indie rock\"", ["Indie RockElectro"]), ("genre:electrolysis", []),
    ] {
      #expect(Set(try await fixture.titles(query)) == Set(titles), "\(query)")
    }
    // A new genre is found by the same connection.
    try await fixture.add([Track(title: "Late", genre: "Electroacoustic")], from: 100)
    #expect(try await fixture.titles("genre:electroa") == ["Late"])
    #expect(Set(try await fixture.titles("genre:electro late")) == ["Late"])
  }

  @Test func fieldsPhrasesExclusionsAndFiltersRestrictTheResults() async throws {
    let fixture = try await fixture()
    let expected: [(query: String, titles: [String])] = [
      ("artist:kino", ["Zvezda"]), ("title:kino", ["Kino"]), ("album:beatles", ["Kino"]),
      ("genre:rock", ["Zvezda", "Love Live"]),
      ("ARTIST:KINO", ["Zvezda"]), ("artist:кино", ["Zvezda"]), ("artist:\"the beatles\"", ["Love Me Do"]),
      ("artist:beat love", ["Love Me Do"]), ("love -live", ["Love Me Do"]), ("love -artist:zebra", ["Love Me Do"]),
      ("love -\"me do\"", ["Love Live"]), ("\"love me\"", ["Love Me Do"]), ("\"me love\"", []),
      ("me love", ["Love Me Do"]),
      ("“love me” do", ["Love Me Do"]), ("«love live»", ["Love Live"]), ("beatles love", ["Love Me Do"]),
      ("year:1988", ["Zvezda"]), ("year:1988..1990", ["Zvezda", "Love Live"]),
      ("year:1963-1988", ["Zvezda", "Love Me Do"]),
      ("year:1960s", ["Love Me Do"]), ("year:1990s", ["Love Live", "Kino"]), ("year:1965s", []), ("year:60s", []),
      ("year:..00s", []), ("year:1960s..1980s", ["Love Me Do", "Zvezda"]),
      ("year:1990s..", ["Love Live", "Kino", "Old"]), ("year:..1980s", ["Love Me Do", "Zvezda"]),
      ("year:1980s-1990", ["Zvezda", "Love Live"]), ("year:1990s..1980s", []),
      ("year:1999..", ["Kino", "Old"]), ("year:..1963", ["Love Me Do"]),
      ("year:1900..2004", ["Zvezda", "Love Me Do", "Love Live", "Kino", "Old"]),
      ("love year:1990..1999", ["Love Live"]), ("format:mp3", ["Love Me Do", "Love Live"]),
      ("format:MP3 year:1990", ["Love Live"]),
      ("format:flac format:opus", ["Zvezda", "Kino"]), ("genre:rock format:mp3 love", ["Love Live"]),
      ("artist:nobody kino", []),
      ("year:1988 love", []), ("-love", ["Love Me Do", "Love Live"]),
    ]
    for (query, titles) in expected {
      #expect(Set(try await fixture.titles(query)) == Set(titles), "\(query)")
    }
  }

  @Test func aWordOfFourDigitsIsFoundInTheYear_UnlessItIsQuotedOrHasAField() async throws {
    let fixture = try await SearchFixture([
      Track(title: "Hunter", artist: "Björk", album: "Homogenic", year: 1997),
      Track(title: "Airbag", artist: "Radiohead", album: "OK Computer", year: 1997),
      Track(title: "1997", artist: "Somebody", album: "Numbers", year: 2005),
      Track(title: "Rewind", artist: "Somebody", album: "Best of 1997", year: 2001),
      Track(title: "19970", artist: "Somebody", album: "Numbers", year: 2005),
      Track(title: "Hyperballad", artist: "Björk", album: "Post", year: 1995),
    ])
    let expected: [(query: String, titles: [String])] = [
      ("1997", ["1997", "19970", "Rewind", "Hunter", "Airbag"]), ("homogenic 1997", ["Hunter"]),
      ("1997 bjork", ["Hunter"]), ("bjork 1995", ["Hyperballad"]), ("bjork 1996", []), ("bjork -1997", ["Hyperballad"]),
      ("\"1997\"", ["1997", "Rewind"]), ("title:1997", ["1997", "19970"]), ("album:1997", ["Rewind"]),
      ("199", ["1997", "19970", "Rewind"]), ("19970", ["19970"]), ("1997 year:2005", ["1997", "19970"]),
      ("1997 year:1990s", ["Hunter", "Airbag"]),
    ]
    for (query, titles) in expected {
      #expect(Set(try await fixture.titles(query)) == Set(titles), "\(query)")
    }
    #expect(try await fixture.titles("1997").first == "1997", "a title precedes a year")
    #expect(Set(try await fixture.albums("1997")) == ["Best of 1997", "Homogenic", "OK Computer"])
  }

  @Test func resultsAreSortedOnRequest() async throws {
    let fixture = try await fixture()
    try await fixture.rate(0, 4)
    try await fixture.rate(3, 9)
    let expected: [(sort: SearchSort, order: SortOrder, titles: [String])] = [
      (.title, .ascending, ["Kino", "Love Live", "Love Me Do", "Old", "Zvezda"]),
      (.title, .descending, ["Zvezda", "Old", "Love Me Do", "Love Live", "Kino"]),
      (.year, .ascending, ["Love Me Do", "Zvezda", "Love Live", "Kino", "Old"]),
      (.album, .ascending, ["Kino", "Old", "Zvezda", "Love Me Do", "Love Live"]),
      (.rating, .descending, ["Kino", "Zvezda"]),
    ]
    for (sort, order, titles) in expected {
      let found = try await fixture.read { reader throws(StoreError) in
        let page = PageRequest(limit: titles.count)
        return try reader.tracks(try reader.search("year:1900..", .track, page, by: sort, order).ids)
      }
      #expect(found.map { $0.metadata.title ?? "-" } == titles, "\(sort) \(order)")
    }
    let albums = try await fixture.read { reader throws(StoreError) in
      try reader.albums(try reader.search("year:1900..", .album, PageRequest(offset: 1, limit: 2), by: .year).ids)
    }
    #expect(albums.map(\.title) == ["Group of Blood", "Stripes"])
    let random = try await fixture.read { reader throws(StoreError) in
      try reader.search("love", .track, PageRequest(), by: .random)
    }
    #expect(Set(random.ids).count == 2 && random.total == 2)
  }

  @Test func tracksAreFilteredByAge() async throws {
    let fixture = try await fixture()
    #expect(try await fixture.search("added:30d").total == 5)
    #expect(try await fixture.titles("added:1h kino zve") == ["Zvezda"])
    #expect(try await fixture.search("added:0h").total == 0)
  }

  @Test func albumsAndArtistsAreFilteredByFavoriteAndAge() async throws {
    let fixture = try await fixture()
    let (album, artist) = (try await fixture.search("stripes", .album), try await fixture.search("zebra", .artist))
    #expect(try await fixture.albums("is:favorite") == [])
    try await fixture.addFavorite("segue:album/\(try #require(album.ids.first))")
    try await fixture.addFavorite("segue:artist/\(try #require(artist.ids.first))")
    #expect(try await fixture.albums("is:favorite") == ["Stripes"])
    #expect(try await fixture.albums("stripes is:favorite added:30d") == ["Stripes"])
    #expect(try await fixture.albums("dust is:favorite") == [])
    #expect(try await fixture.artists("is:favorite") == ["Zebra"])
    #expect(try await fixture.artists("kino is:favorite") == [])
    #expect(
      Set(try await fixture.albums("added:30d")) == ["Group of Blood", "Please", "Stripes", "Beatles Covers", "Dust"])
    #expect(try await fixture.albums("added:30d year:1963") == ["Please"])
    #expect(try await fixture.albums("added:0h") == [])
  }

  @Test func tracksAreFilteredByFavoriteAndRating() async throws {
    let fixture = try await fixture()
    #expect(try await fixture.titles("is:favorite") == [])
    try await fixture.addFavorite(1)
    try await fixture.rate(2, 7)
    try await fixture.rate(4, 10)
    #expect(try await fixture.titles("is:favorite") == ["Love Me Do"])
    #expect(try await fixture.titles("love is:favourite") == ["Love Me Do"])
    #expect(Set(try await fixture.titles("rating:7..")) == ["Love Live", "Old"])
    #expect(try await fixture.titles("rating:8..") == ["Old"])
    #expect(try await fixture.titles("rating:7") == ["Love Live"])
    #expect(try await fixture.titles("rating:1..10 is:favorite") == [])
    try await fixture.rate(2, 9)
    #expect(try await fixture.titles("rating:7") == [])
    #expect(try await fixture.titles("love rating:9") == ["Love Live"])
  }

  /// Invalid syntax is taken for words. Operators of FTS5 are words.
  @Test func everyTextIsAValidQuery() async throws {
    let fixture = try await fixture()
    let queries = [
      "love AND me", "love OR me", "NOT love", "love NOT", "love NEAR me", "NEAR(love me, 2)", "AND", "OR", "NOT",
      "NEAR",
      "love*", "*", "^love", "^", "love:", ":love", ":", "title:", "title:\"", "\"", "\"\"", "\"love", "love\"",
      "lo\"ve",
      "(love", "love)", "()", "{title}", "{title} : love", "title : love", "love + me", "+", "-", "--", "-\"", "--love",
      "'",
      "love'", "''", "\\", "%", "_", ";", "-- DROP TABLE track", "year:", "year:x", "year:..", "year:9..1",
      "year:99999",
      "year:1..99999999999999999999", "rating:11", "rating:-1", "format:", "format:!", "added:", "added:d", "added:-5d",
      "added:99999999999999999999y", "added:100000y", "is:", "is:x", "foo:bar", "http://x/?a=b", "a:b:c", "\u{0}",
      "love\u{0}me", "\u{1}\u{2}\u{3}\u{4}",
      "\u{1E}\u{1F}", "\u{4}1988", "\u{3}love", "\u{FEFF}", "\u{202E}evol", "\u{301}", "\u{200D}", "\n", "   ", "", "❤️",
      "ё",
      "' OR 1=1", "SELECT", "$x", "?1", "#", "@", "[love]", "love|me", "~", "`", "…", "—",
    ]
    for query in queries {
      for kind in LibraryKind.allCases {
        let page = try await fixture.search(query, kind)
        #expect(page.ids.count == page.total, "\(query.debugDescription)")
      }
      _ = try await fixture.suggest(query)
      #expect(try await fixture.titles("zvezda") == ["Zvezda"])
    }
  }

  /// The words of a run are searched for as one word only if the run is the whole phrase.
  @Test func phrasesWithPunctuatedWordsAreFoundAsAWhole() async throws {
    let fixture = try await SearchFixture(titles: [
      "Don't Stop", "Don't Look Back", "Never Stop", "AC/DC Live", "AC/DC", "Live Wire", "Hip-Hop & R-n-B",
    ])
    for (query, titles) in [
      ("\"don't stop\"", ["Don't Stop"]), ("\"AC/DC live\"", ["AC/DC Live"]), ("\"don't\nstop\"", ["Don't Stop"]),
      ("\"hip-hop & r-n-b\"", ["Hip-Hop & R-n-B"]), ("\"hip-hop, r-n-b\"", ["Hip-Hop & R-n-B"]),
      ("hip-hop...soul", []), ("\"don't\"", ["Don't Stop", "Don't Look Back"]),
      ("\"ac/dc\"", ["AC/DC Live", "AC/DC"]), ("\"acdc\"", ["AC/DC Live", "AC/DC"]),
      ("\"acdc live\"", ["AC/DC Live"]), ("\"ac/dc™\"", ["AC/DC Live", "AC/DC"]),
      ("stop -\"don't stop\"", ["Never Stop"]), ("live -\"live wire\"", ["AC/DC Live"]),
      ("don't -\"don't stop\"", ["Don't Look Back"]),
    ] {
      #expect(Set(try await fixture.titles(query)) == Set(titles), "\(query.debugDescription)")
    }
  }

  @Test func operatorsOfFTS5AreWords() async throws {
    let fixture = try await fixture()
    let expected: [(query: String, titles: [String])] = [
      ("love AND me", []), ("love*", ["Love Me Do", "Love Live"]), ("^zvez", ["Zvezda"]), ("(zvezda)", ["Zvezda"]),
      ("\"zvez", []), ("zvez\"", ["Zvezda"]), ("zvezda & kino", ["Zvezda"]), ("zvezda\u{0}kino", ["Zvezda"]),
      ("foo:bar", []), ("love:", ["Love Me Do", "Love Live"]), ("year:x", []),
    ]
    for (query, titles) in expected {
      #expect(Set(try await fixture.titles(query)) == Set(titles), "\(query)")
    }
  }

  @Test func longQueriesAreTruncated() async throws {
    let fixture = try await fixture()
    for unit in ["a", "love ", "-love ", "кино", "東", "\"", "year:1990 ", "a'b'", "🔥", "\u{301}", "title:love "] {
      let query = String(repeating: unit, count: 10_000 / unit.utf8.count)
      #expect(try await fixture.search(query).ids.count <= 5)
      _ = try await fixture.suggest(query)
    }
    let sure = "zvezda " + String(repeating: " ", count: 10_000)
    #expect(try await fixture.titles(sure) == ["Zvezda"])
  }
}
