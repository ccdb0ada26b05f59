/// How Cyrillic words are spelled in Latin letters, and the form in which the spellings meet: its *sound*, in ASCII.
enum Transliteration {
  /// The sounds of a Latin word, if it is one: several where a letter stands for several. `word`: folded.
  static func sounds(ofLatin word: some Collection<UInt8>) -> [[UInt8]] {
    guard word.allSatisfy({ $0 < 0x80 }) else { return [] }
    var sounds: [[UInt8]] = []
    for system in LatinSystem.allCases {
      let sound = sound(of: Array(word), system)
      if !sounds.contains(sound) { sounds.append(sound) }
    }
    return sounds
  }

  /// The sounds of a Cyrillic word in lower case: two if it has ё, which may be written as е. None if a letter is
  /// unknown.
  static func sounds(ofCyrillic word: [UInt32]) -> [[UInt8]] {
    guard let latin = spell(word, .popular, yo: "io") else { return [] }
    let sound = sound(of: latin, .first)
    guard word.contains(0x451), let plain = spell(word, .popular, yo: "e") else { return [sound] }
    return [sound, Self.sound(of: plain, .first)]
  }

  /// How a Cyrillic word in lower case is likely to be written in Latin letters. None if a letter is unknown.
  static func spellings(ofCyrillic word: [UInt32]) -> [[UInt8]] {
    var spellings: [[UInt8]] = []
    for system in CyrillicSystem.allCases {
      guard let spelling = spell(word, system, yo: system.yo) else { return [] }
      if !spellings.contains(spelling) { spellings.append(spelling) }
    }
    return spellings
  }

  static func isCyrillic(_ scalar: UInt32) -> Bool { (0x400..<0x530).contains(scalar) }

  /// How Latin letters with several meanings are read.
  private enum LatinSystem: CaseIterable {
    /// c as ц, x as х
    case first
    /// c as к, x as кс
    case second
  }

  private static func sound(of word: [UInt8], _ system: LatinSystem) -> [UInt8] {
    var sound: [UInt8] = []
    sound.reserveCapacity(word.count + 4)
    var rest = word[...]
    while let letter = rest.first {
      if let digraph = digraphs.first(where: { rest.starts(with: $0.spelling) }) {
        sound += digraph.sound
        rest = rest.dropFirst(digraph.spelling.count)
        continue
      }
      rest = rest.dropFirst()
      switch letter {
      case UInt8(ascii: "y"), UInt8(ascii: "j"): sound.append(UInt8(ascii: "i"))
      case UInt8(ascii: "w"): sound.append(UInt8(ascii: "v"))
      case UInt8(ascii: "q"): sound.append(UInt8(ascii: "k"))
      case UInt8(ascii: "c"): sound += system == .first ? Array("ts".utf8) : [UInt8(ascii: "k")]
      case UInt8(ascii: "x"): sound += system == .first ? [UInt8(ascii: "h")] : Array("ks".utf8)
      default: sound.append(letter)
      }
    }
    return joiningVowels(sound)
  }

  /// What two or more letters stand for, the longest first.
  private static let digraphs: [(spelling: [UInt8], sound: [UInt8])] = [
    ("shch", "shch"), ("sch", "shch"), ("sh", "sh"), ("ch", "ch"), ("ck", "k"), ("kh", "h"), ("tz", "ts"), ("ph", "f"),
    ("dj", "dzh"),
  ].map { (Array($0.utf8), Array($1.utf8)) }

  /// `ii` as `i`, `ie` as `e`: here the spellings differ most.
  private static func joiningVowels(_ sound: [UInt8]) -> [UInt8] {
    var joined: [UInt8] = []
    for letter in sound {
      if joined.last == UInt8(ascii: "i") {
        if letter == UInt8(ascii: "i") { continue }
        if letter == UInt8(ascii: "e") { joined.removeLast() }
      }
      joined.append(letter)
    }
    return joined
  }

  /// How people write Cyrillic in Latin letters.
  private enum CyrillicSystem: CaseIterable {
    /// Yulya, Tsoy, Khor
    case popular
    /// Iuliia, Tsoi, Khor: as in passports.
    case passport
    /// Julja, Coj, Hor
    case german
    /// Yulia, Tsoi, Hor
    case plain
    /// Viktoria as Victoria, Alex
    case western

    var yo: StaticString {
      switch self {
      case .popular: "yo"
      case .german: "jo"
      case .passport, .plain, .western: "e"
      }
    }

    /// й, х, ц, ю, я
    var letters: (StaticString, StaticString, StaticString, StaticString, StaticString) {
      switch self {
      case .popular: ("y", "kh", "ts", "yu", "ya")
      case .passport: ("i", "kh", "ts", "iu", "ia")
      case .german: ("j", "h", "c", "ju", "ja")
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
          // кс as x, other к as c.
          index + 1 < word.count && word[index + 1] == 0x441 ? "x" : "c"
        case 0x441 where system == .western && index > 0 && word[index - 1] == 0x43A: ""
        default: text
        }
      chosen.withUTF8Buffer { spelling.append(contentsOf: $0) }
    }
    return spelling
  }

  /// From а to я.
  private static let plainLetters: [StaticString] = [
    "a", "b", "v", "g", "d", "e", "zh", "z", "i", "y", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u", "f", "kh",
    "ts",
    "ch", "sh", "shch", "", "y", "", "e", "yu", "ya",
  ]
}
