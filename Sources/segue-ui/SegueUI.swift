internal import Glibc
internal import SegueSystem
internal import SegueTUI

/// The entry point of the terminal interface.
@main
struct SegueUI {
  static func main() {
    // A closed terminal or socket is reported by write(2) instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    exit(TerminalInterface.run(CurrentProcess.arguments))
  }
}
