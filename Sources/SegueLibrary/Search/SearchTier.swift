/// How well what was found fits what was asked, the best first.
enum SearchTier: Int, Comparable {
  /// The title is what was asked.
  case exact
  /// The title begins with it.
  case beginning
  /// The title has all its words.
  case title
  /// All its words are somewhere.
  case words
  /// Some are the beginnings of words only.
  case unfinished

  static func < (a: SearchTier, b: SearchTier) -> Bool { a.rawValue < b.rawValue }
}
