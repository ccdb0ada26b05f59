/// The way in which screens are drawn, which the environment and the options determine.
public struct Appearance: Equatable, Sendable {
  /// The amount of decoration.
  public enum Decoration: Equatable, Sendable {
    case full
    /// No lines and bars, no clock that changes by itself, and a visible cursor: for screen readers and slow lines.
    case none
  }

  /// Whether symbols beyond ASCII are drawn. Texts have such characters in any case.
  public var isUnicode: Bool
  /// Whether colours are used. No information is given by colour alone.
  public var isColored: Bool
  public var decoration: Decoration
  /// Whether the terminal is at the other end of SSH, whose line may be slow.
  public var isRemote = false

  /// Returns the look with a colour if colours are used.
  func look(_ color: Look.Color, _ emphasis: Look.Emphasis = []) -> Look {
    Look(emphasis: emphasis, color: isColored ? color : nil)
  }

  var isPlain: Bool { decoration == .none }
  var playing: String { isUnicode ? "▶" : ">" }
  var paused: String { isUnicode ? "⏸" : "|" }
  var stopped: String { isUnicode ? "■" : "." }
  var selected: String { isUnicode ? "●" : "*" }
  var favorite: String { isUnicode ? "♥" : "+" }
  var dash: String { isUnicode ? "—" : "-" }
  var dot: String { isUnicode ? "·" : "-" }
  var ellipsis: String { isUnicode ? "…" : "..." }
  var filled: Character { isUnicode ? "━" : "=" }
  /// Returns the mark of a chapter in place of a character of the progress bar, which it continues.
  func mark(on character: Character?) -> Character {
    guard isUnicode else { return "|" }
    return character == filled ? "╋" : character == halfFilled ? "╉" : "╂"
  }
  /// Returns the mark of a peak on a line, above or below it.
  func peakMark(isFilled: Bool, isAbove: Bool) -> Character {
    guard isUnicode else { return "|" }
    return isAbove ? isFilled ? "┻" : "┸" : isFilled ? "┳" : "┰"
  }
  var empty: Character { isUnicode ? "─" : "-" }
  /// The left half of `filled`; nil if there is no such character.
  var halfFilled: Character? { isUnicode ? "╸" : nil }
  var horizontalLine: Character { isUnicode ? "─" : "-" }
  var verticalLine: Character { isUnicode ? "│" : "|" }
  /// A part of the bar before a focused item with a cover.
  var focusBar: Character { isUnicode ? "▌" : "|" }
  /// The handle of a scroll bar.
  var handle: String { isUnicode ? "▐" : "#" }
}
