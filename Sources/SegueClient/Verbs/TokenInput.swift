internal import Glibc
internal import SegueSystem

/// The input of a token. It is not an argument, because the arguments of a process are visible to other users.
enum TokenInput {
  /// The maximum size of the input, in bytes.
  private static let maximumSize = 4_096

  /// Reads the first line of standard input without the spaces around it. On a terminal, a prompt is shown, and the input is
  /// not. Throws a usage error if the line is empty.
  static func read(_ provider: String) throws(ClientError) -> String {
    let line = Terminal.isTerminal(0) ? readHidden(prompt: "Token of \(provider.visible): ") : readLine()
    let token = line.drop { $0 == " " }.reversed().drop { $0 == " " || $0 == "\r" }.reversed()
    guard !token.isEmpty else {
      throw .usage("missing token on standard input", hints: ["segue providers token \(provider) < FILE"])
    }
    return String(token)
  }

  private static func readHidden(prompt: String) -> String {
    var before = termios()
    guard tcgetattr(0, &before) == 0 else { return readLine() }
    var hidden = before
    hidden.c_lflag &= ~tcflag_t(ECHO)
    var prompt = prompt
    _ = prompt.withUTF8 { write(2, $0.baseAddress, $0.count) }
    tcsetattr(0, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(0, TCSAFLUSH, &before)
      _ = write(2, "\n", 1)
    }
    return readLine()
  }

  private static func readLine() -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < maximumSize, Glibc.read(0, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
