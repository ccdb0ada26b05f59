import Glibc
import SegueSystem
import SegueTestKit

/// A terminal around tmux: it records what tmux writes to it, and answers its requests as a terminal of some name does.
/// Only the thread of the test uses it.
final class OuterTerminal {
  private let terminal: PseudoTerminal
  private let client: ChildProcess
  private let name: String
  private(set) var record: [UInt8] = []
  /// The number of bytes of the record in which requests were looked for.
  private var answered = 0

  /// Attaches the terminal with a name, such as `kitty(0.40.0)`, by a command.
  init(name: String, rows: UInt16 = 30, columns: UInt16 = 100, _ command: [String], environment: [String: String])
    throws
  {
    self.name = name
    terminal = try PseudoTerminal(rows: rows, columns: columns, isRaw: false)
    client = try ChildProcess(
      ["sh", "-c", #"exec "$@" <&1"#, "sh"] + command,
      environment: environment.merging(["TERM": "xterm-256color"]) { $1 }, output: terminal.program)
    _ = fcntl(terminal.terminal, F_SETFL, O_NONBLOCK)
  }

  deinit {
    client.end(SIGKILL)
    close(terminal.terminal)
    close(terminal.program)
  }

  /// Waits until what tmux has written satisfies a condition.
  func waitUntil(_ what: String, _ condition: (OuterTerminal) throws -> Bool) throws {
    try SegueTestKit.waitUntil("the outer terminal has \(what)") {
      read()
      return try condition(self)
    }
  }

  /// Forgets the record.
  func forget() {
    read()
    (record, answered) = ([], 0)
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while case let count = Glibc.read(terminal.terminal, &bytes, bytes.count), count > 0 { record += bytes[..<count] }
    // The requests arrive at once, when tmux starts on the terminal.
    for (request, answer) in [
      ("\u{1B}[c", "\u{1B}[?62;c"), ("\u{1B}[>c", "\u{1B}[>1;4000;29c"), ("\u{1B}[>q", "\u{1B}P>|\(name)\u{1B}\\"),
    ] where record[answered...].firstRange(of: Array(request.utf8)) != nil {
      let answer = Array(answer.utf8)
      _ = write(terminal.terminal, answer, answer.count)
    }
    answered = max(0, record.count - 3)
  }

  /// The application program commands in the record, without their beginnings and ends.
  var commands: [String] {
    var commands: [String] = []
    var rest = record[...]
    while let start = rest.firstRange(of: [0x1B, UInt8(ascii: "_")]) {
      rest = rest[start.upperBound...]
      guard let end = rest.firstRange(of: [0x1B, UInt8(ascii: "\\")]) else { break }
      commands.append(String(decoding: rest[..<end.lowerBound], as: UTF8.self))
      rest = rest[end.upperBound...]
    }
    return commands
  }

  var text: String { String(decoding: record, as: UTF8.self) }
}
