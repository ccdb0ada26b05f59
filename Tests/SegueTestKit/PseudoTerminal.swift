internal import CSegue
internal import Glibc
internal import SegueSystem

/// A pseudo-terminal: what is written to one end can be read at the other. Whoever opens it closes both ends.
public struct PseudoTerminal {
  /// The end that stands for the screen and the keyboard.
  public let terminal: Int32
  /// The end that a program has as its terminal.
  public let program: Int32

  /// Opens one that passes bytes on as they are if `isRaw`, and else has the settings of a terminal in which people type.
  public init(rows: UInt16, columns: UInt16, isRaw: Bool) throws {
    var (terminal, program): (Int32, Int32) = (-1, -1)
    guard segue_open_terminal(&terminal, &program, rows, columns, isRaw) == 0 else {
      let error = SystemError("openpty")
      // Without devpts there is no terminal to open: posix_openpt(3) finds no /dev/ptmx, or grantpt(3) no /dev/pts/N.
      throw Unexpected(
        "no pseudo-terminal can be opened (\(error)); is /dev/pts mounted? As root: mount -t devpts devpts /dev/pts")
    }
    self.terminal = terminal
    self.program = program
  }
}
