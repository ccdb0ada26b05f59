internal import CSegue
internal import Glibc

/// Queries about the terminal at a descriptor.
public enum Terminal {
  public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Returns the width of the terminal; nil if `descriptor` is not a terminal or the size is unknown.
  public static func columns(of descriptor: Int32) -> Int? {
    let columns = segue_terminal_columns(descriptor)
    return columns > 0 ? Int(columns) : nil
  }

  /// Returns the size of the terminal, which may be zero; nil if `descriptor` is not a terminal.
  public static func size(of descriptor: Int32) -> (rows: Int, columns: Int)? {
    var (rows, columns): (Int32, Int32) = (0, 0)
    return segue_terminal_size(descriptor, &rows, &columns) ? (Int(rows), Int(columns)) : nil
  }

  /// Remembers the settings of the terminal. If this process crashes, they are restored, and `text`, which has at most 255
  /// bytes, is written to the terminal.
  public static func guardSettings(of descriptor: Int32, writing text: String) throws(SystemError) {
    try checked("tcgetattr") { segue_guard_terminal(descriptor, text) }
  }

  /// Restores the settings that `guardSettings` has remembered.
  public static func restoreSettings() { segue_restore_terminal() }
}
