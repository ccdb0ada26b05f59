extension String {
  /// Returns the string with the characters replaced that have a meaning in XML and in Pango markup
  /// (`g_markup_escape_text`).
  /// - Parameter quotes: Whether quotation marks and apostrophes are replaced too, which is necessary in attributes.
  public func escapedForMarkup(quotes: Bool) -> String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"" where quotes: escaped += "&quot;"
      case "'" where quotes: escaped += "&apos;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
