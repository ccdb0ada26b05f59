/// How well what was found fits what was asked, the best first.
enum SearchTier: Int, CaseIterable {
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
}
