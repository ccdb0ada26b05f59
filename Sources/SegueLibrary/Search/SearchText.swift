/// What of a track is searched. Several values of a field stand in one text, with a line feed between them.
struct SearchText: Equatable {
  var title: String?
  /// The artists, the album's artist, the composer.
  var artist: String?
  var album: String?
  var genre: String?
  /// 0 if unknown.
  var year = 0
  /// Names by which `format:` finds it: FFmpeg's short names of codec and container.
  var formats: [String] = []

  /// What of an album is searched.
  struct Album: Equatable {
    var title: String
    /// nil for a compilation.
    var artist: String?
    var genre: String?
    /// 0 if unknown.
    var year = 0
  }
}

/// What the user thinks of a track. A track of which he said nothing and which was never played has none.
struct TrackAffinity: Equatable {
  var isFavorite = false
  /// 0…10; 0 without one.
  var rating = 0
  /// How often it was played.
  var plays = 0

  /// By which equals are ranked: favourites, then what is often played, then what is rated.
  var score: Int64 { (isFavorite ? 1_000_000_000 : 0) + Int64(min(plays, 10_000_000)) * 20 + Int64(rating) }
}

extension SearchText {
  /// Four digits.
  static func fact(year: Int) -> String {
    let digits = String(min(max(year, 0), 9999))
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }

  /// Letters and digits only; nil if there are none.
  static func fact(format: String) -> String? {
    let name = format.lowercased().unicodeScalars.filter { ("a"..."z").contains($0) || ("0"..."9").contains($0) }
    return name.isEmpty ? nil : String(name)
  }

  static func fact(rating: Int) -> String { "r\(rating)" }
  static let favoriteFact = "isfavorite"

  /// A text of the column `facts`.
  static func facts(_ year: Int, _ formats: [String], _ regard: TrackAffinity? = nil) -> String? {
    var facts: [String] = []
    if year > 0 { facts.append(fact(year: year)) }
    for case let name? in formats.map(fact(format:)) where !facts.contains(name) { facts.append(name) }
    if let regard {
      if regard.rating > 0 { facts.append(fact(rating: regard.rating)) }
      if regard.isFavorite { facts.append(favoriteFact) }
    }
    if facts.isEmpty { return nil }
    return String(Unicode.Scalar(TokenExpander.factMark)) + facts.joined(separator: " ")
  }
}
