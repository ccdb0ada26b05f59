/// The articles that are ignored at the beginning of names when names are sorted.
enum LeadingArticle {
  /// The definite articles by language.
  private static let articles: [String: [String]] = [
    "de": ["der", "die", "das"],
    "fr": ["le", "la", "les", "l'", "l’"],
    "es": ["el", "la", "los", "las"],
    "it": ["il", "lo", "la", "i", "gli", "le", "l'", "l’"],
    "pt": ["o", "a", "os", "as"],
    "nl": ["de", "het"],
    "sv": ["den", "det"], "da": ["den", "det"], "nb": ["den", "det"], "nn": ["den", "det"],
  ]

  private static let own: [[UInt8]] = (["the", "a", "an"] + (articles[UserLocale.language] ?? [])).map {
    Array($0.utf8)
  }

  /// Returns `text` without its leading article. If nothing else would remain, returns all of `text`.
  static func dropped(from text: String) -> Substring {
    let bytes = text.utf8
    for article in own where bytes.count > article.count + 1 {
      guard zip(bytes, article).allSatisfy({ $0 | 0x20 == $1 || $0 == $1 }) else { continue }
      let end = bytes.index(bytes.startIndex, offsetBy: article.count)
      let isElided = article.count > 1 && article[1] == UInt8(ascii: "'") || article.count > 3 && article[1] == 0xE2
      guard isElided || bytes[end] == UInt8(ascii: " ") else { continue }
      let rest = text[end...].drop { $0 == " " }
      if !rest.isEmpty { return rest }
    }
    return text[...]
  }
}
