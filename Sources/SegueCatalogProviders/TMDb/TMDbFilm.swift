internal import SegueSystem
internal import SegueWire

/// The films in responses of TMDb.
enum TMDbFilm {
  /// Returns the film that an element of a list describes; nil if it lacks its id or title, or is for adults only.
  static func entry(_ json: JSON, _ images: TMDbImages) -> CatalogEntry? {
    item(json, images).map { CatalogEntry(item: $0) }
  }

  /// Returns the film that a response with credits and translations describes; nil as for `entry`.
  static func details(_ json: JSON, _ images: TMDbImages) -> CatalogEntry? {
    guard var item = item(json, images) else { return nil }
    let crew = json["credits"]?.list("crew", limit: maximumPeopleCount) ?? []
    let directors = crew.filter { $0["job"]?.string == "Director" }.prefix(3).compactMap { $0.line("name") }
    let cast = json["credits"]?.list("cast", limit: 10).compactMap { $0.line("name") } ?? []
    item.creator = joined(directors)
    item.description = item.description ?? TMDbTranslations.text("overview", of: json)
    item.genres = json.list("genres", limit: Metadata.maximumValueCount).compactMap { $0.line("name") }
    item.duration = json.positive("runtime").map { MediaTime(seconds: Double($0) * 60) }
    item.budget = json.positive("budget")
    item.addFact(.tagline, json.line("tagline"))
    item.addFact(.director, joined(directors))
    item.addFact(.cast, joined(cast))
    let countries = json.list("production_countries", limit: 8).compactMap { $0.line("iso_3166_1") }
    item.addFact(.country, joined(countries))
    item.addFact(.revenue, json.positive("revenue").map(String.init))
    item.addFact(.homepage, json.url("homepage"))
    return CatalogEntry(item: item)
  }

  /// The number of members of the crew among whom the directors are looked for. Large films have a thousand.
  private static let maximumPeopleCount = 2000

  private static func item(_ json: JSON, _ images: TMDbImages) -> CatalogItem? {
    guard let uri = CatalogItemURI(.tmdb, .film, json.id("id")), let title = json.line("title"),
      json["adult"]?.bool != true
    else { return nil }
    var item = CatalogItem(uri: uri.uri, kind: .film, title: title, provider: uri.scheme.rawValue)
    item.setDate(json.date("release_date"))
    item.genres = json.list("genre_ids", limit: Metadata.maximumValueCount).compactMap { id in
      id.integer.flatMap(TMDbGenres.name)
    }
    item.art = images.poster(json["poster_path"]?.string)
    item.description = json.plainText("overview")
    item.rating = rating(json)
    item.language = json.line("original_language")
    let original = json.line("original_title")
    item.addFact(.originalTitle, original == title ? nil : original)
    item.addFact(.character, json.line("character"))
    item.link = "https://www.themoviedb.org/movie/\(uri.id)"
    item.credit = TMDbProvider.credit
    return item
  }

  private static func rating(_ json: JSON) -> CatalogItem.Rating? {
    let votes = json["vote_count"]?.int
    let rating = CatalogItem.Rating(
      value: votes == 0 ? nil : json["vote_average"]?.double, votes: votes, popularity: json["popularity"]?.double)
    return rating == CatalogItem.Rating() ? nil : rating
  }

  private static func joined(_ names: [String]) -> String? { names.isEmpty ? nil : names.joined(separator: ", ") }
}

/// The translations of a film or a person. Texts in the language of a query may be missing; those in English exist.
enum TMDbTranslations {
  /// Returns the English text of a member; nil if there is none.
  static func text(_ name: String, of json: JSON) -> String? {
    let translations = json["translations"]?.list("translations") ?? []
    let english = translations.filter { $0["iso_639_1"]?.string == "en" }
    return english.lazy.compactMap { $0["data"]?.plainText(name) }.first
  }
}
