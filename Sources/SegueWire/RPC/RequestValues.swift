// The values of parameters that are of several types.

internal import SegueSystem

/// A place in the queue: the end, the place after the current track, or an index.
public enum QueuePlace: Equatable, Sendable, JSONEncodable {
  case end
  case next
  /// The index, from 0.
  case index(Int)

  init?(_ json: JSON) {
    switch json.string {
    case "end": self = .end
    case "next": self = .next
    default:
      guard let index = json.int(in: 0...) else { return nil }
      self = .index(index)
    }
  }

  public func encode(into json: inout JSONWriter) {
    switch self {
    case .end: json.string("end")
    case .next: json.string("next")
    case .index(let index): json.integer(index)
    }
  }
}

/// A year, or a range of years such as `1990..1999`, `1990..` or `..1999`.
public struct YearRange: Equatable, Sendable, JSONEncodable {
  /// The years. An unknown year is 0; a range begins at 1 or later, so that it does not include unknown years.
  public let years: ClosedRange<Int>

  /// Parses a year or a range of years. Returns nil if the text is neither.
  public init?(_ text: String) {
    guard let dots = text.range(of: "..") else {
      guard let year = Int(text) else { return nil }
      years = year...year
      return
    }
    let (first, last) = (text[..<dots.lowerBound], text[dots.upperBound...])
    guard let from = first.isEmpty ? 1 : Int(first), let to = last.isEmpty ? 9_999 : Int(last), max(1, from) <= to,
      !(first.isEmpty && last.isEmpty)
    else { return nil }
    years = max(1, from)...to
  }

  public init(_ years: ClosedRange<Int>) { self.years = years }

  init?(_ json: JSON) {
    if let text = json.string {
      self.init(text)
    } else {
      guard let year = json.int(in: 0...9_999) else { return nil }
      self.init(year...year)
    }
  }

  public func encode(into json: inout JSONWriter) {
    if years.count == 1 {
      json.string(String(years.lowerBound))
    } else {
      json.string("\(years.lowerBound)..\(years.upperBound)")
    }
  }
}

/// A value that a client gives to a setting.
public enum SettingInput: Equatable, Sendable, JSONEncodable {
  case flag(Bool)
  case whole(Int)
  case number(Double)
  /// A value in the syntax of `segue.conf`.
  case text(String)

  init?(_ json: JSON) {
    if let text = json.string {
      self = .text(text)
    } else if let flag = json.bool {
      self = .flag(flag)
    } else {
      guard let number = json.double else { return nil }
      self = json.kind == .integer ? .whole(json.int ?? 0) : .number(number)
    }
  }

  public func encode(into json: inout JSONWriter) {
    switch self {
    case .flag(let flag): json.bool(flag)
    case .whole(let number): json.integer(number)
    case .number(let number): json.double(number)
    case .text(let text): json.string(text)
    }
  }
}
