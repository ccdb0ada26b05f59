import SegueClientKit
import SegueSystem
import SegueWire

@testable import SegueTUI

/// Answers to calls about online catalogues, as the daemon gives them.
struct OnlineFixture {
  /// The error of all answers; nil if there is none.
  var error: ClientError?
  /// Whether lists come from an outdated response.
  var isStale = false
  /// The calls so far, in order.
  private(set) var calls: [DaemonCall] = []
  /// The number of tracks and the albums that a search of the library finds.
  var foundTracks = 1
  var foundAlbums: [Album] = []
  /// Changes the items of answers, and the texts of searches and suggestions.
  var change: (inout CatalogItem) -> Void = { _ in }
  var changeText: (String) -> String = { $0 }
  /// The calls that are not answered.
  var unanswered: (DaemonCall) -> Bool = { _ in false }

  static let songs = (1...45).map { number in
    var item = CatalogItem(uri: "itunes:song:\(number)", kind: .song, title: "Song \(number)", provider: "itunes")
    (item.creator, item.year, item.duration) = ("Artist \(number % 5)", 1960 + number, .seconds(180))
    (item.genres, item.facts, item.playable) = (["Jazz"], [CatalogItem.Fact(.album, "Album \(number / 10)")], true)
    if number == 2 { (item.title, item.favorite) = ("Тестовая песня \u{1B}[31m", true) }
    return item
  }

  static let film: CatalogItem = {
    var item = CatalogItem(uri: "tmdb:film:101", kind: .film, title: "夜明けの映画", provider: "tmdb")
    (item.creator, item.date, item.year) = ("Ana Directora", "1999-03-31", 1999)
    (item.duration, item.language, item.budget) = (.seconds(8_160), "ja", 63_000_000)
    (item.art, item.link) = ("http://127.0.0.1/images/1.jpg", "https://www.themoviedb.org/movie/101")
    item.rating = CatalogItem.Rating(value: 8.2, votes: 25_010, popularity: 97.3)
    item.description =
      "First paragraph of the description.\n\nA second one that is longer than a line of a small terminal."
    item.facts = [CatalogItem.Fact(.advisory, "PG-13"), CatalogItem.Fact(.tagline, "Wake up.")]
    return item
  }()

  static let person: CatalogItem = {
    var item = CatalogItem(uri: "tmdb:person:201", kind: .person, title: "Ana Actriz", provider: "tmdb")
    item.description = "She was born in a small town."
    item.facts = [
      CatalogItem.Fact(.born, "1970-01-02"), CatalogItem.Fact(.died, "2020-03-04"),
      CatalogItem.Fact(.birthplace, "Lugo"),
      CatalogItem.Fact(.department, "Acting"), CatalogItem.Fact(.homepage, "https://ana.example/"),
    ]
    return item
  }()

  static let station: CatalogItem = {
    var item = CatalogItem(
      uri: "radio:aaaaaaaa-0000-4000-8000-000000000001", kind: .station, title: "Synthetic Jazz", provider: "radio")
    item.facts = [CatalogItem.Fact(.codec, "MP3"), CatalogItem.Fact(.bitrate, "128"), CatalogItem.Fact(.country, "DE")]
    item.playable = true
    return item
  }()

  static let attribution = "This product uses the TMDB API but is not endorsed or certified by TMDB."

  /// Returns the answer to a call; nil if the call is not one about catalogues, or is not answered.
  mutating func answer(_ call: DaemonCall) -> Result<JSON, ClientError>? {
    switch call {
    case .catalog, .details, .hints, .suggestions: break
    default: return nil
    }
    calls.append(call)
    if unanswered(call) { return nil }
    if let error { return .failure(error) }
    return switch call {
    case .catalog(.library, let offset, _):
      .success(Interface.json(SearchAnswer(found: found(from: offset), exact: true, correction: nil)))
    case .catalog(let query, let offset, _): .success(Interface.json(page(Self.items(query), offset)))
    case .details(let uri, _, _):
      .success(
        Interface.json(
          uri == Self.person.uri
            ? details(Self.person, [Self.film], nil) : details(Self.film, [Self.person], Self.attribution)))
    case .hints(let request):
      .success(
        Interface.json(
          SearchList(searches: ["miles davis", "песня"].filter { $0.contains(request.text) }.map(changeText))))
    case .suggestions(let request):
      .success(
        request.source == .library
          ? Interface.json(
            Suggestions(suggestions: [
              LibrarySuggestion(
                text: changeText("Kind of Blue"), type: .album, uri: "segue:album/1", artist: changeText("Miles Davis")),
              LibrarySuggestion(text: "miles davis", type: .search, uri: "segue:search/1"),
            ])) : Interface.json(page(Array(Self.songs.prefix(3)), 0)))
    default: nil
    }
  }

  private static func items(_ query: PageQuery) -> [CatalogItem] {
    switch query {
    case .people: [person]
    case .stationsOfCountry, .stationsWithTag, .popular(.station, _), .search(_, .station): [station]
    case .popular(.film, _), .search(_, .film): [film]
    case .search("nothing", _): []
    case .search, .popular, .library: songs
    }
  }

  private func found(from offset: Int) -> FoundItems {
    let tracks = (0..<foundTracks).map { index in
      var metadata = Metadata()
      (metadata.title, metadata.artist) = (index == 0 ? "So What" : "Track \(index)", "Miles Davis")
      return ListedTrack(uri: "file:///music/\(index).flac", duration: .seconds(545), metadata: metadata)
    }
    return FoundItems(
      tracks: Array(tracks.dropFirst(offset).prefix(20)), albums: Array(foundAlbums.dropFirst(offset).prefix(20)),
      total: tracks.count + foundAlbums.count, offset: offset)
  }

  private func page(_ items: [CatalogItem], _ offset: Int) -> CatalogPage {
    CatalogPage(
      items: changed(items.dropFirst(offset).prefix(20)), total: items.count, offset: offset, limit: 20,
      provider: items.first?.provider ?? "itunes",
      attribution: items.first?.provider == "tmdb" ? Self.attribution : "provided courtesy of iTunes",
      stale: isStale, age: isStale ? .seconds(10_800) : nil)
  }

  private func changed(_ items: some Sequence<CatalogItem>) -> [CatalogItem] {
    items.map { item in
      var item = item
      change(&item)
      return item
    }
  }

  private func details(_ item: CatalogItem, _ contents: [CatalogItem], _ attribution: String?) -> CatalogDetails {
    CatalogDetails(
      item: changed([item])[0], contents: changed(contents), total: contents.count, offset: 0, limit: 200,
      attribution: attribution,
      stale: isStale, age: isStale ? .seconds(10_800) : nil)
  }
}
