internal import Glibc
internal import SegueClient

/// The client. Arguments are taken as bytes: a file's name need not be UTF-8.
@main
struct Segue {
  static func main() {
    // A reader that goes away is an answer of write(2), not a death.
    signal(SIGPIPE, SIG_IGN)
    let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }.map { word in
      Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
    }
    exit(Client.run(arguments))
  }
}
