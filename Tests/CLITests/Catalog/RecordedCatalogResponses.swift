import SegueSystem
import SegueTestKit
import SegueWire

/// Responses of a daemon with online catalogues.
enum RecordedCatalogResponses {
  static func item(
    _ uri: String, _ kind: CatalogItem.Kind, _ title: String, change: (inout CatalogItem) -> Void = { _ in }
  ) -> CatalogItem {
    var item = CatalogItem(uri: uri, kind: kind, title: title, provider: String(uri.prefix { $0 != ":" }))
    change(&item)
    return item
  }

  static let song = item("itunes:song:1", .song, "Группа крови") {
    $0.creator = "Кино"
    $0.year = 1988
    $0.duration = .seconds(286)
    $0.genres = ["Rock"]
    $0.art = "https://example.org/1.jpg"
    $0.facts = [.init(.album, "Группа крови"), .init(.price, "1.29 USD")]
    $0.playable = true
    $0.favorite = true
  }
  static let album = item("itunes:album:2", .album, "\u{1B}[31mred") {
    $0.creator = "a\tb"
    $0.art = "https://example.org/2.jpg"
    $0.facts = [.init(.tracks, "9")]
    $0.playable = true
  }
  static let film = item("tmdb:film:550", .film, "Fight Club") {
    $0.creator = "David Fincher"
    $0.year = 1999
    $0.date = "1999-10-15"
    $0.duration = .seconds(8_340)
    $0.genres = ["Drama", "Thriller"]
    $0.rating = .init(value: 8.44, votes: 28_123, popularity: 61.4)
    $0.language = "en"
    $0.budget = 63_000_000
    $0.description = "An insomniac and a salesman.\n\nClubs form in every town.\u{1B}"
    $0.facts = [
      .init(.director, "David Fincher"), .init(.tagline, "Soap."), .init(.revenue, "100853753"),
      .init(.homepage, "http://example.org/club"),
    ]
    $0.link = "https://example.org/550"
    $0.credit = "This product uses the TMDB API."
  }
  static let station = item("radio:960e57c5-0601-11e8-ae97-52543be04c81", .station, "Groove Salad") {
    $0.genres = ["ambient"]
    $0.facts = [.init(.codec, "MP3"), .init(.bitrate, "128"), .init(.country, "US")]
    $0.playable = true
  }
  static let items = [song, album, film, station]

  static func page(_ items: [CatalogItem] = items, change: (inout CatalogPage) -> Void = { _ in }) -> String {
    var page = CatalogPage(
      items: items, total: items.count, offset: 0, limit: 30, provider: "itunes", attribution: "From iTunes.")
    change(&page)
    return RecordedResponses.json(page)
  }

  static func details(_ item: CatalogItem, contents: [CatalogItem] = []) -> String {
    RecordedResponses.json(
      CatalogDetails(
        item: item, contents: contents, total: contents.count, offset: 0, limit: 200, attribution: "From iTunes."))
  }

  static let providers = RecordedResponses.json(
    CatalogProviderList(providers: [
      .init(
        name: "itunes", title: "iTunes", kinds: [.song, .album], charts: [.song], attribution: "From iTunes.",
        link: "https://example.org/itunes", error: nil),
      .init(
        name: "tmdb", title: "TMDb", kinds: [.film], charts: [.film], attribution: nil, link: "https://example.org/t",
        error: "a token is required"),
    ]))

  static let genres = RecordedResponses.json(
    CatalogGenreList(genres: [
      .init(id: "14", name: "Pop", kind: .song, provider: "itunes"),
      .init(id: "21", name: "Rock", kind: .song, provider: "itunes"),
    ]))

  /// The script of a daemon with these items.
  static let standard: StubDaemon.Script = { method, parameters in
    switch method {
    case "catalog.search", "catalog.popular", "catalog.people": [.result(page())]
    case "catalog.info", "catalog.person":
      [.result(parameters.contains("album") ? details(album, contents: [song, song]) : details(film))]
    case "catalog.providers", "catalog.setToken": [.result(providers)]
    case "catalog.genres": [.result(genres)]
    case "catalog.hints": [.result(#"{"searches":["kino","fight club"]}"#)]
    case "library.track": [.result(trackReport)]
    default: RecordedLibraryResponses.standard(method, parameters)
    }
  }

  private static let trackReport: String = {
    let audio = Audio(
      codec: "flac", container: "flac", sampleRate: 44_100, channels: 2, bitDepth: 16, bitRate: nil, lossless: true,
      gapless: .exact)
    var report = TrackReport(track: RecordedLibraryResponses.tracks[0], audio: audio)
    report.hasLyrics = true
    return RecordedResponses.json(report)
  }()
}
