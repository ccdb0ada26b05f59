internal import SegueSystem

/// What an expression of a template comes to.
enum TemplateValue {
  /// The template's own words: they may hold what the reader obeys.
  case own(String)
  /// What a tag says: it must not.
  case foreign(String)
  case integer(Int64)
  case real(Double)
  case flag(Bool)

  /// As it is printed where nothing obeys it.
  var plain: String {
    switch self {
    case .own(let text), .foreign(let text): text
    case .integer(let number): String(number)
    case .real(let number): number.description
    case .flag(let flag): flag ? "true" : "false"
    }
  }

  var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .own, .foreign, .flag: nil
    }
  }

  var negated: TemplateValue? {
    switch self {
    case .integer(let number): number == .min ? nil : .integer(-number)
    case .real(let number): .real(-number)
    case .own, .foreign, .flag: nil
    }
  }

  /// The same with another text, as much to be trusted.
  func text(_ text: String) -> TemplateValue {
    if case .foreign = self { .foreign(text) } else { .own(text) }
  }
}

/// What a template is filled in with.
struct TemplateContext {
  let status: BarStatus
  let now: MonotonicTime
  let style: Style
  /// The reader knows Pango markup, so that all that is foreign is escaped anyway.
  let isMarkup: Bool
}
