// Decoding thread only.
internal import CICU
internal import SegueLink

/// Makes sort keys by ICU's rules for the user's locale. Its data is part of a library that was loaded at the start.
package final class Collator {
  private let collator: OpaquePointer?
  /// Artist and album are those of the file before, mostly.
  private var lately: [(text: String, keepsArticle: Bool, key: [UInt8])] = []
  private var next = 0

  init() { collator = segue_ucol_open(UserLocale.name) }

  deinit { segue_ucol_close(collator) }

  /// Whose order it is.
  package var name: String {
    guard let collator else { return "bytes" }
    return "\(String(cString: segue_ucol_locale(collator))) \(segue_ucol_version(collator))"
  }

  /// The key of `text`, without its leading article unless `keepsArticle`. Empty for an empty text.
  package func key(_ text: String?, keepsArticle: Bool = false) -> [UInt8] {
    guard let text, !text.isEmpty else { return [] }
    if let known = lately.first(where: { $0.keepsArticle == keepsArticle && $0.text == text }) { return known.key }
    let key = make(keepsArticle ? text[...] : LeadingArticle.dropped(from: text))
    if lately.count < Self.mostKnown {
      lately.append((text, keepsArticle, key))
    } else {
      lately[next] = (text, keepsArticle, key)
      next = (next + 1) % Self.mostKnown
    }
    return key
  }

  private static let mostKnown = 8

  private func make(_ text: Substring) -> [UInt8] {
    guard let collator else { return Array(text.utf8.prefix(SortKeys.maximumKeySize)) }
    return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Self.mostUnits) { units in
      var count = 0
      for unit in text.utf16.prefix(Self.mostUnits) {
        units[count] = unit
        count += 1
      }
      return [UInt8](unsafeUninitializedCapacity: SortKeys.maximumKeySize) { key, size in
        let needed = segue_ucol_key(collator, units.baseAddress, Int32(count), key.baseAddress, Int32(key.count))
        // ICU ends a key with a zero, which says nothing where the length is known.
        size = min(max(0, Int(needed) - 1), key.count)
      }
    }
  }

  /// UTF-16; what comes after would hardly get into a key.
  private static let mostUnits = 256
}
