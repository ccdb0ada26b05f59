internal import SegueSystem
public import SegueWire

/// Lyrics as a file or a tag has them: plain, or in the manner of LRC, with the times at which lines are sung.
public struct LyricsText: Equatable, Sendable {
  /// Without times and tags of LRC.
  public private(set) var text: String
  /// In order of time; nil if no line has one.
  public private(set) var lines: [Lyrics.Line]?

  /// `[mm:ss.cc]` before a line, several for one that comes again; `[offset:ms]` brings all of them forward; `[ar:…]`
  /// and the like are passed over; `<mm:ss.cc>` within a line too. What has no time at all is plain text, brackets and
  /// all.
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
          // Positive: earlier.
          if name == "offset", let milliseconds = Int64(value), (-3_600_000...3_600_000).contains(milliseconds) {
            offset = MediaTime(nanoseconds: milliseconds * 1_000_000)
          }
        } else {
          break
        }
        rest = after
      }
      let words = Self.withoutMarks(rest)
      for time in times where size <= Self.longest {
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

  /// A refrain is written once and sung often; but of a song no more than so many bytes, all in all.
  static let longest = 256 * 1024
  /// Of the time of a word, with what is around it.
  private static let longestMark = 20

  /// What stands between `opening` and `closing` at the front of `text`, and what follows.
  private static func mark(
    _ text: Substring, _ opening: Character, _ closing: Character
  ) -> (Substring, Substring)? {
    guard text.first == opening, let end = text.firstIndex(of: closing) else { return nil }
    return (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
  }

  /// `mm:ss`, `mm:ss.c`, `mm:ss.cc`, `mm:ss.ccc`, `mm:ss:cc`, `hh:mm:ss.cc`.
  private static func time(_ mark: Substring) -> MediaTime? {
    let parts = mark.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let minutes = number(parts[0], most: 5) else { return nil }
    if parts.count == 3, !parts[2].contains("."), parts[2].count == 2, let seconds = number(parts[1], most: 2),
      let hundredths = number(parts[2], most: 2)
    {
      return MediaTime(nanoseconds: (minutes * 60 + seconds) * 1_000_000_000 + hundredths * 10_000_000)
    }
    guard let last = parts.last, let seconds = decimal(last) else { return nil }
    if parts.count == 3 {
      guard let middle = number(parts[1], most: 2) else { return nil }
      return MediaTime(nanoseconds: (minutes * 3_600 + middle * 60) * 1_000_000_000 + seconds)
    }
    return MediaTime(nanoseconds: minutes * 60_000_000_000 + seconds)
  }

  private static func number(_ text: Substring, most digits: Int) -> Int64? {
    guard (1...digits).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int64(text)
  }

  /// `ss`, `ss.c…`, in nanoseconds.
  private static func decimal(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = number(parts[0], most: 2) else { return nil }
    guard parts.count == 2 else { return whole * 1_000_000_000 }
    guard let fraction = number(parts[1], most: 9) else { return nil }
    let scale = (0..<(9 - parts[1].utf8.count)).reduce(Int64(1)) { scale, _ in scale * 10 }
    return whole * 1_000_000_000 + fraction * scale
  }

  /// `ar:Kino`
  private static func tag(_ mark: Substring) -> (name: String, value: Substring)? {
    guard let colon = mark.firstIndex(of: ":") else { return nil }
    let name = mark[..<colon]
    guard (1...16).contains(name.utf8.count), name.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "#") }) else {
      return nil
    }
    return (name.lowercased(), mark[mark.index(after: colon)...].drop { $0 == " " || $0 == "+" })
  }

  /// The line without the times of its words.
  private static func withoutMarks(_ line: Substring) -> String {
    var words = ""
    var rest = line
    while let start = rest.firstIndex(of: "<") {
      words += rest[..<start]
      if let (mark, _) = mark(rest[start...].prefix(longestMark), "<", ">"), time(mark) != nil {
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
