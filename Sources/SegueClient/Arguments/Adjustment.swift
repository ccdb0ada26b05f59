/// A word that sets something, or moves it up or down: `50`, `+10` or `10+`, `-5` or `5-`.
struct Adjustment {
  enum Direction: Equatable {
    case to, up, down
  }

  let direction: Direction
  /// What is left without the sign.
  let magnitude: Substring

  init(_ text: String) {
    if text.hasPrefix("+") {
      (direction, magnitude) = (.up, text.dropFirst())
    } else if text.hasPrefix("-") {
      (direction, magnitude) = (.down, text.dropFirst())
    } else if text.hasSuffix("+") {
      (direction, magnitude) = (.up, text.dropLast())
    } else if text.hasSuffix("-") {
      (direction, magnitude) = (.down, text.dropLast())
    } else {
      (direction, magnitude) = (.to, text[...])
    }
  }
}
