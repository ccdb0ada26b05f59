/// The permitted values of a parameter, as an error describes them.
public indirect enum ValueKind: Sendable {
  case string
  case boolean
  /// The value true.
  case isTrue
  /// An integer, in a range if there is one.
  case integer(ClosedRange<Int64>?)
  /// An integer or a real number, in a range if there is one.
  case number(ClosedRange<Double>?)
  case choice([String])
  /// A year or a range of years; see `YearRange`.
  case years
  case array(of: ValueKind)
  case nullable(ValueKind)
  case either(ValueKind, ValueKind)

  /// An integer that is not negative.
  public static let count = ValueKind.integer(0...Int64.max)

  /// A choice of the raw values of an enumeration.
  public static func choice<Word: CaseIterable & RawRepresentable<String>>(of words: Word.Type) -> ValueKind {
    .choice(words.allCases.map(\.rawValue))
  }

  /// A description of the permitted values, such as "an integer from 0 to 100".
  public var wording: LocalizableMessage {
    switch self {
    case .string: LocalizableMessage("a string")
    case .boolean: LocalizableMessage("true or false")
    case .isTrue: .plain("true")
    case .integer(nil): LocalizableMessage("an integer")
    case .integer(let range?) where range.upperBound == .max: LocalizableMessage("an integer from \(range.lowerBound)")
    case .integer(let range?): LocalizableMessage("an integer from \(range.lowerBound) to \(range.upperBound)")
    case .number(nil): LocalizableMessage("a number")
    case .number(let range?): LocalizableMessage("a number from \(range.lowerBound) to \(range.upperBound)")
    case .choice(let words): .plain(words.map { "\"\($0)\"" }.joined(separator: " or "))
    case .years: LocalizableMessage("a year or a range such as \"1990..1999\"")
    case .array(let element): LocalizableMessage("an array, each element \(element.wording)")
    case .nullable(let kind): LocalizableMessage("\(kind.wording) or null")
    case .either(let one, let other): LocalizableMessage("\(one.wording) or \(other.wording)")
    }
  }
}
