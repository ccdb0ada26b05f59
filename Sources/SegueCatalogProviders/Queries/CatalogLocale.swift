package import SegueWire

/// The country and the language of a query in the forms that providers need.
package struct CatalogLocale: Equatable {
  /// The country as two letters in lower case (ISO 3166-1); nil if the query has none.
  package let country: String?
  /// The language as two or three letters in lower case (ISO 639); nil if the query has none.
  package let language: String?
  /// The region of the language as two letters in upper case, such as `DE` in `de-DE`; nil if it has none.
  package let region: String?

  /// Reads the country and the language of a query. Throws `invalid_params` if they are malformed.
  package init(of query: CatalogQuery) throws(Failure) {
    if let text = query.country {
      guard let code = Self.letters(text[...], 2...2) else {
        throw Failure(.invalidParams, "“\(text)” is not a country; a country is two letters, such as “de”")
      }
      country = code
    } else {
      country = nil
    }
    // The encoding and the modifier of a locale follow a dot and an at sign (setlocale(3)).
    let name = query.language?.prefix { $0 != "." && $0 != "@" } ?? ""
    if name.isEmpty || name == "C" || name == "POSIX" {
      (language, region) = (nil, nil)
      return
    }
    let parts = name.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    guard let language = Self.letters(parts[0], 2...3) else { throw Self.malformed(name) }
    self.language = language
    if parts.count == 2 {
      guard let region = Self.letters(parts[1], 2...2) else { throw Self.malformed(name) }
      self.region = region.uppercased()
    } else {
      region = nil
    }
  }

  /// Returns the country in the name of a locale, such as `de` in `de_DE.UTF-8`; nil if there is none.
  package static func country(ofLocale name: String) -> String? {
    (try? CatalogLocale(of: CatalogQuery(.people, language: name)))?.region?.lowercased()
  }

  /// The language with its region, if it has one, such as `de-DE` (RFC 5646).
  package var tag: String? { language.map { language in region.map { "\(language)-\($0)" } ?? language } }

  private static func malformed(_ name: Substring) -> Failure {
    Failure(.invalidParams, "“\(name)” is not a language; a language is a code such as “de” or “de-DE”")
  }

  private static func letters(_ text: Substring, _ count: ClosedRange<Int>) -> String? {
    let isWord = text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    return isWord && count.contains(text.utf8.count) ? text.lowercased() : nil
  }
}
