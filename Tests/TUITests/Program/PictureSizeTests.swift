import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the size of pictures on a terminal with sixels, whose cells have other sizes than usual. The picture must
/// end with the cells below it: the interface erases only these.
@Suite struct PictureSizeTests {
  private let server: PulseServer
  private let daemon: DaemonProcess

  /// Starts a daemon with a current track that has a cover.
  init() throws {
    server = try PulseServer()
    daemon = try DaemonProcess(pulse: server, running: false)
    let music = daemon.directory.appending("music")
    try SmallFile.write(SineWave.wave(0..<44_100), to: music.appending("First.wav"))
    try AudioFile.write(
      AudioFile.read(Repository.root.appending("contrib/demo/cover.jpg")), to: music.appending("cover.jpg"))
    try daemon.start()
    let client = try daemon.connect()
    try waitUntil("the queue is filled") { try client.call("status")["length"]?.int == 1 }
    try client.call("next")
  }

  /// xterm states no size of a cell by default, but the kernel knows that of the window. Both the font and the size of
  /// the window may change.
  @Test(arguments: [false, true]) func picturesFollowTheSizeOfACell(statesCellSize: Bool) throws {
    let terminal = try SixelTerminal(daemon.socket, statesCellSize: statesCellSize, cell: (9, 19))
    try terminal.waitForPicture()
    try terminal.resize(cell: (12, 25))
    try terminal.waitForPicture()
    try terminal.resize(cell: (7, 13))
    try terminal.waitForPicture()
  }
}

/// A terminal with sixels in which the interface displays the player. Only the thread of the test uses it.
private final class SixelTerminal {
  private static let (rows, columns): (UInt16, UInt16) = (30, 100)

  private let terminal: PseudoTerminal
  private let interface: ChildProcess
  private let statesCellSize: Bool
  private var cell: (width: UInt16, height: UInt16)
  /// What the interface has written since the last change of the size.
  private var output: [UInt8] = []

  init(_ daemon: FilePath, statesCellSize: Bool, cell: (UInt16, UInt16)) throws {
    (self.statesCellSize, self.cell) = (statesCellSize, cell)
    terminal = try PseudoTerminal(rows: Self.rows, columns: Self.columns, isRaw: false)
    Self.setSize(of: terminal, cell: cell)
    // Only the processes of the terminal get SIGWINCH.
    interface = try ChildProcess(
      ["sh", "-c", #"exec setsid -w -c "$@" <&1"#, "sh", WorkerProcess.product("segue-ui").description],
      environment: [
        "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "SEGUE_SOCKET": daemon.description, "PATH": "/usr/bin:/bin",
      ], output: terminal.program)
    _ = fcntl(terminal.terminal, F_SETFL, O_NONBLOCK)
    try waitUntil("the queue is displayed") {
      read()
      return String(decoding: output, as: UTF8.self).contains("First")
    }
    type("2")
  }

  deinit {
    interface.end(SIGKILL)
    close(terminal.terminal)
    close(terminal.program)
  }

  private static func setSize(of terminal: PseudoTerminal, cell: (width: UInt16, height: UInt16)) {
    // The members of `winsize`: rows, columns, and the pixels of the window, here with a border.
    var size = [rows, columns, columns * cell.width + 4, rows * cell.height + 4]
    _ = ioctl(terminal.terminal, UInt(TIOCSWINSZ), &size)
  }

  /// Changes the size of the font.
  func resize(cell: (UInt16, UInt16)) throws {
    self.cell = cell
    output = []
    Self.setSize(of: terminal, cell: cell)
  }

  private func type(_ text: String) { _ = write(terminal.terminal, text, text.utf8.count) }

  /// Waits for a picture that fills whole cells of the terminal.
  func waitForPicture() throws {
    var found: [[Int]] = []
    do {
      try waitUntil("a picture") {
        read()
        // The raster attributes of a sequence of sixels: aspect ratio, width and height.
        found = String(decoding: output, as: UTF8.self).matches(of: /"1;1;(\d+);(\d+)/)
          .map { [Int($0.output.1) ?? 0, Int($0.output.2) ?? 0] }
        return found.last.map { $0[0] % Int(cell.width) == 0 && $0[1] % Int(cell.height) == 0 } ?? false
      }
    } catch {
      throw Unexpected("no picture fills cells of \(cell.width) × \(cell.height) pixels: \(found)")
    }
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while case let count = Glibc.read(terminal.terminal, &bytes, bytes.count), count > 0 {
      let new = bytes[..<count]
      output += new
      if new.firstRange(of: Array("\u{1B}[16t".utf8)) != nil, statesCellSize {
        type("\u{1B}[6;\(cell.height);\(cell.width)t")
      }
      if new.firstRange(of: Array("\u{1B}[c".utf8)) != nil { type("\u{1B}[?63;4c") }
    }
  }
}
