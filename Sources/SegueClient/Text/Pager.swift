internal import Glibc
internal import SegueFrontend
internal import SegueSystem

/// A program that shows long output a screen at a time, such as less(1).
final class Pager {
  private var process: ReadingProcess

  /// Starts the pager of the user: `SEGUE_PAGER`, `PAGER` or less. Returns nil if the user has none, or it is not installed.
  init?() {
    let command = Self.command
    // The options that less needs for colours and for lists that fit the screen. Those of the user have precedence.
    if getenv("LESS") == nil {
      setenv("LESS", "FRX", 1)
    }
    let program = command.prefix { $0 != " " }
    guard !program.isEmpty, program.contains("/") || Spawn.finds(String(program)) else { return nil }
    do throws(SystemError) {
      process = try Spawn.startReading("sh", ["-c", "exec \(command)"])
    } catch {
      return nil
    }
    // The key Ctrl-C is a command of the pager, which belongs to the same process group.
    signal(SIGINT, SIG_IGN)
  }

  /// The command that starts the pager. It is empty if the user wants none.
  private static var command: String {
    guard let value = getenv("SEGUE_PAGER") ?? getenv("PAGER") else { return "less" }
    let command = String(cString: value)
    return command == "cat" ? "" : command
  }

  /// The descriptor to which the output is written.
  var descriptor: Int32 { process.input?.raw ?? -1 }

  /// Ends the input of the pager, and waits until the user leaves it.
  func finish() {
    process.input = nil
    var status: Int32 = 0
    while waitpid(process.pid, &status, 0) < 0, errno == EINTR {}
  }
}
