/// What of a track is searched. Several values of a field stand in one text, with a line feed between them.
struct SearchText: Equatable {
  var title: String?
  /// The artists, the album's artist, the composer.
  var artist: String?
  var album: String?
  var genre: String?
  /// 0 if unknown.
  var year = 0
  /// Names by which `format:` finds it: codec and container, in lower case.
  var formats: [String] = []
}

/// What the user thinks of a track. A track of which he said nothing and which was never played has none.
struct SearchRegard: Equatable {
  var isFavorite = false
  /// 0…10; 0 without one.
  var rating = 0
  /// How often it was played.
  var plays = 0
}
