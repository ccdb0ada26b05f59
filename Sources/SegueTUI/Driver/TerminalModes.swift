/// The modes of the terminal that curses(3) does not set: mouse reports (the SGR form of button events), bracketed
/// paste and focus reports.
enum TerminalModes {
  static let enter = "\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[?1004h"
  /// The modes are reset in the reverse order.
  static let leave = "\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1002l"
  /// The sequences that save and restore the title of the terminal (xterm's window operations).
  static let saveTitle = "\u{1B}[22;2t"
  static let restoreTitle = "\u{1B}[23;2t"
  /// The control character that cancels an incomplete sequence, and the end of a string such as a picture.
  static let endSequence = "\u{18}\u{1B}\\"
  /// The sequences that let the whole screen scroll. The cursor, which that would move, stays where it is.
  static let resetScrollRegion = "\u{1B}7\u{1B}[r\u{1B}8"
  /// The sequences for a program that a signal has ended. They also restore the main screen, normal text and the
  /// cursor, which curses(3) does otherwise.
  static let leaveAfterCrash =
    endSequence + leave + restoreTitle + "\u{1B}[?1049l\u{1B}[0m\u{1B}[?25h" + resetScrollRegion
}
