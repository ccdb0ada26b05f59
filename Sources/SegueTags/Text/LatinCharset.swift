/// The charset of texts that are mostly ASCII: Western European, Central European, Turkish or Baltic. In most of these
/// texts every byte is a letter in every charset, so that the language of the user decides. In some of them a charset
/// is wrong wherever the user is: it has symbols within words.
enum LatinCharset {
  /// The charset that texts labelled as Latin-1 actually have, since no text contains Latin-1's upper control
  /// characters.
  static let western = "windows-1252"

  private static let centralEuropean = ["windows-1250", "ISO-8859-2"]
  private static let turkish = "windows-1254"
  private static let baltic = "windows-1257"

  /// The usual charsets of the user's language and the letters beyond ASCII that it has; nil for languages of Western
  /// Europe and those with other scripts.
  private static let ofLocale: (charsets: [String], letters: Set<Unicode.Scalar>)? =
    ofLanguage(UserLocale.language).map { charsets, alphabet in
      (charsets, Set(alphabet.unicodeScalars.flatMap { [$0] + $0.properties.uppercaseMapping.unicodeScalars }))
    }

  /// Returns the charset of the user's language in which `bytes` have no letters that the language has not; nil if
  /// there is none. A text with many accents might otherwise be taken for one in another script.
  static func certain(_ bytes: [UInt8]) -> String? {
    guard let ofLocale else { return nil }
    return ofLocale.charsets.first { name in
      ICU.decoded(bytes, from: name)?.unicodeScalars.allSatisfy { $0.value < 0x80 || ofLocale.letters.contains($0) }
        ?? false
    }
  }

  /// Whether `name` is one of the charsets that `guess` returns.
  static func contains(_ name: String) -> Bool {
    ([western, turkish, baltic] + centralEuropean).contains(name)
  }

  /// Returns the charset of `samples`.
  static func guess(_ samples: [[UInt8]]) -> String {
    let bytes = Array(samples.joined(separator: [0x0A]))
    if let (charsets, letters) = ofLocale {
      var best: (name: String, score: Double)?
      for name in charsets + [western] {
        guard let text = ICU.decoded(bytes, from: name) else { continue }
        let score = LatinWords(text).score(letters, isWestern: name == western)
        if score > best?.score ?? -.infinity { best = (name, score) }
      }
      return best?.name ?? western
    }
    guard let text = ICU.decoded(bytes, from: western) else { return western }
    let words = LatinWords(text)
    if words.isTurkish { return turkish }
    var best = (name: western, faults: words.faults)
    for name in centralEuropean where best.faults > 0 {
      guard let text = ICU.decoded(bytes, from: name) else { continue }
      let faults = LatinWords(text).faults
      if 2 * faults < best.faults { best = (name, faults) }
    }
    return best.name
  }

  private static func ofLanguage(_ language: String) -> (charsets: [String], alphabet: String)? {
    switch language {
    case "pl": (centralEuropean, "ąćęłńóśźż")
    case "cs": (centralEuropean, "áčďéěíňóřšťúůýž")
    case "sk": (centralEuropean, "áäčďéíĺľňóôŕšťúýž")
    case "hu": (centralEuropean, "áéíóöőúüű")
    case "ro": (centralEuropean, "ăâîşţ")
    case "sl", "hr", "bs", "sr": (centralEuropean, "čćđšž")
    case "sq": (centralEuropean, "çë")
    case "tr", "az": ([turkish], "çğıöşüâîû\u{130}")
    case "lt": ([baltic], "ąčęėįšųūž")
    case "lv": ([baltic], "āčēģīķļņšūž")
    case "et": ([baltic], "äöõüšž")
    default: nil
    }
  }
}

/// The words of a text with characters beyond ASCII. A symbol belongs to the word that surrounds it.
private struct LatinWords {
  private var words: [[Unicode.Scalar]] = []

  init(_ text: String) {
    var word: [Unicode.Scalar] = []
    func isPart(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x80 || scalar.properties.isAlphabetic }
    for scalar in text.unicodeScalars {
      if isPart(scalar) {
        word.append(scalar)
      } else if !word.isEmpty {
        words.append(word)
        word = []
      }
    }
    words.append(word)
    words.removeAll { word in word.allSatisfy { $0.value < 0x80 } }
  }

  /// The number of characters that do not occur where they are: symbols between letters, and capitals after small
  /// letters.
  var faults: Int { words.reduce(0) { sum, word in sum + word.indices.count { Self.isFault(word, $0) } } }

  /// Whether there is the letter thorn where it is not in Icelandic, but ş, which has the same byte in Turkish: at the
  /// end of a word and before most consonants.
  var isTurkish: Bool {
    words.contains { word in
      word.indices.contains { index in
        guard index > 0, word[index] == "\u{FE}" || word[index] == "\u{DE}" else { return false }
        guard index + 1 < word.count else { return true }
        return word[index + 1].value < 0x80 && !"aeiouyrjvAEIOUYRJV".unicodeScalars.contains(word[index + 1])
      }
    }
  }

  /// Returns how plausible the words are in a language with these letters.
  func score(_ letters: Set<Unicode.Scalar>, isWestern: Bool) -> Double {
    var score = 0.0
    for word in words {
      for (index, scalar) in word.enumerated() where scalar.value >= 0x80 {
        if Self.isFault(word, index) {
          score -= 4
        } else if !Self.isLetter(scalar) {
          score -= word.count > 1 ? 1 : 0
        } else if letters.contains(scalar) {
          score += 3
        } else {
          // A foreign word in the language is rather one of Western Europe.
          score += isWestern ? 1.5 : 1
        }
      }
    }
    return score
  }

  private static func isFault(_ word: [Unicode.Scalar], _ index: Int) -> Bool {
    let scalar = word[index]
    guard scalar.value >= 0x80, index > 0 else { return false }
    let before = word[index - 1]
    guard isLetter(scalar) else {
      return index + 1 < word.count && isLetter(before) && isLetter(word[index + 1])
    }
    return scalar.properties.isUppercase && before.properties.isLowercase
  }

  /// Whether a scalar is a letter of a word. The ordinal indicators and the micro sign are symbols here.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter: scalar != "\u{B5}"
    default: false
    }
  }
}
