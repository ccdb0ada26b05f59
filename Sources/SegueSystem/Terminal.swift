internal import CSegue
internal import Glibc

/// What is known of a terminal at a descriptor.
public enum Terminal {
  public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Its width; nil if `descriptor` is no terminal or nobody told the terminal its size.
  public static func columns(of descriptor: Int32) -> Int? {
    let columns = segue_terminal_columns(descriptor)
    return columns > 0 ? Int(columns) : nil
  }
}
