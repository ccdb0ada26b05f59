internal import Glibc
internal import SegueSystem

/// A terminal that shows pictures, as far as it told.
struct GraphicsTerminal: Equatable {
  enum Way: Equatable {
    /// The kitty graphics protocol.
    case kitty
    /// iTerm2's inline images.
    case inline
    /// DEC's sixels.
    case sixel
  }

  var way: Way
  /// Of a character, in pixels.
  var cell = (width: 10, height: 20)
  /// How many lines it has; nil if it does not say.
  var rows: Int?

  static func == (a: GraphicsTerminal, b: GraphicsTerminal) -> Bool {
    a.way == b.way && a.cell == b.cell && a.rows == b.rows
  }

  /// How long a terminal may think; one that knows none of the questions but the last answers that at once.
  private static let patience: Int64 = 500_000_000

  /// Asks the terminal at `descriptor`, which is given back as it was. nil if it shows none, says nothing, or is not
  /// ours to ask: in the background, or with keys pressed that another program is to read.
  static func ask(_ descriptor: Int32) -> GraphicsTerminal? {
    let owner = tcgetpgrp(descriptor)
    guard owner < 0 || owner == getpgrp() else { return nil }
    var before = termios()
    guard tcgetattr(descriptor, &before) == 0 else { return nil }
    var asking = before
    // Not a key of the answer is shown, nor obeyed.
    cfmakeraw(&asking)
    asking.c_oflag = before.c_oflag
    guard tcsetattr(descriptor, TCSANOW, &asking) == 0 else { return nil }
    defer { tcsetattr(descriptor, TCSANOW, &before) }
    guard !isReadable(descriptor, milliseconds: 0) else { return nil }
    // May it show a picture, who is it, how large is a character, how large are you; and what every terminal answers:
    // what it is (DA1). Whatever of it a simple terminal shows is wiped out.
    let questions = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[>q\u{1B}[16t\u{1B}[18t\u{1B}[c\r\u{1B}[K"
    let bytes = Array(questions.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else { return nil }
    return TerminalResponses(answer(descriptor)).terminal
  }

  /// All that it says, up to the last answer.
  private static func answer(_ descriptor: Int32) -> [UInt8] {
    let deadline = MonotonicTime.now.nanoseconds + patience
    var bytes: [UInt8] = []
    while !TerminalResponses(bytes).isComplete, bytes.count < 4_096 {
      let left = deadline - MonotonicTime.now.nanoseconds
      guard left > 0, isReadable(descriptor, milliseconds: Int32(left / 1_000_000) + 1) else { break }
      var chunk = [UInt8](repeating: 0, count: 512)
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  private static func isReadable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) > 0 && waiting.revents & Int16(POLLIN) != 0
  }
}
