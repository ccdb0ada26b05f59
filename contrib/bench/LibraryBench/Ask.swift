internal import Glibc
internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// Asks a library of many tracks for many things, and prints how long each took: on the clock, and of the processor.
struct Ask {
  let store: LibraryStore
  /// Of what begins so only.
  let only: String
  private var words = Words(seed: 2)

  init(store: LibraryStore, only: String = "") {
    self.store = store
    self.only = only
  }

  private static let rounds = 100

  mutating func run() {
    print(
      "| what | found | p50 ms | p99 ms | max ms | CPU p50 | CPU p99 | CPU max |\n|---|---|---|---|---|---|---|---|")
    let letters = Array("abcdefghijklmnopqrstuvwxyz").map(String.init)
    let common = ["the", "love", "night", "remix", "remastered", "dream", "you", "day"]
    measure("one letter") { _, n in letters[n % letters.count] }
    measure("two letters") { words, _ in String(words.text(.latin, 1..<2).prefix(2)) }
    measure("three letters") { words, _ in String(words.text(.latin, 1..<2).prefix(3)) }
    measure("a common word") { _, n in common[n % common.count] }
    measure("a common word, unfinished") { _, n in String(common[n % common.count].dropLast()) }
    measure("any word") { words, _ in words.text(.latin, 1..<2) }
    measure("two words") { words, _ in words.text(.latin, 2..<3) }
    measure("two common words") { _, n in common[n % 8] + " " + common[(n / 8 + n + 1) % 8] }
    measure("a common word and a letter") { _, n in common[n % 8] + " " + letters[n % 26] }
    measure("five words") { words, _ in words.text(.latin, 5..<6) }
    measure("a mistyped word") { words, _ in
      var word = words.text(.latin, 1..<2) + words.text(.latin, 1..<2)
      word.insert("q", at: word.index(word.startIndex, offsetBy: word.count / 2))
      return word
    }
    measure("a mistyped common word") { _, n in ["remasterd", "nihgt", "draem", "remaxtered", "vresion"][n % 5] }
    measure("a Cyrillic word") { words, _ in words.text(.cyrillic, 1..<2) }
    measure("a Cyrillic letter") { words, _ in String(words.text(.cyrillic, 1..<2).prefix(1)) }
    measure("Cyrillic in Latin letters") { _, n in
      ["kino", "lubov", "pesnya", "zvezda", "vesna", "gruppa krovi"][n % 6]
    }
    measure("Latin in Cyrillic letters") { _, n in ["дрим", "найт", "лове", "раин", "стар"][n % 5] }
    measure("Chinese, Japanese") { words, _ in words.text(.han, 1..<2) }
    measure("a field") { _, n in "artist:" + common[n % 8] }
    measure("composer") { _, n in "composer:" + common[n % 8] }
    measure("conductor and work") { _, n in "conductor:" + common[n % 8] + " work:" + common[(n + 3) % 8] }
    measure("two fields") { _, n in "artist:" + common[n % 8] + " title:" + common[(n + 3) % 8] }
    measure("a year") { words, _ in "year:\(words.number(1960..<2026))" }
    measure("a year as a word") { words, _ in "\(words.number(1960..<2026))" }
    measure("a common word and a year as a word") { words, n in "\(common[n % 8]) \(words.number(1960..<2026))" }
    measure("years") { words, _ in
      "\(common[words.number(0..<8)]) year:\(words.number(1960..<1990))..\(words.number(1990..<2026))"
    }
    measure("a word, genre, format") { _, n in "\(common[n % 8]) genre:jazz format:flac" }
    measure("genre and years") { _, n in "genre:jazz year:1990..1999" }
    measure("added lately") { _, n in common[n % 8] + " added:30d" }
    measure("favorites") { _, n in ["is:favorite", "is:favorite \(letters[n % 26])"][n % 2] }
    measure("a word less another") { _, n in "\(common[n % 8]) -\(common[(n + 1) % 8])" }
    measure("a phrase") { _, n in "\"\(common[n % 8]) \(common[(n + 3) % 8])\"" }
    measure("a deep page", PageRequest(offset: 2500, limit: 50)) { _, n in letters[n % 26] }
    measure("the last page", PageRequest(offset: 4950, limit: 50)) { _, n in common[n % 8] }
    measure("albums, one letter", kind: .album) { _, n in letters[n % 26] }
    measure("albums, any word", kind: .album) { words, _ in words.text(.latin, 1..<2) }
    measure("albums, composer", kind: .album) { _, n in "composer:" + common[n % 8] }
    measure("artists, one letter", kind: .artist) { _, n in letters[n % 26] }
    measure("artists, any word", kind: .artist) { words, _ in words.text(.latin, 1..<2) }
    measure("suggest, one letter", kind: nil) { _, n in letters[n % 26] }
    measure("suggest, two letters", kind: nil) { words, _ in String(words.text(.latin, 1..<2).prefix(2)) }
    measure("suggest, three letters", kind: nil) { words, _ in String(words.text(.latin, 1..<2).prefix(3)) }
    measure("suggest, a common word", kind: nil) { _, n in common[n % 8] }
    measure("suggest, any word", kind: nil) { words, _ in words.text(.latin, 1..<2) }
    measure("suggest, Cyrillic", kind: nil) { words, _ in String(words.text(.cyrillic, 1..<2).prefix(3)) }
    printMemory()
  }

  /// `kind`: nil for suggestions.
  private mutating func measure(
    _ name: String, _ page: PageRequest = PageRequest(limit: 50), kind: LibraryKind? = .track,
    _ query: (inout Words, Int) -> String
  ) {
    guard name.hasPrefix(only) else { return }
    var times: [(clock: Double, processor: Double)] = []
    var found = 0
    for round in 0..<Self.rounds {
      let query = query(&words, round)
      let (clock, processor) = (Self.now(CLOCK_MONOTONIC), Self.now(CLOCK_PROCESS_CPUTIME_ID))
      found += wait {
        store.read(
          { reader throws(StoreError) in
            guard let kind else { return try reader.suggest(query, limit: 10).count }
            return try reader.search(query, kind, page).total
          }, $0)
      }
      times.append((Self.now(CLOCK_MONOTONIC) - clock, Self.now(CLOCK_PROCESS_CPUTIME_ID) - processor))
    }
    let clocks = Self.places(times.map(\.clock))
    let processors = Self.places(times.map(\.processor))
    print("| \(name) | \(found / Self.rounds) | \(clocks) | \(processors) |")
  }

  /// The median, the 99th percentile, the most.
  static func places(_ times: [Double]) -> String {
    let times = times.sorted()
    return [times.count / 2, times.count * 99 / 100 - 1, times.count - 1].map { index in
      let hundredths = Int(times[index] * 100)
      return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
    }.joined(separator: " | ")
  }

  /// Milliseconds.
  static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }

  private func printMemory() {
    guard let file = fopen("/proc/self/smaps_rollup", "r") else { return }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if text.hasPrefix("Private_Dirty") || text.hasPrefix("Rss") { print(text) }
    }
  }
}
