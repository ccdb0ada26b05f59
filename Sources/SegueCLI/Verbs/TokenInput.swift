internal import Glibc
internal import SegueClientKit
internal import SegueSystem

/// The input of a token. It is not an argument, because the arguments of a process are visible to other users.
enum TokenInput {
  /// The maximum size of the input, in bytes. It only bounds the memory: the daemon limits the length of a token.
  private static let maximumSize = 16_384

  /// Reads the first line of standard input without the spaces around it. On a terminal, a prompt is shown, and the
  /// input is not; an interrupt ends the program. Throws a usage error if the line is empty or too long.
  static func read(_ provider: String) throws(ClientError) -> String {
    let line: [UInt8]
    var settings = termios()
    if tcgetattr(0, &settings) == 0 {
      guard let hidden = readHidden(prompt: tr("Token of %1$s: ", provider), settings) else {
        raise(SIGINT)
        throw .alreadyReported
      }
      line = hidden
    } else {
      line = readLine()
    }
    guard line.count <= maximumSize else { throw .usage(tr("the token is too long")) }
    let token = String(decoding: line, as: UTF8.self).trimmed
    guard !token.isEmpty else {
      throw .usage(tr("missing token on standard input"), hints: ["segue providers token \(provider) < FILE"])
    }
    return token
  }

  private static func readLine() -> [UInt8] {
    var line: [UInt8] = []
    while line.count <= maximumSize, let byte = readByte(), byte != UInt8(ascii: "\n") { line.append(byte) }
    return line
  }

  /// Reads a line from the terminal, which does not show it. Returns nil if the user interrupts the input. The terminal
  /// neither edits the line, because it would discard all after 4,095 bytes, nor sends signals, which would end the
  /// program before the settings are restored.
  private static func readHidden(prompt: String, _ settings: termios) -> [UInt8]? {
    var hidden = settings
    cfmakeraw(&hidden)
    // Enter is still read as a line feed.
    hidden.c_iflag = settings.c_iflag
    hidden.c_oflag = settings.c_oflag
    tcsetattr(0, TCSAFLUSH, &hidden)
    write(prompt)
    defer {
      var settings = settings
      tcsetattr(0, TCSAFLUSH, &settings)
      write("\n")
    }
    let keys = withUnsafeBytes(of: settings.c_cc, Array.init)
    var line: [UInt8] = []
    while line.count <= maximumSize, let byte = readByte(), byte != UInt8(ascii: "\n"), byte != keys[Int(VEOF)] {
      switch byte {
      case keys[Int(VINTR)]: return nil
      case keys[Int(VERASE)]:
        // The last character is removed with all of its bytes.
        while let last = line.popLast(), UTF8.isContinuation(last) {}
      case keys[Int(VKILL)]: line = []
      default: line.append(byte)
      }
    }
    return line
  }

  /// Reads a byte from standard input; nil at its end.
  private static func readByte() -> UInt8? {
    var byte: UInt8 = 0
    return Glibc.read(0, &byte, 1) == 1 ? byte : nil
  }

  private static func write(_ text: String) {
    var text = text
    _ = text.withUTF8 { Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
