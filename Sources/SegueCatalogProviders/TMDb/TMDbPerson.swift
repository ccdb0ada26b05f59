internal import SegueWire

/// The people in responses of TMDb.
enum TMDbPerson {
  /// Returns the person that an element of a list describes; nil if it lacks its id or name, or makes films for adults
  /// only.
  static func entry(_ json: JSON, _ images: TMDbImages) -> CatalogEntry? {
    guard var item = item(json, images) else { return nil }
    item.addFact(.character, json.line("character"))
    item.addFact(.knownFor, knownFor(json.list("known_for", limit: 5)))
    return CatalogEntry(item: item)
  }

  /// Returns the person that a response with films and translations describes; nil as for `entry`.
  static func details(_ json: JSON, _ images: TMDbImages) -> CatalogEntry? {
    guard var item = item(json, images) else { return nil }
    item.description = json.plainText("biography") ?? TMDbTranslations.text("biography", of: json)
    item.addFact(.born, json.date("birthday"))
    item.addFact(.died, json.date("deathday"))
    item.addFact(.birthplace, json.line("place_of_birth"))
    item.addFact(.homepage, json.url("homepage"))
    item.addFact(.knownFor, knownFor(Array(films(json).prefix(5))))
    return CatalogEntry(item: item)
  }

  /// Returns the films of a person in a response, those with the most votes first, because they are the best known.
  static func films(_ json: JSON) -> [JSON] {
    let films = json["movie_credits"]?.list("cast", limit: maximumFilmCount) ?? []
    let rated = films.map { (film: $0, votes: $0["vote_count"]?.integer ?? 0) }
    return rated.sorted { $0.votes > $1.votes }.map(\.film)
  }

  private static let maximumFilmCount = 1000

  private static func item(_ json: JSON, _ images: TMDbImages) -> CatalogItem? {
    guard let uri = CatalogItemURI(.tmdb, .person, json.id("id")), let name = json.line("name"),
      json["adult"]?.bool != true
    else { return nil }
    var item = CatalogItem(uri: uri.uri, kind: .person, title: name, provider: uri.scheme.rawValue)
    item.art = images.portrait(json["profile_path"]?.string)
    item.rating = json["popularity"]?.double.map { CatalogItem.Rating(popularity: $0) }
    item.addFact(.department, json.line("known_for_department"))
    item.link = "https://www.themoviedb.org/person/\(uri.id)"
    item.credit = TMDbProvider.credit
    return item
  }

  /// Returns the titles of films, or the names of series.
  private static func knownFor(_ works: [JSON]) -> String? {
    let titles = works.compactMap { $0.line("title") ?? $0.line("name") }
    return titles.isEmpty ? nil : titles.joined(separator: ", ")
  }
}
