internal import Glibc
internal import SegueSystem

/// A terminal that displays pictures, with the capabilities that it reports.
public struct GraphicsTerminal: Equatable {
  public enum GraphicsProtocol: Equatable {
    /// The kitty graphics protocol.
    case kitty
    /// iTerm2's inline images.
    case inline
    /// DEC's sixels.
    case sixel
  }

  public var graphicsProtocol: GraphicsProtocol
  /// The size of a character cell in pixels.
  public var cellSize = (width: 10, height: 20)
  /// The number of lines. It is nil if the terminal does not report it.
  public var rows: Int?

  public static func == (a: GraphicsTerminal, b: GraphicsTerminal) -> Bool {
    a.graphicsProtocol == b.graphicsProtocol && a.cellSize == b.cellSize && a.rows == b.rows
  }

  /// The timeout for responses. Every terminal answers the last request immediately.
  private static let timeout = MediaTime.milliseconds(500)

  /// The requests to which a terminal responds with its capabilities: support of kitty graphics, its name, the size of a cell,
  /// the size of the screen and, last, the device attributes (DA1), which every terminal reports.
  public static let requests = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[>q\u{1B}[16t\u{1B}[18t\u{1B}[c"

  public init(graphicsProtocol: GraphicsProtocol) { self.graphicsProtocol = graphicsProtocol }

  /// Creates the terminal that its responses to `requests` describe. Returns nil if it displays no pictures.
  public init?(responses: [UInt8]) {
    guard let terminal = TerminalResponses(responses).terminal else { return nil }
    self = terminal
  }

  /// Queries the terminal at `descriptor` and restores its settings. Returns nil if the terminal displays no pictures or does
  /// not respond. Returns nil without a query if the process is in the background, or if unread input is meant for another
  /// program.
  public static func query(_ descriptor: Int32) -> GraphicsTerminal? {
    let owner = tcgetpgrp(descriptor)
    guard owner < 0 || owner == getpgrp() else { return nil }
    var before = termios()
    guard tcgetattr(descriptor, &before) == 0 else { return nil }
    var raw = before
    // The raw mode neither echoes nor interprets the response.
    cfmakeraw(&raw)
    raw.c_oflag = before.c_oflag
    guard tcsetattr(descriptor, TCSANOW, &raw) == 0 else { return nil }
    defer { tcsetattr(descriptor, TCSANOW, &before) }
    guard !isReadable(descriptor, milliseconds: 0) else { return nil }
    // At the end, the line is erased, because a simple terminal displays requests that it does not know.
    let requests = Self.requests + "\r\u{1B}[K"
    let bytes = Array(requests.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else { return nil }
    return TerminalResponses(readResponses(descriptor)).terminal
  }

  /// Returns everything that the terminal sends up to the last response or the timeout.
  private static func readResponses(_ descriptor: Int32) -> [UInt8] {
    let deadline = MonotonicTime.now + timeout
    var bytes: [UInt8] = []
    while !TerminalResponses(bytes).isComplete, bytes.count < 4_096 {
      let left = deadline - MonotonicTime.now
      guard left > .zero, isReadable(descriptor, milliseconds: Int32(left.nanoseconds / 1_000_000) + 1) else { break }
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
