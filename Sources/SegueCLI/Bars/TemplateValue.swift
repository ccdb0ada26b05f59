/// The value of an expression in a template.
enum TemplateValue {
  /// Text that is not escaped: from the template itself, where it may contain the bar's markup, or a fixed text of the
  /// client, such as `Playing`.
  case trusted(String)
  /// Text from a tag. It is escaped before it is printed.
  case untrusted(String)
  case integer(Int64)
  case real(Double)
  case flag(Bool)

  /// The value as unescaped text.
  var plain: String {
    switch self {
    case .trusted(let text), .untrusted(let text): text
    case .integer(let number): String(number)
    case .real(let number): number.description
    case .flag(let flag): flag ? "true" : "false"
    }
  }

  /// Returns the value as text. Text from a tag is passed through `escape`.
  func escaped(by escape: (String) -> String) -> String {
    switch self {
    case .untrusted(let text): escape(text)
    case .trusted, .integer, .real, .flag: plain
    }
  }

  var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .trusted, .untrusted, .flag: nil
    }
  }

  var negated: TemplateValue? {
    switch self {
    case .integer(let number): number == .min ? nil : .integer(-number)
    case .real(let number): .real(-number)
    case .trusted, .untrusted, .flag: nil
    }
  }

  /// Returns a value with another text and the same trust.
  func text(_ text: String) -> TemplateValue {
    if case .untrusted = self { .untrusted(text) } else { .trusted(text) }
  }
}
