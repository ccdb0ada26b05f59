internal import SegueWire

/// The genres of films (TMDb, `/genre/movie/list`).
enum TMDbGenres {
  static let films = names.map { id, name in
    CatalogGenre(id: String(id), name: name, kind: .film, provider: CatalogItemURI.Scheme.tmdb.rawValue)
  }

  /// Returns the English name of a genre; nil if it is unknown.
  static func name(_ id: Int64) -> String? { names.first { $0.0 == id }?.1 }

  private static let names: [(Int64, String)] = [
    (28, "Action"), (12, "Adventure"), (16, "Animation"), (35, "Comedy"), (80, "Crime"), (99, "Documentary"),
    (18, "Drama"), (10751, "Family"), (14, "Fantasy"), (36, "History"), (27, "Horror"), (10402, "Music"),
    (9648, "Mystery"), (10749, "Romance"), (878, "Science Fiction"), (10770, "TV Movie"), (53, "Thriller"),
    (10752, "War"), (37, "Western"),
  ]
}
