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

  /// Returns the size of a cell of the terminal in pixels; nil if `descriptor` is not a terminal, or if the kernel does
  /// not know the size of its window.
  public static func cellSize(of descriptor: Int32) -> (width: Int, height: Int)? {
    var (width, height): (Int32, Int32) = (0, 0)
    return segue_terminal_cell(descriptor, &width, &height) ? (Int(width), Int(height)) : nil
  }

  /// Returns whether this process is in the foreground of the terminal, or `descriptor` is not its controlling
  /// terminal.
  public static func isInForeground(_ descriptor: Int32) -> Bool { segue_is_in_foreground(descriptor) }

  /// Discards what was written to the terminal and not yet read by it.
  public static func discardOutput(of descriptor: Int32) { tcflush(descriptor, TCOFLUSH) }

  /// Continues in a child process; this process must have only one thread. The original process becomes the guardian of
  /// the terminal: if a signal ends the child, even SIGKILL, it restores the settings that the terminal has now, writes
  /// `text` to it, and ends by the same signal. Otherwise it returns the exit status of the child. Signals that end a
  /// program are passed on to the child. If standard error is a terminal, what the child writes there is printed after
  /// its end.
  /// - Returns: nil in the child, and the exit status in the guardian.
  public static func guardSettings(of descriptor: Int32, writing text: String) throws(SystemError) -> Int32? {
    var status: Int32 = 0
    return try checked("fork") { segue_fork_guardian(descriptor, text, &status) } == 0 ? nil : status
  }
}

/// The settings of a terminal (termios(3)).
public struct TerminalSettings {
  private var settings = termios()

  /// Reads the settings of the terminal at a descriptor.
  public init(of descriptor: Int32) throws(SystemError) {
    var settings = termios()
    try checked("tcgetattr") { tcgetattr(descriptor, &settings) }
    self.settings = settings
  }

  /// The settings for a program that handles every byte of input, and whose output is not changed.
  public var raw: TerminalSettings {
    var copy = self
    cfmakeraw(&copy.settings)
    return copy
  }

  /// Applies the settings at once, without waiting for output. Errors are ignored: a terminal that is gone needs no
  /// settings.
  public func apply(to descriptor: Int32) {
    var copy = settings
    tcsetattr(descriptor, TCSANOW, &copy)
  }
}
