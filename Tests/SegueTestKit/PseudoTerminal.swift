internal import CSegue
internal import Glibc
internal import SegueSystem

/// A pseudo-terminal. The caller closes both ends.
public struct PseudoTerminal {
  /// The end that stands for the screen and the keyboard.
  public let terminal: Int32
  /// The end that is the terminal of a program.
  public let program: Int32

  /// Opens a pseudo-terminal in raw mode, or with the default settings.
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
