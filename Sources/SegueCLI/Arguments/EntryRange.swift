internal import SegueClientKit

/// A range of queue entries, numbered from 1. Both ends are included.
struct EntryRange: Equatable {
  let first: Int
  /// The last entry. It is nil if the range has no upper end.
  let last: Int?

  /// The range of all entries.
  static let all = EntryRange(first: 1, last: nil)

  /// The highest accepted number. It exceeds the length of any queue, and arithmetic with it cannot overflow.
  static let maximum = 1_000_000_000

  private init(first: Int, last: Int?) {
    self.first = first
    self.last = last
  }

  /// The ranges that have no upper end.
  enum Openness {
    case never
    /// `N-`, while `N` is a single entry.
    case withDash
    /// `N` and `N-`.
    case always
  }

  /// Parses `N-M`, or `N` for a single entry unless it has no upper end. Throws a usage error.
  init(parsing text: String, open: Openness = .never) throws(ClientError) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    let example = open == .never ? "5, 5-10" : "5, 5-10, 5-"
    guard (1...2).contains(ends.count), let first = Self.positiveInteger(ends[0]) else {
      throw .usage(tr("invalid entry “%1$s”: use numbers from 1, like %2$s", text, example))
    }
    self.first = first
    if ends.count == 1 {
      last = open == .always ? nil : first
    } else if open != .never, ends[1].isEmpty {
      last = nil
    } else {
      guard let last = Self.positiveInteger(ends[1]) else {
        throw .usage(tr("invalid range “%1$s”: use numbers from 1, like %2$s", text, example))
      }
      guard first <= last else { throw .usage(tr("invalid range “%1$s”: the end is before the start", text)) }
      self.last = last
    }
  }

  /// Parses numbers and ranges that are separated by commas, such as `3,5-7`. A comma at the end is accepted, because
  /// `3, 5` is two arguments. Throws a usage error.
  static func list(parsing text: String, open: Openness = .never) throws(ClientError) -> [EntryRange] {
    let list = text.count > 1 && text.hasSuffix(",") ? text.dropLast() : text[...]
    let parts = list.split(separator: ",", omittingEmptySubsequences: false)
    return try parts.map { part throws(ClientError) in try EntryRange(parsing: String(part), open: open) }
  }

  /// Parses the numbers and ranges of all arguments. Throws a usage error.
  static func list(
    parsing arguments: some Sequence<Argument>, open: Openness = .never
  ) throws(ClientError) -> [EntryRange] {
    var ranges: [EntryRange] = []
    for argument in arguments { ranges += try list(parsing: argument.text, open: open) }
    return ranges
  }

  /// Whether `text` is the number zero.
  static func isZero(_ text: String) -> Bool { isNumber(text) && Int(text) == 0 }

  /// Whether `text` consists of digits. The number may be too large for an `Int`.
  static func isNumber(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  /// Returns the value of a decimal number from 1 to `maximum`, or nil if `text` is not one.
  static func positiveInteger(_ text: some StringProtocol) -> Int? {
    guard isNumber(text), let value = Int(text), (1...maximum).contains(value) else { return nil }
    return value
  }
}
