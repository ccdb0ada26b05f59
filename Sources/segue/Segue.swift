internal import Glibc
internal import SegueCLI
internal import SegueSystem

/// The entry point of the client.
@main
struct Segue {
  static func main() {
    // A closed pipe is reported by write(2) instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    exit(Client.run(CurrentProcess.arguments))
  }
}
