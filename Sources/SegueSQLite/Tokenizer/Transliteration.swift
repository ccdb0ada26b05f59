/// The transliteration of Cyrillic words to Latin letters, and phonetic keys (in ASCII) that are equal for different
/// spellings of a word.
enum Transliteration {
  /// Returns the phonetic keys of a folded word, or none if it is not in ASCII. There are several if a letter can be
  /// read in several ways.
  static func phoneticKeys(ofLatin word: some Collection<UInt8>) -> [[UInt8]] {
    guard word.allSatisfy({ $0 < 0x80 }) else { return [] }
    var keys: [[UInt8]] = []
    for system in LatinSystem.allCases {
      let key = phoneticKey(of: Array(word), system)
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  /// Returns the phonetic keys of a Cyrillic word in lower case, or none if a letter is unknown. There are two if the
  /// word contains ё, which may be written as е.
  static func phoneticKeys(ofCyrillic word: [UInt32]) -> [[UInt8]] {
    guard let latin = spell(word, .popular, yo: "io") else { return [] }
    let key = phoneticKey(of: latin, .slavic)
    guard word.contains(0x451), let plain = spell(word, .popular, yo: "e") else { return [key] }
    return [key, phoneticKey(of: plain, .slavic)]
  }

  /// Returns the likely Latin spellings of a Cyrillic word in lower case, or none if a letter is unknown.
  static func spellings(ofCyrillic word: [UInt32]) -> [[UInt8]] {
    var spellings: [[UInt8]] = []
    for system in CyrillicSystem.allCases {
      guard let spelling = spell(word, system, yo: system.yo) else { return [] }
      if !spellings.contains(spelling) { spellings.append(spelling) }
    }
    return spellings
  }

  static func isCyrillic(_ scalar: UInt32) -> Bool { (0x400..<0x530).contains(scalar) }

  /// A way to read those Latin letters that can be read in several ways.
  private enum LatinSystem: CaseIterable {
    /// Reads c as ц and x as х.
    case slavic
    /// Reads c as к and x as кс.
    case english
  }

  private static func phoneticKey(of word: [UInt8], _ system: LatinSystem) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(word.count + 4)
    var rest = word[...]
    while let letter = rest.first {
      if let digraph = digraphs.first(where: { rest.starts(with: $0.spelling) }) {
        key += digraph.key
        rest = rest.dropFirst(digraph.spelling.count)
        continue
      }
      rest = rest.dropFirst()
      switch letter {
      case UInt8(ascii: "y"), UInt8(ascii: "j"): key.append(UInt8(ascii: "i"))
      case UInt8(ascii: "w"): key.append(UInt8(ascii: "v"))
      case UInt8(ascii: "q"): key.append(UInt8(ascii: "k"))
      case UInt8(ascii: "c"): key += system == .slavic ? Array("ts".utf8) : [UInt8(ascii: "k")]
      case UInt8(ascii: "x"): key += system == .slavic ? [UInt8(ascii: "h")] : Array("ks".utf8)
      default: key.append(letter)
      }
    }
    return joiningVowels(key)
  }

  /// The keys of combinations of letters, the longest first.
  private static let digraphs: [(spelling: [UInt8], key: [UInt8])] = [
    ("shch", "shch"), ("sch", "shch"), ("sh", "sh"), ("ch", "ch"), ("ck", "k"), ("kh", "h"), ("tz", "ts"), ("ph", "f"),
    ("dj", "dzh"),
  ].map { (Array($0.utf8), Array($1.utf8)) }

  /// Returns a key with `i` for `ii` and `e` for `ie`. These are the most frequent differences between spellings.
  private static func joiningVowels(_ key: [UInt8]) -> [UInt8] {
    var joined: [UInt8] = []
    for letter in key {
      if joined.last == UInt8(ascii: "i") {
        if letter == UInt8(ascii: "i") { continue }
        if letter == UInt8(ascii: "e") { joined.removeLast() }
      }
      joined.append(letter)
    }
    return joined
  }

  /// A system for writing Cyrillic in Latin letters.
  private enum CyrillicSystem: CaseIterable {
    /// The popular spelling: Yulya, Tsoy, Khor.
    case popular
    /// The spelling in passports: Iuliia, Tsoi, Khor.
    case passport
    /// The scholarly spelling, as in ISO/R 9: Julja, Coj, Hor.
    case scholarly
    /// A simple spelling: Yulia, Tsoi, Hor.
    case plain
    /// The spelling of western names: Victoria, Alex.
    case western

    var yo: StaticString {
      switch self {
      case .popular: "yo"
      case .scholarly: "jo"
      case .passport, .plain, .western: "e"
      }
    }

    /// The spellings of й, х, ц, ю and я.
    var letters: (StaticString, StaticString, StaticString, StaticString, StaticString) {
      switch self {
      case .popular: ("y", "kh", "ts", "yu", "ya")
      case .passport: ("i", "kh", "ts", "iu", "ia")
      case .scholarly: ("j", "h", "c", "ju", "ja")
      case .plain: ("i", "h", "ts", "yu", "ia")
      case .western: ("y", "h", "ts", "yu", "a")
      }
    }
  }

  private static func spell(_ word: [UInt32], _ system: CyrillicSystem, yo: StaticString) -> [UInt8]? {
    var spelling: [UInt8] = []
    let special = system.letters
    for (index, letter) in word.enumerated() {
      let text: StaticString
      switch letter {
      case 0x430...0x44F: text = plainLetters[Int(letter - 0x430)]
      case 0x451: text = yo
      case 0x454: text = "ie"
      case 0x456, 0x457, 0x458: text = "i"
      case 0x45E: text = "u"
      case 0x491, 0x453: text = "g"
      case 0x452: text = "dj"
      case 0x459: text = "lj"
      case 0x45A: text = "nj"
      case 0x45B: text = "c"
      case 0x45C: text = "k"
      case 0x45F: text = "dzh"
      default: return nil
      }
      let chosen: StaticString =
        switch letter {
        case 0x439: special.0
        case 0x445: special.1
        case 0x446: special.2
        case 0x44E: special.3
        case 0x44F: system == .western && (index == 0 || word[index - 1] != 0x438) ? "ya" : special.4
        case 0x43A where system == .western:
          // кс becomes x. Any other к becomes c.
          index + 1 < word.count && word[index + 1] == 0x441 ? "x" : "c"
        case 0x441 where system == .western && index > 0 && word[index - 1] == 0x43A: ""
        default: text
        }
      chosen.withUTF8Buffer { spelling.append(contentsOf: $0) }
    }
    return spelling
  }

  /// The spellings of the letters from а to я.
  private static let plainLetters: [StaticString] = [
    "a", "b", "v", "g", "d", "e", "zh", "z", "i", "y", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u", "f", "kh",
    "ts",
    "ch", "sh", "shch", "", "y", "", "e", "yu", "ya",
  ]
}
