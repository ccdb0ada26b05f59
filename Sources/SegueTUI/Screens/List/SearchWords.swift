internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode

/// The words of a text that is searched for, without the difference of upper and lower case.
struct SearchWords: Equatable {
  let words: [String]

  init(_ text: String) { words = Self.folded(text).split(separator: " ").map(String.init) }

  /// Returns whether each word occurs in a text.
  func occur(in text: String) -> Bool {
    if words.isEmpty { return true }
    let text = Self.folded(text)
    return words.allSatisfy(text.containsSubstring)
  }

  /// Returns whether each word is the beginning of a word in a text. Both are divided at everything that is neither a
  /// letter nor a digit, such as the apostrophe of `don't`.
  func beginWords(of text: String) -> Bool {
    let text = Self.parts(of: Self.folded(text))
    return words.flatMap(Self.parts).allSatisfy { part in text.contains { $0.hasPrefix(part) } }
  }

  private static func parts(of text: String) -> [Substring] { text.split { !$0.isLetter && !$0.isNumber } }

  /// Returns a text in lower case and in one of the forms that Unicode has for it, with "е" in place of "ё".
  private static func folded(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in UnicodeNormalization.composed(text).lowercased().unicodeScalars {
      result.append(scalar == "ё" ? "е" : scalar)
    }
    return String(result)
  }
}
