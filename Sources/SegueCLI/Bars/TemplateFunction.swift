internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// A function of playerctl's template language.
enum TemplateFunction: String, CaseIterable {
  case lc, uc, duration, trunc, emoji
  case markupEscape = "markup_escape"
  case fallback = "default"

  /// The number of arguments.
  var arity: Int {
    switch self {
    case .lc, .uc, .duration, .emoji, .markupEscape: 1
    case .trunc, .fallback: 2
    }
  }

  /// Whether the result can be a number.
  var isNumeric: Bool {
    switch self {
    case .fallback, .emoji: true
    case .lc, .uc, .duration, .trunc, .markupEscape: false
    }
  }

  /// The index of the argument that must be a number.
  var numericArgument: Int? {
    switch self {
    case .duration: 0
    case .trunc: 1
    case .lc, .uc, .emoji, .markupEscape, .fallback: nil
    }
  }

  /// Returns the result. If the first argument is unknown, only `default` has one.
  func value(_ arguments: [Expression], in context: TemplateContext) -> TemplateValue? {
    guard let value = arguments[0].value(in: context) else {
      return self == .fallback ? arguments[1].value(in: context) : nil
    }
    switch self {
    case .fallback: return value.plain.isEmpty ? arguments[1].value(in: context) : value
    case .lc: return value.text(value.plain.lowercased())
    case .uc: return value.text(value.plain.uppercased())
    case .duration: return value.number.map { .trusted(Self.clock($0)) }
    case .markupEscape:
      return context.isMarkup ? .untrusted(value.plain) : value.text(value.plain.escapedForMarkup(quotes: true))
    case .emoji: return Self.symbol(of: arguments[0], context) ?? value
    case .trunc:
      guard let length = arguments[1].value(in: context)?.number else { return nil }
      let kept = value.plain.truncated(to: Int(length.clamped(to: 0...1e6)), ellipsis: "")
      return value.text(kept == value.plain ? kept : kept + "…")
    }
  }

  /// Returns a duration in microseconds as a clock time.
  private static func clock(_ microseconds: Double) -> String { MediaTime(seconds: microseconds / 1e6).clock }

  private static func symbol(of argument: Expression, _ context: TemplateContext) -> TemplateValue? {
    guard case .variable(let variable) = argument else { return nil }
    switch variable.name {
    case "status":
      return switch context.status.player.state {
      case .playing: .trusted("▶️")
      case .paused: .trusted("⏸️")
      case .stopped: .trusted("⏹️")
      }
    case "volume":
      return switch context.status.player.volume {
      case ..<34: .trusted("🔈")
      case ..<67: .trusted("🔉")
      default: .trusted("🔊")
      }
    default: return nil
    }
  }
}
