public import SegueSystem
public import SegueWire

/// The lyrics in a file or tag: plain text, or LRC with the times at which lines are sung.
public struct LyricsText: Equatable, Sendable {
  /// The text without the times and tags of LRC.
  public private(set) var text: String
  /// The lines in the order of their times; nil if no line has a time.
  public private(set) var lines: [Lyrics.Line]?

  /// Reads lyrics. In LRC, a line begins with its time, `[mm:ss.cc]`, or with several if it is repeated. The offset in
  /// `[offset:ms]` is subtracted from all times. Other tags, such as `[ar:…]`, and the times of words, `<mm:ss.cc>`,
  /// are skipped. Lyrics without times are plain text, including any brackets.
  public init(_ raw: String) {
    var timed: [(line: Lyrics.Line, place: Int)] = []
    var offset = MediaTime.zero
    var size = 0
    for line in raw.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      var rest = line.drop { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
      var times: [MediaTime] = []
      while let (mark, after) = Self.mark(rest, "[", "]") {
        if let time = Self.time(mark) {
          times.append(time)
        } else if times.isEmpty, let (name, value) = Self.tag(mark) {
          // A positive offset makes the lines earlier.
          if name == "offset", let milliseconds = Int64(value), (-3_600_000...3_600_000).contains(milliseconds) {
            offset = MediaTime(nanoseconds: milliseconds * 1_000_000)
          }
        } else {
          break
        }
        rest = after
      }
      let words = Self.withoutMarks(rest)
      for time in times where size <= Self.maximumSize {
        timed.append((Lyrics.Line(time: time, text: words), timed.count))
        size += words.utf8.count
      }
    }
    guard !timed.isEmpty else {
      text = raw.trimmingNewlines
      return
    }
    timed.sort { ($0.line.time, $0.place) < ($1.line.time, $1.place) }
    let sung = timed.map { timed in
      Lyrics.Line(time: (timed.line.time - offset).clamped(to: .zero ... .maximum), text: timed.line.text)
    }
    lines = sung
    text = sung.map(\.text).joined(separator: "\n").trimmingNewlines
  }

  /// The maximum size of the text in bytes. It is limited because a refrain is written once and may be repeated any
  /// number of times.
  static let maximumSize = 256 * 1024
  /// The maximum length of the time of a word with its brackets.
  private static let maximumMarkLength = 20

  /// Returns the text between `opening` and `closing` at the start of `text`, and the text after it.
  private static func mark(
    _ text: Substring, _ opening: Character, _ closing: Character
  ) -> (Substring, Substring)? {
    guard text.first == opening, let end = text.firstIndex(of: closing) else { return nil }
    return (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
  }

  /// Reads a time as `mm:ss`, `mm:ss.c`, `mm:ss.cc`, `mm:ss.ccc`, `mm:ss:cc`, `hh:mm:ss.cc`.
  private static func time(_ mark: Substring) -> MediaTime? {
    let parts = mark.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let minutes = number(parts[0], maximumDigits: 5) else { return nil }
    if parts.count == 3, !parts[2].contains("."), parts[2].count == 2, let seconds = number(parts[1], maximumDigits: 2),
      let hundredths = number(parts[2], maximumDigits: 2)
    {
      return MediaTime(nanoseconds: (minutes * 60 + seconds) * 1_000_000_000 + hundredths * 10_000_000)
    }
    guard let last = parts.last, let seconds = decimal(last) else { return nil }
    if parts.count == 3 {
      guard let middle = number(parts[1], maximumDigits: 2) else { return nil }
      return MediaTime(nanoseconds: (minutes * 3_600 + middle * 60) * 1_000_000_000 + seconds)
    }
    return MediaTime(nanoseconds: minutes * 60_000_000_000 + seconds)
  }

  private static func number(_ text: Substring, maximumDigits: Int) -> Int64? {
    guard (1...maximumDigits).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int64(text)
  }

  /// Reads seconds as `ss` or `ss.c…`, and returns nanoseconds.
  private static func decimal(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = number(parts[0], maximumDigits: 2) else { return nil }
    guard parts.count == 2 else { return whole * 1_000_000_000 }
    guard let fraction = number(parts[1], maximumDigits: 9) else { return nil }
    let scale = (0..<(9 - parts[1].utf8.count)).reduce(Int64(1)) { scale, _ in scale * 10 }
    return whole * 1_000_000_000 + fraction * scale
  }

  /// Reads a tag such as `ar:Kino`.
  private static func tag(_ mark: Substring) -> (name: String, value: Substring)? {
    guard let colon = mark.firstIndex(of: ":") else { return nil }
    let name = mark[..<colon]
    guard (1...16).contains(name.utf8.count), name.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "#") }) else {
      return nil
    }
    return (name.lowercased(), mark[mark.index(after: colon)...].drop { $0 == " " || $0 == "+" })
  }

  /// Returns a line without the times of its words.
  private static func withoutMarks(_ line: Substring) -> String {
    var words = ""
    var rest = line
    while let start = rest.firstIndex(of: "<") {
      words += rest[..<start]
      if let (mark, _) = mark(rest[start...].prefix(maximumMarkLength), "<", ">"), time(mark) != nil {
        rest = rest[mark.endIndex...].dropFirst()
      } else {
        words += "<"
        rest = rest[rest.index(after: start)...]
      }
    }
    words += rest
    let trimmed = words.drop { $0 == " " }
    return String(
      trimmed.prefix(upTo: trimmed.lastIndex { $0 != " " }.map(trimmed.index(after:)) ?? trimmed.startIndex))
  }
}

extension String {
  fileprivate var trimmingNewlines: String {
    var rest = self[...]
    while let first = rest.first, first.isNewline { rest = rest.dropFirst() }
    while let last = rest.last, last.isNewline || last == " " { rest = rest.dropLast() }
    return String(rest)
  }
}

extension FilePath {
  /// The paths of the lyrics files of the track at this path, which need not exist.
  public var lyricsFiles: [FilePath] {
    let name = lastComponent
    let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name
    return [".lrc", ".LRC"].map { parent.appending(stem + Array($0.utf8)) }
  }
}
