/// A rating as five stars, each of which stands for two points: `★★★½☆`.
enum Stars {
  static func text(_ rating: Int, isUnicode: Bool) -> String {
    let (full, half) = (rating / 2, rating % 2)
    let (star, empty) = isUnicode ? ("★", "☆") : ("*", ".")
    return String(repeating: star, count: full) + (half == 1 ? isUnicode ? "½" : "+" : "")
      + String(repeating: empty, count: 5 - full - half)
  }
}

extension SharedState {
  /// Returns the stars of a rating; an empty text without one, or if ratings are not displayed.
  func stars(_ rating: Int?) -> String {
    guard let rating, configuration.showsRatings else { return "" }
    return appearance.isPlain ? "\(rating)/10" : Stars.text(rating, isUnicode: appearance.isUnicode)
  }
}
