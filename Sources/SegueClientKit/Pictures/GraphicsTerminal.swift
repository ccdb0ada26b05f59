internal import Glibc
public import SegueSystem
public import SegueWire

/// A terminal that displays pictures, with the capabilities that it reports.
public struct GraphicsTerminal: Equatable {
  public enum GraphicsProtocol: Equatable {
    /// The kitty graphics protocol.
    case kitty
    /// The kitty graphics protocol through tmux, which only keeps characters: `PicturePlaceholders` in the cells, and
    /// pictures of which it does not know.
    case placeholders
    /// iTerm2's inline images.
    case inline
    /// DEC's sixels.
    case sixel
    /// Characters that divide a cell into two halves, in colours. Nearly every terminal displays them.
    case halfBlocks
  }

  public var graphicsProtocol: GraphicsProtocol
  /// The size of a character cell in pixels.
  public private(set) var cellSize = (width: 10, height: 20)
  /// Whether the terminal states that size itself. xterm does not, unless `allowWindowOps` is set.
  public private(set) var statesCellSize = false
  /// The number of lines. It is nil if the terminal does not report it.
  public var rows: Int?

  public static func == (a: GraphicsTerminal, b: GraphicsTerminal) -> Bool {
    a.graphicsProtocol == b.graphicsProtocol && a.cellSize == b.cellSize && a.rows == b.rows
  }

  /// The timeout for responses. Every terminal answers the last request immediately.
  private static let timeout = MediaTime.milliseconds(500)

  public init(graphicsProtocol: GraphicsProtocol) { self.graphicsProtocol = graphicsProtocol }

  /// Takes over the size of a cell that the terminal states.
  public mutating func setCellSize(width: Int, height: Int) {
    (cellSize, statesCellSize) = (Self.limited(width, height), true)
  }

  /// Takes over the size of a cell that the kernel knows for the terminal at `descriptor`, if the terminal states none.
  public mutating func completeCellSize(of descriptor: Int32) {
    guard !statesCellSize, let (width, height) = Terminal.cellSize(of: descriptor) else { return }
    cellSize = Self.limited(width, height)
  }

  private static func limited(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
    (width: width.clamped(to: 2...200), height: height.clamped(to: 2...400))
  }

  /// The terminal that the environment describes, which displays pictures of half blocks; nil if it displays no
  /// symbols, or too few colours for pictures.
  public static var halfBlocks: GraphicsTerminal? {
    guard TerminalEnvironment.usesUTF8, TerminalEnvironment.allowsColors, !TerminalEnvironment.isLinuxConsole,
      TerminalEnvironment.variable("TERM").map({ !$0.hasPrefix("vt") }) == true
    else { return nil }
    return GraphicsTerminal(graphicsProtocol: .halfBlocks)
  }

  /// Returns how pictures are displayed by a terminal that has responded in this way: by its protocol, or of half
  /// blocks if it has none. Nil if no pictures can be displayed.
  public static func usable(_ terminal: GraphicsTerminal?) -> GraphicsTerminal? { terminal ?? halfBlocks }

  /// Returns the size in which a picture has to be requested to be displayed in a size. Half blocks are larger than the
  /// pixels of small pictures. A file of pixels in the original size may exceed the maximum of `Pixmap`.
  public func displayedSize(_ size: Art.Size) -> Art.Size {
    switch graphicsProtocol {
    case .halfBlocks: .small
    case .sixel: size == .full ? .medium : size
    case .kitty, .placeholders, .inline: size
    }
  }

  /// The file format of the pictures that `sequence` draws.
  public var pictureFormat: Art.Format {
    switch graphicsProtocol {
    case .kitty, .placeholders, .inline: .png
    case .sixel, .halfBlocks: .ppm
    }
  }

  /// Returns the sequence that draws the picture at `path` into `box` at the cursor; nil if the file cannot be read, or
  /// is not one of `pictureFormat`, and for placeholders, which need a picture that the terminal keeps. The cursor may
  /// be elsewhere after it.
  public func sequence(_ path: FilePath, _ box: PictureBox) -> [UInt8]? {
    switch graphicsProtocol {
    case .kitty: TerminalPicture(path)?.kittySequence(box)
    case .placeholders: nil
    case .inline: TerminalPicture(path)?.inlineImageSequence(box)
    case .sixel:
      Pixmap(path).map {
        Sixel.sequence($0, width: box.columns * cellSize.width, height: box.rows * cellSize.height)
      }
    case .halfBlocks:
      Pixmap(path).map { HalfBlocks.sequence($0, box, hasTrueColor: TerminalEnvironment.hasTrueColor) }
    }
  }

  /// Queries the terminal at `descriptor` and restores its settings. Returns nil if the terminal displays no pictures
  /// or does not respond. Returns nil without a query if the process is in the background, or if unread input is meant
  /// for another program.
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
    guard !isReadable(descriptor, until: .now) else { return nil }
    var query = GraphicsQuery()
    var requests = GraphicsQuery.requests
    let deadline = MonotonicTime.now + timeout
    while true {
      // At the end, the line is erased, because a simple terminal displays requests that it does not know.
      let bytes = Array((requests + "\r\u{1B}[K").utf8)
      guard write(descriptor, bytes, bytes.count) == bytes.count else { return nil }
      switch query.receive(readResponses(descriptor, until: deadline)) {
      case .request(let next): requests = next
      case .result(var terminal), .tmux(var terminal):
        terminal?.completeCellSize(of: descriptor)
        return terminal
      }
    }
  }

  /// Returns everything that the terminal sends up to the last response or the deadline.
  private static func readResponses(_ descriptor: Int32, until deadline: MonotonicTime) -> [UInt8] {
    var bytes: [UInt8] = []
    while !TerminalResponses(bytes).isComplete, bytes.count < 4_096 {
      guard deadline > .now, isReadable(descriptor, until: deadline) else { break }
      var chunk = [UInt8](repeating: 0, count: 512)
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  private static func isReadable(_ descriptor: Int32, until deadline: MonotonicTime) -> Bool {
    var waiting = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    return poll(&waiting, until: deadline) > 0 && waiting[0].revents & Int16(POLLIN) != 0
  }
}
