/// Made-up names and titles, the same in every run: few words are common and many are rare, as in languages; a sixth of
/// the artists write Cyrillic, some Chinese or Japanese.
struct Words {
  private var state: UInt64
  private var latin: [String]
  private var cyrillic: [String]
  private var han: [String]

  enum Script { case latin, cyrillic, han }

  init(seed: UInt64) {
    state = seed
    latin = []
    cyrillic = []
    han = []
    var made = Set<String>()
    let common =
      """
      the of love you a in me to my i it and is on for no night be one blue heart time day life don all man what up girl \
      dance with baby good your black down that we world so rain out dream remix live version remastered
      """.split(separator: " ").map(String.init)
    let russian =
      "в на и не ты я любовь мы ночь день дождь город кино песня зима весна солнце звезда по имени группа крови мой твой это сон"
      .split(separator: " ").map(String.init)
    var latin = common
    while latin.count < 60_000 {
      let word = syllables(
        [
          "b", "c", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z", "br", "st", "ch",
          "sh",
        ],
        ["a", "e", "i", "o", "u", "ai", "ea", "oo"], ["", "", "n", "r", "s", "t", "l", "m"])
      if made.insert(word).inserted { latin.append(word) }
    }
    var cyrillic = russian
    while cyrillic.count < 20_000 {
      let word = syllables(
        ["б", "в", "г", "д", "ж", "з", "к", "л", "м", "н", "п", "р", "с", "т", "ф", "х", "ц", "ч", "ш", "ст"],
        ["а", "е", "и", "о", "у", "я", "ё", "ы", "ю"], ["", "", "н", "р", "й", "т", "ль", "м"])
      if made.insert(word).inserted { cyrillic.append(word) }
    }
    let han = (0..<1500).compactMap { Unicode.Scalar(0x4E00 + $0 * 7).map { String(Character($0)) } }
    self.latin = latin
    self.cyrillic = cyrillic
    self.han = han + (0x3042..<0x3094).compactMap { Unicode.Scalar($0).map { String(Character($0)) } }
  }

  mutating func number(_ range: Range<Int>) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return range.lowerBound + Int((mixed ^ mixed >> 31) % UInt64(range.count))
  }

  private mutating func syllables(_ starts: [String], _ vowels: [String], _ ends: [String]) -> String {
    var word = ""
    for _ in 0..<number(1..<5) {
      word += starts[number(0..<starts.count)] + vowels[number(0..<vowels.count)] + ends[number(0..<ends.count)]
    }
    return word
  }

  /// The n-th word is about n times as rare as the first (Zipf), but none is in more than a few percent of all texts.
  private mutating func pick(_ words: [String]) -> String {
    let share = Double(number(0..<1 << 30)) / Double(1 << 30)
    // The inverse of the distribution 1/(n+20).
    var ratio = 1.0
    let most = Double(words.count + 20) / 20
    // most^share, by squares and roots of 32 steps.
    var (base, rest) = (most, share)
    for _ in 0..<32 {
      base = base.squareRoot()
      rest *= 2
      if rest >= 1 {
        ratio *= base
        rest -= 1
      }
    }
    return words[min(words.count - 1, Int(20 * ratio) - 20)]
  }

  mutating func text(_ script: Script, _ length: Range<Int>) -> String {
    let count = number(length)
    switch script {
    case .han: return (0..<count * 2).map { _ in pick(han) }.joined()
    case .latin: return (0..<count).map { _ in pick(latin).capitalized }.joined(separator: " ")
    case .cyrillic: return (0..<count).map { _ in pick(cyrillic).capitalized }.joined(separator: " ")
    }
  }
}

extension String {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
