internal import Glibc
internal import SegueClient

/// The client.
@main
struct Segue {
  static func main() {
    // A reader that goes away is an answer of write(2), not a death.
    signal(SIGPIPE, SIG_IGN)
    exit(Client.run(arguments()))
  }
}

/// As bytes: a file's name need not be UTF-8. Not in `main`, whose closures would check which actor they are on, and bring
/// all of Swift's concurrency and libdispatch into a program that has no use for them, and would start later.
private func arguments() -> [[UInt8]] {
  var words: [[UInt8]] = []
  for index in 1..<max(1, Int(CommandLine.argc)) {
    guard let word = CommandLine.unsafeArgv[index] else { break }
    words.append(Array(UnsafeRawBufferPointer(start: word, count: strlen(word))))
  }
  return words
}
