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
}
