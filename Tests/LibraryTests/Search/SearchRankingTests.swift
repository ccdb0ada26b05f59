import SegueLibrary
import SegueWire
import Testing

/// The ranking of few and of many results.
@Suite(.timeLimit(.minutes(2))) struct SearchRankingTests {
  private typealias Track = SearchFixture.Track

  private static let best = [
    Track(title: "Night Train", artist: "A"), Track(title: "Into the Night", artist: "B"),
    Track(title: "Night", artist: "C"),
    Track(title: "Day", artist: "Night"), Track(title: "Nightingale", artist: "D"),
    Track(title: "Other", artist: "Nightwish"),
  ]
  /// The titles by tier: equal to the query, beginning with it, containing it, found in another column, unfinished.
  private static let ranked = [["Night"], ["Night Train", "Nightingale"], ["Into the Night"], ["Day"], ["Other"]]

  private func isRanked(_ titles: [String]) -> Bool {
    var rest = titles[...]
    for tier in Self.ranked {
      guard Set(rest.prefix(tier.count)) == Set(tier) else { return false }
      rest = rest.dropFirst(tier.count)
    }
    return true
  }

  /// The order does not depend on the order of the scan.
  @Test func equalTracksOfAnAlbumAreInAlbumOrder() async throws {
    let fixture = try await SearchFixture([])
    for number in [3, 1, 2] {
      try await fixture.add([SearchFixture.Track(title: "Night \(number)", artist: "A", album: "B")], from: number)
    }
    #expect(try await fixture.titles("night") == ["Night 1", "Night 2", "Night 3"])
    #expect(try await fixture.titles("album:b") == ["Night 1", "Night 2", "Night 3"])
  }

  @Test func fewResultsAreRanked() async throws {
    let fixture = try await SearchFixture(Self.best)
    let titles = try await fixture.titles("night")
    #expect(titles.count == 6)
    #expect(isRanked(titles), "\(titles)")
  }

  /// There are so many results that not every row is ranked completely.
  @Test func manyResultsAreRanked() async throws {
    let others = (0..<1500).map { Track(title: "By \($0)", artist: "Nighthawks \($0)") }
    let fixture = try await SearchFixture(others + Self.best)
    let titles = try await fixture.titles("night", PageRequest(limit: 5))
    #expect(isRanked(titles + ["Other"]), "\(titles)")
    #expect(try await fixture.search("night").total == 1506)
  }

  /// Results that are not on the page are not sorted completely.
  @Test func pagesOfManyResultsBelongToOneList() async throws {
    let many = (0..<2400).map {
      Track(title: ["Night \($0)", "By Night", "Night", "Nightly \($0)", "Other"][$0 % 5], artist: "Night \($0 % 7)")
    }
    let fixture = try await SearchFixture(many)
    try await fixture.addFavorite(2001)
    let all = try await fixture.search("night", .track, PageRequest(limit: 2400)).ids
    #expect(all.count == 2400 && Set(all).count == 2400)
    for offset in stride(from: 0, to: 1200, by: 50) {
      let page = try await fixture.search("night", .track, PageRequest(offset: offset, limit: 50))
      #expect(page.ids == Array(all[offset..<offset + 50]), "\(offset)")
      #expect(page.total == 2400)
    }
  }

  @Test func favoritesAndPlayedTracksPrecedeTheirEquals() async throws {
    for others in [0, 1500] {
      let tracks = (0..<6).map { Track(title: "Same", artist: "Artist \($0)") }
      let fixture = try await SearchFixture(tracks + (0..<others).map { _ in Track(title: "Same") })
      let plain = try await fixture.search("same", .track, PageRequest(limit: 6)).ids
      try await fixture.play(3)
      try await fixture.play(3)
      try await fixture.play(5)
      try await fixture.addFavorite(4)
      let ids = try await fixture.search("same", .track, PageRequest(limit: 6)).ids
      #expect(ids == [plain[4], plain[3], plain[5], plain[0], plain[1], plain[2]])
      // A better match still comes first.
      try await fixture.add([Track(title: "Sam")], from: 9000)
      #expect(try await fixture.titles("sam", PageRequest(limit: 2)) == ["Sam", "Same"])
    }
  }

  /// The pages together are the whole list, without duplicates.
  @Test func pagesOfResultsTogetherAreTheWholeList() async throws {
    let fixture = try await SearchFixture(
      (0..<900).map { Track(title: ["Rain", "Rain Song", "Song of Rain", "Rainbow"][$0 % 4], artist: "Artist \($0)") })
    let whole = try await fixture.search("rain", .track, PageRequest(limit: 900)).ids
    #expect(Set(whole).count == 900)
    var pages: [Int64] = []
    for offset in stride(from: 0, to: 900, by: 70) {
      let page = try await fixture.search("rain", .track, PageRequest(offset: offset, limit: 70))
      #expect(page.total == 900 && page.isTotalExact)
      pages += page.ids
    }
    #expect(pages == whole)
    // The whole list is sorted by rank.
    let titles = try await fixture.titles("rain", PageRequest(limit: 900))
    #expect(titles[..<225].allSatisfy { $0 == "Rain" })
    #expect(titles[675...].allSatisfy { $0 == "Song of Rain" })
    for offset in [900, 901, 4_000, 10_000] {
      let page = try await fixture.search("rain", .track, PageRequest(offset: offset, limit: 10))
      #expect(page.ids.isEmpty && page.total == 900)
    }
  }

  @Test func aTotalBeyondTheLimitIsInexact() async throws {
    let fixture = try await SearchFixture((0..<5_050).map { _ in Track(title: "Common") })
    let page = try await fixture.search("common", .track, PageRequest(offset: 4_990, limit: 100))
    #expect(page.total == 5_000)
    #expect(!page.isTotalExact)
    #expect(page.ids.count == 10)
  }

  /// The best results are found although they were added last.
  @Test func theBestResultsAreFoundBeyondTheLimit() async throws {
    let fixture = try await SearchFixture((0..<5_050).map { Track(title: "Song \($0)", artist: "Common") })
    try await fixture.add(
      [Track(title: "So Common"), Track(title: "Common Ground"), Track(title: "Common")], from: 6_000)
    let best = ["Common", "Common Ground", "So Common"]
    #expect(try await fixture.titles("common", PageRequest(limit: 3)) == best)
    #expect(try await fixture.titles("common", PageRequest(offset: 2, limit: 2)) == [best[2], "Song 0"])
    // One of the results beyond the limit is a favorite.
    try await fixture.addFavorite(5_049)
    #expect(try await fixture.titles("common", PageRequest(offset: 3, limit: 2)) == ["Song 5049", "Song 0"])
  }

  @Test func albumsAndArtistsAreFound() async throws {
    let fixture = try await SearchFixture([
      Track(title: "One", artist: "Кино", album: "Группа крови", year: 1988),
      Track(title: "Two", artist: "Night Club", album: "Kinoteka", year: 1999),
    ])
    #expect(try await fixture.albums("kino") == ["Kinoteka", "Группа крови"])
    #expect(try await fixture.albums("gruppa krovi") == ["Группа крови"])
    #expect(try await fixture.albums("artist:night") == ["Kinoteka"])
    #expect(try await fixture.albums("title:one") == [])
    #expect(try await fixture.artists("kino") == ["Кино"])
    #expect(try await fixture.artists("club") == ["Night Club"])
    #expect(try await fixture.artists("album:kinoteka") == [])
  }

  @Test func misspelledWordsAreCorrected() async throws {
    let fixture = try await SearchFixture([
      Track(title: "Enter", artist: "Metallica"), Track(title: "Help", artist: "Beatles"),
      Track(title: "Звезда", artist: "Кино"), Track(title: "Dawn"), Track(title: "Dean"), Track(title: "Кнопф"),
      Track(title: "Dean"), Track(title: "Remastered in 1999"),
    ])
    let expected: [(query: String, correction: String)] = [
      ("metalica", "metallica"), ("metallcia", "metallica"), ("netallica", "metallica"), ("metallicaa", "metallica"),
      ("beatels", "beatles"), ("звзеда", "звезда"), ("enter metalica", "enter metallica"),
      ("artist:metalica", "artist:metallica"), ("dwan", "dawn"), ("dawm", "dawn"),
      ("кнпоф", "кнопф"), ("kinno", "kino"), ("netallicq", "metallica"), ("металлкиа", "metallica"),
      ("remastreed in", "remastered in"), ("rematsreed", "remastered"),
    ]
    for (query, correction) in expected {
      let page = try await fixture.search(query)
      #expect(page.ids.count == 1, "\(query)")
      #expect(page.correction == correction, "\(query)")
      #expect(try await fixture.search(correction).correction == nil, "\(correction)")
    }
  }

  /// There are so many words that not all of them are compared.
  @Test(arguments: [
    ("da", "Down", "dwon", "down"), ("dat", "Datowner", "datwoner", "datowner"),
    ("dat", "Datowner", "xatowner", "datowner"),
    ("dat", "Datowner", "xatownez", "datowner"),
  ])
  func aMisspelledWordIsCorrectedAmongManyWords(beginning: String, title: String, query: String, correction: String)
    async throws
  {
    var tracks: [Track] = []
    for (first, second) in (0..<3600).map({ ($0 / 60, $0 % 60) }) {
      func letters(_ number: Int) -> String {
        "\(Unicode.Scalar(97 + UInt8(number / 20)))\(Unicode.Scalar(97 + UInt8(number % 20)))"
      }
      tracks.append(Track(title: "\(beginning)\(letters(first))\(letters(second))n"))
    }
    let fixture = try await SearchFixture(tracks + [Track(title: title)])
    #expect(try await fixture.search(query).correction == correction)
  }

  @Test(arguments: ["mtlc", "xyzzyxyzzy", "abc", "metallica beatles", "12345678"])
  func wordsWithoutSimilarWordsAreNotCorrected(query: String) async throws {
    let fixture = try await SearchFixture([
      Track(title: "Enter", artist: "Metallica"), Track(title: "Help", artist: "Beatles"),
    ])
    let page = try await fixture.search(query)
    #expect(page.ids.isEmpty && page.correction == nil)
  }

  @Test func changedAndRemovedTracksAreNotFound() async throws {
    let fixture = try await SearchFixture([
      Track(title: "First", artist: "Alpha", album: "Eins", year: 1990),
      Track(title: "Second", artist: "Beta", album: "Zwei"),
    ])
    try await fixture.addFavorite(0)
    try await fixture.add([Track(title: "Third", artist: "Gamma", album: "Drei", year: 2001)])
    for query in ["first", "alpha", "eins", "year:1990", "first is:favorite"] {
      #expect(try await fixture.titles(query) == [], "\(query)")
    }
    for query in ["third", "gamma", "drei", "year:2001"] {
      #expect(try await fixture.titles(query) == ["Third"], "\(query)")
    }
    #expect(try await fixture.artists("alpha") == [])
    #expect(try await fixture.albums("eins") == [])
    try await fixture.remove([1])
    for query in ["second", "beta", "zwei"] { #expect(try await fixture.titles(query) == [], "\(query)") }
    #expect(try await fixture.artists("beta") == [])
  }

  @Test func suggestionsCompleteTheQuery() async throws {
    let fixture = try await SearchFixture([
      Track(title: "Kino", artist: "Somebody", album: "Kinoteka"), Track(title: "Kino!", artist: "Other"),
      Track(title: "Big Kino", artist: "Кино", album: "Rest"), Track(title: "None", artist: "Nobody"),
    ])
    let suggestions = try await fixture.suggest("kin")
    #expect(suggestions.map(\.text) == ["Кино", "Kinoteka", "Kino", "Rest", "Big Kino"])
    #expect(suggestions.map(\.kind) == [.artist, .album, .track, .album, .track])
    #expect(try await fixture.suggest("kin", limit: 2).count == 2)
    #expect(try await fixture.suggest("kinotkea").map(\.text).contains("Kinoteka"))
    #expect(try await fixture.suggest("").isEmpty)
  }
}
