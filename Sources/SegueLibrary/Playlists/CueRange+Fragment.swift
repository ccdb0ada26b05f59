extension CueRange {
  /// `#t=START,END` in seconds, as W3C Media Fragments (4.2.1, npt) has it. Six digits after the point tell CD frames
  /// apart (they are 13 ms long), so that reading it again gives the same range.
  var fragment: String { "#t=\(Self.seconds(start))" + (end.map { ",\(Self.seconds($0))" } ?? "") }

  /// nil if `uri` has no such fragment, or one that makes no sense, which by the specification counts as none.
  init?(fragmentOf uri: String) {
    guard let hash = uri.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    let fields = uri[uri.utf8.index(after: hash)...].split(separator: "&")
    guard var value = fields.last(where: { $0.hasPrefix("t=") })?.dropFirst(2) else { return nil }
    if value.hasPrefix("npt:") { value = value.dropFirst(4) }
    let ends = value.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = ends.first, !value.isEmpty else { return nil }
    var start: Int64 = 0
    if !first.isEmpty {
      guard let frames = Self.frames(first) else { return nil }
      start = frames
    }
    var end: Int64?
    if ends.count > 1 {
      guard let frames = Self.frames(ends[1]), frames > start else { return nil }
      end = frames
    }
    self.init(start: start, end: end)
  }

  private static func seconds(_ frames: Int64) -> String {
    let (whole, rest) = frames.quotientAndRemainder(dividingBy: framesPerSecond)
    guard rest > 0 else { return "\(whole)" }
    var digits = String((rest * 1_000_000 + 37) / framesPerSecond)
    digits = String(repeating: "0", count: 6 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits)"
  }

  /// `S`, `M:S` or `H:M:S`, the seconds with a fraction; to the nearest CD frame.
  private static func frames(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 3, let last = parts.last else { return nil }
    var seconds: Int64 = 0
    for part in parts.dropLast() {
      guard let value = digits(part) else { return nil }
      seconds = seconds * 60 + value
    }
    let halves = last.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = digits(halves[0]) else { return nil }
    seconds = seconds * (parts.count > 1 ? 60 : 1) + whole
    var micros: Int64 = 0
    if halves.count > 1 {
      guard halves[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      let six = halves[1].prefix(6)
      micros = Int64(six + String(repeating: "0", count: 6 - six.count)) ?? 0
    }
    let frames = seconds * framesPerSecond + (micros * framesPerSecond + 500_000) / 1_000_000
    return frames <= longest ? frames : nil
  }

  /// At most nine digits: more than thirty years.
  private static func digits(_ text: Substring) -> Int64? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }
}
