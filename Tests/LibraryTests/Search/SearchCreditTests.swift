import SegueLibrary
import SegueWire
import Testing

/// The search for composers, conductors and works.
@Suite(.timeLimit(.minutes(1))) struct SearchCreditTests {
  private typealias Track = SearchFixture.Track

  private static let tracks = [
    Track(
      title: "Kyrie", artist: "Choir", album: "Mass", composer: "J. S. Bach", conductor: "Karl Richter",
      work: "Mass in B minor"),
    Track(title: "Summertime", artist: "Ella", album: "Songs", composer: "George Gershwin"),
    Track(title: "Badinerie", artist: "Bach Orchestra", album: "Suite", composer: "Johann Sebastian Bach"),
    Track(title: "Bach", artist: "Someone", album: "Names"),
    Track(title: "Сюита", artist: "Оркестр", album: "Балет", composer: "Пётр Чайковский"),
  ]

  @Test(arguments: [
    ("composer:bach", ["Kyrie", "Badinerie"]), ("composer:gersh", ["Summertime"]),
    ("composer:\"j. s. bach\"", ["Kyrie"]), ("composer:gershwn", ["Summertime"]),
    ("composer:чайковский", ["Сюита"]), ("composer:chaikovskiy", ["Сюита"]), ("conductor:richter", ["Kyrie"]),
    ("work:minor", ["Kyrie"]), ("work:\"b minor\" conductor:karl", ["Kyrie"]),
    ("composer:bach -artist:choir", ["Badinerie"]),
    ("orchestra -composer:gershwin", ["Badinerie"]), ("bach -composer:bach", ["Bach"]), ("composer:ella", []),
    ("conductor:bach", []), ("artist:gershwin", ["Summertime"]),
  ])
  func aFieldFindsTracksByTheirCredits(_ query: String, _ titles: [String]) async throws {
    let library = try await SearchFixture(Self.tracks)
    #expect(Set(try await library.titles(query)) == Set(titles))
  }

  @Test(arguments: [
    ("composer:bach", ["Mass", "Suite"]), ("conductor:richter", ["Mass"]), ("work:minor", ["Mass"]),
    ("gershwin", ["Songs"]), ("composer:bach -conductor:richter", ["Suite"]), ("composer:chaikovskiy", ["Балет"]),
  ])
  func aFieldFindsAlbumsByTheirCredits(_ query: String, _ titles: [String]) async throws {
    let library = try await SearchFixture(Self.tracks)
    #expect(Set(try await library.albums(query)) == Set(titles))
  }

  @Test func aWordIsRankedByTitleThenArtistThenComposer() async throws {
    let library = try await SearchFixture(Self.tracks)
    #expect(try await library.titles("bach") == ["Bach", "Badinerie", "Kyrie"])
  }

  @Test func artistsHaveNoCredits() async throws {
    let library = try await SearchFixture(Self.tracks)
    #expect(try await library.artists("composer:bach").isEmpty)
    #expect(try await library.artists("bach") == ["Bach Orchestra"])
  }

  @Test func textsFollowTheTags() async throws {
    let library = try await SearchFixture(Self.tracks)
    try await library.rate(0, 9)
    try await library.add([Track(title: "Kyrie", artist: "Choir", album: "Mass", composer: "Mozart")])
    #expect(try await library.titles("composer:mozart rating:9..") == ["Kyrie"])
    #expect(try await library.titles("composer:bach") == ["Badinerie"])
    #expect(try await library.titles("conductor:richter").isEmpty)
    #expect(try await library.albums("composer:mozart") == ["Mass"])
    #expect(try await library.albums("conductor:richter").isEmpty)
  }
}
