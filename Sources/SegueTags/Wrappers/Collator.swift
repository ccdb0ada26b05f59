// Thread: the decoding thread.
internal import CICU
internal import SegueWorkerProtocol

/// A generator of sort keys by ICU's rules for the user's locale. ICU's data is part of a library that is loaded at
/// start-up.
package final class Collator {
  private let collator: OpaquePointer?
  /// The keys that were created last. Artist and album are usually those of the previous file.
  private var cache: [(text: String, keepsArticle: Bool, key: [UInt8])] = []
  private var next = 0

  init() { collator = segue_ucol_open(UserLocale.name) }

  deinit { segue_ucol_close(collator) }

  /// The name of the order, which changes with the locale and with ICU's version.
  package var name: String {
    guard let collator else { return "bytes" }
    return "\(String(cString: segue_ucol_locale(collator))) \(segue_ucol_version(collator))"
  }

  /// Returns the key of `text`. The leading article is ignored unless `keepsArticle` is true. The key of an empty text
  /// is empty.
  package func key(_ text: String?, keepsArticle: Bool = false) -> [UInt8] {
    guard let text, !text.isEmpty else { return [] }
    if let known = cache.first(where: { $0.keepsArticle == keepsArticle && $0.text == text }) { return known.key }
    let key = make(keepsArticle ? text[...] : LeadingArticle.dropped(from: text))
    if cache.count < Self.cacheSize {
      cache.append((text, keepsArticle, key))
    } else {
      cache[next] = (text, keepsArticle, key)
      next = (next + 1) % Self.cacheSize
    }
    return key
  }

  private static let cacheSize = 8

  private func make(_ text: Substring) -> [UInt8] {
    guard let collator else { return Array(text.utf8.prefix(SortKeys.maximumKeySize)) }
    return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Self.maximumUnits) { units in
      var count = 0
      for unit in text.utf16.prefix(Self.maximumUnits) {
        units[count] = unit
        count += 1
      }
      return [UInt8](unsafeUninitializedCapacity: SortKeys.maximumKeySize) { key, size in
        let needed = segue_ucol_key(collator, units.baseAddress, Int32(count), key.baseAddress, Int32(key.count))
        // ICU ends a key with a zero, which is not needed.
        size = min(max(0, Int(needed) - 1), key.count)
      }
    }
  }

  /// The maximum number of UTF-16 units. Later ones hardly affect the key.
  private static let maximumUnits = 256
}

/// The articles that are ignored at the beginning of names when names are sorted.
private enum LeadingArticle {
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

  /// The articles of English and of the user's language, in UTF-8.
  private static let ignored: [[UInt8]] = (["the", "a", "an"] + (articles[UserLocale.language] ?? [])).map {
    Array($0.utf8)
  }

  /// Returns `text` without its leading article. If nothing else would remain, returns all of `text`.
  static func dropped(from text: String) -> Substring {
    let bytes = text.utf8
    for article in ignored where bytes.count > article.count + 1 {
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
