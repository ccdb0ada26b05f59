internal import Glibc
internal import SegueClient

/// The entry point of the client.
@main
struct Segue {
  static func main() {
    // A closed pipe is reported by write(2) instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    exit(Client.run(arguments()))
  }
}

/// Returns the arguments as bytes, because file names need not be UTF-8. This is not done in `main`: closures there check
/// their actor, which would link Swift's concurrency runtime and libdispatch and make the start slower.
private func arguments() -> [[UInt8]] {
  var words: [[UInt8]] = []
  for index in 1..<max(1, Int(CommandLine.argc)) {
    guard let word = CommandLine.unsafeArgv[index] else { break }
    words.append(Array(UnsafeRawBufferPointer(start: word, count: strlen(word))))
  }
  return words
}
