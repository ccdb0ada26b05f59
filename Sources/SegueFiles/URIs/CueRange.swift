public import SegueSystem

/// A range of a file that is a track of a cue sheet. It is measured in CD frames (75 per second), as in cue sheets: the
/// end of a track and the start of the next are the same number, so they become the same sample.
public struct CueRange: Hashable, Sendable {
  /// The start in CD frames from the start of the file.
  public var start: Int64
  /// The end in CD frames from the start of the file; nil for the last track, which ends at the end of the file.
  public var end: Int64?

  public init(start: Int64, end: Int64?) {
    self.start = start
    self.end = end
  }

  static let framesPerSecond: Int64 = 75
  /// The maximum position that is read, which corresponds to `MediaTime.maximum` and does not overflow.
  static let maximumPosition = MediaTime.maximum.nanoseconds / 1_000_000_000 * framesPerSecond

  /// The start, rounded to nanoseconds. `SampleRate.frames(in:)` converts it to the exact sample.
  public var startTime: MediaTime { Self.time(start) }
  public var endTime: MediaTime? { end.map(Self.time) }
  public var duration: MediaTime? { end.map { Self.time($0 - start) } }

  private static func time(_ frames: Int64) -> MediaTime {
    let (whole, rest) = frames.quotientAndRemainder(dividingBy: framesPerSecond)
    return MediaTime(nanoseconds: whole * 1_000_000_000 + (rest * 1_000_000_000 + 37) / framesPerSecond)
  }
}

extension CueRange {
  /// The range as the fragment of a URI: `#t=START,END` in seconds, as in W3C Media Fragments (4.2.1, npt). It has six
  /// decimal places, so that reading it gives the same CD frames.
  var fragment: String { "#t=\(Self.seconds(start))" + (end.map { ",\(Self.seconds($0))" } ?? "") }

  /// Reads the range from the fragment of `uri`. Returns nil if there is none or it is invalid, in which case the
  /// specification ignores it.
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

  /// Reads a time as `S`, `M:S` or `H:M:S`, with fractions of a second, and rounds it to CD frames.
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
    return frames <= maximumPosition ? frames : nil
  }

  /// Reads a number of at most nine digits, which is more than thirty years in seconds.
  private static func digits(_ text: Substring) -> Int64? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }
}
