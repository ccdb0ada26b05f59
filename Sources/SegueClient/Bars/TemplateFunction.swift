internal import SegueSystem
internal import SegueWire

/// What playerctl's templates can call.
enum TemplateFunction: String, CaseIterable {
  case lc, uc, duration, trunc, emoji
  case markupEscape = "markup_escape"
  case fallback = "default"

  /// How many arguments it takes.
  var arity: Int {
    switch self {
    case .lc, .uc, .duration, .emoji, .markupEscape: 1
    case .trunc, .fallback: 2
    }
  }

  /// What may be a number is.
  var isNumeric: Bool {
    switch self {
    case .fallback, .emoji: true
    case .lc, .uc, .duration, .trunc, .markupEscape: false
    }
  }

  /// Which argument it wants to be a number.
  var numericArgument: Int? {
    switch self {
    case .duration: 0
    case .trunc: 1
    case .lc, .uc, .emoji, .markupEscape, .fallback: nil
    }
  }

  /// Of nothing known is an empty text.
  func value(_ arguments: [Expression], in moment: TemplateContext) -> TemplateValue? {
    let value = arguments[0].value(in: moment)
    if self == .fallback {
      if let value, !value.plain.isEmpty { return value }
      return arguments[1].value(in: moment)
    }
    guard let value else { return nil }
    switch self {
    case .fallback: return value
    case .lc: return value.text(value.plain.lowercased())
    case .uc: return value.text(value.plain.uppercased())
    case .duration: return value.number.map { .own(Self.clock($0)) }
    case .markupEscape:
      return moment.isMarkup ? .foreign(value.plain) : value.text(value.plain.escapedForMarkup(quotes: true))
    case .emoji: return Self.symbol(of: arguments[0], moment) ?? value
    case .trunc:
      guard let length = arguments[1].value(in: moment)?.number else { return nil }
      let kept = value.plain.cut(to: Int(length.clamped(to: 0...1e6)), mark: "")
      return value.text(kept == value.plain ? kept : kept + "…")
    }
  }

  /// Microseconds as a clock.
  private static func clock(_ microseconds: Double) -> String { MediaTime(seconds: microseconds / 1e6).clock }

  private static func symbol(of argument: Expression, _ moment: TemplateContext) -> TemplateValue? {
    guard case .variable(let variable) = argument else { return nil }
    switch variable.name {
    case "status":
      return switch moment.status.player.state {
      case .playing: .own("▶️")
      case .paused: .own("⏸️")
      case .stopped: .own("⏹️")
      }
    case "volume":
      return switch moment.status.player.volume {
      case ..<34: .own("🔈")
      case ..<67: .own("🔉")
      default: .own("🔊")
      }
    default: return nil
    }
  }
}
