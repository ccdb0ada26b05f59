internal import Glibc
internal import SegueClientKit
internal import SegueSystem

/// A program that shows long output a screen at a time, such as less(1). While it runs, it reads standard output.
final class Pager {
  private var process: ReadingProcess
  /// The terminal.
  private let terminal: Descriptor

  /// The process id of the pager, for the signal handler.
  // Proof: the program has one thread, and the handler of a signal only reads it, in one instruction.
  private nonisolated(unsafe) static var current: pid_t = 0

  /// Starts the pager of the user: `SEGUE_PAGER`, `PAGER` or less. Returns nil if the user has none, or it is not
  /// installed. Only less begins with `firstLine`, which is counted from 1.
  init?(firstLine: Int? = nil) {
    let command = Self.command
    let program = command.prefix { $0 != " " }
    guard !program.isEmpty, Self.exists(String(program)) else { return nil }
    // The options that less needs for colours and for lists that fit the screen. Those of the user have precedence.
    if getenv("LESS") == nil {
      setenv("LESS", "FRX", 1)
    }
    // Other pagers would take an argument for the name of a file. The dollar sign ends the command of less.
    if let firstLine, firstLine > 1 {
      setenv("LESS", "+\(firstLine)g$\(getenv("LESS").map { String(cString: $0) } ?? "")", 1)
    }
    // less takes the character set of the C library, which does not know a locale that is not installed.
    if TerminalEnvironment.usesUTF8, getenv("LESSCHARSET") == nil {
      setenv("LESSCHARSET", "utf-8", 1)
    }
    do throws(SystemError) {
      terminal = Descriptor(owning: try checked("fcntl") { fcntl(1, F_DUPFD_CLOEXEC, 3) })
      process = try Spawn.startReading("sh", ["-c", "exec \(command)"])
    } catch {
      return nil
    }
    dup2(process.input?.raw ?? 1, 1)
    process.input = nil
    // The key Ctrl-C is a command of the pager, which belongs to the same process group. Once the user has left the
    // pager, it ends this program.
    Self.current = process.pid
    signal(SIGINT) { _ in
      var status = siginfo_t()
      guard waitid(P_PID, id_t(Pager.current), &status, WEXITED | WNOHANG | WNOWAIT) != 0 || status.si_signo == SIGCHLD
      else { return }
      signal(SIGINT, SIG_DFL)
      raise(SIGINT)
    }
  }

  /// The command that starts the pager. It is empty if the user wants none.
  private static var command: String {
    guard let value = getenv("SEGUE_PAGER") ?? getenv("PAGER") else { return "less" }
    let command = String(cString: value)
    return command == "cat" ? "" : command
  }

  private static func exists(_ program: String) -> Bool {
    program.contains("/") ? access(program, X_OK) == 0 : Spawn.finds(program)
  }

  /// Ends the input of the pager, and waits until the user leaves it.
  func finish() {
    dup2(terminal.raw, 1)
    var status: Int32 = 0
    while waitpid(process.pid, &status, 0) < 0, errno == EINTR {}
    signal(SIGINT, SIG_DFL)
  }
}
