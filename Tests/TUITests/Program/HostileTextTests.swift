import Glibc
import SegueClientKit
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueTUI

/// Tests that terminals display hostile texts in the cells that the interface means, with the real daemon and files
/// whose tags have such texts.
@Suite struct HostileTextTests {
  private static let (rows, columns) = (30, 100)

  private let server: PulseServer
  private let daemon: DaemonProcess
  /// The queue as the daemon reports it.
  private let entries: [QueueEntry]

  init() throws {
    server = try PulseServer()
    daemon = try DaemonProcess(pulse: server, running: false)
    let flac = try SmallFile.read(Repository.fixture("long.flac"), upTo: 4 << 20)
    let placeholder = "no bytes of UTF-8"
    let texts = HostileText.samples + HostileText.longSamples + [placeholder]
    for (index, text) in texts.enumerated() {
      let tags = [
        ("TITLE", text), ("ARTIST", texts[(index + 1) % texts.count]), ("ALBUM", "Album \(index / 4)"),
        ("TRACKNUMBER", "\(index + 1)"),
      ]
      var bytes = FLACTags.replace(flac, tags)
      while let range = bytes.firstRange(of: Array(placeholder.utf8)) {
        bytes.replaceSubrange(range, with: (0..<range.count).map { [0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80][$0 % 6] })
      }
      try SmallFile.write(bytes, to: daemon.directory.appending("music/\(100 + index).flac"))
    }
    try daemon.start()
    let client = try daemon.connect()
    var entries: [QueueEntry] = []
    try waitUntil("the tags of the queue are known") {
      entries = QueuePage(try client.call("queue.list")).tracks
      return entries.count == texts.count && entries.allSatisfy { $0.metadata.album != nil && $0.duration != nil }
    }
    self.entries = entries
  }

  /// The keys that are pressed one part after the other. All of them end on the queue.
  private static let parts = [
    "G", "\u{15}", "g", "/l", "\r", "\u{1B}", "?", "\u{1B}", "31", "81", "S1", "jjj", "\u{C}", "G",
  ]

  /// Presses keys, and waits after each part until the terminal shows the rows that a model shows after the same keys.
  /// What remains of other rows or screens, or stands in other cells, does not disappear by waiting.
  private func compare(
    _ kind: TerminalScreen.Kind, press: (String) throws -> Void, screen: () throws -> [String]
  ) throws {
    // The widths of characters are those of the programs.
    let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
    let before = uselocale(locale)
    defer {
      uselocale(before)
      freelocale(locale)
    }
    var model = Interface(entries, rows: Self.rows, columns: Self.columns)
    try waitUntil("the queue is displayed") { try screen()[0].hasPrefix(" Queue") }
    for part in [""] + Self.parts {
      if part != "" { try press(part) }
      model.type(part)
      let grid = model.model.frame().grid
      let rows = 1..<Self.rows - 3
      let expected = rows.map { Self.line(grid, $0, kind) }
      var lines: [String] = []
      do {
        try waitUntil("the rows are displayed", every: .milliseconds(20)) {
          lines = try screen()
          return lines.count >= Self.rows && Array(lines[rows]) == expected
        }
      } catch {
        let differences = rows.filter { lines[$0] != expected[$0 - 1] }.map {
          "row \($0) is \(Self.described(lines[$0])), not \(Self.described(expected[$0 - 1]))"
        }
        throw Unexpected("after the keys “\(part.visible)”:\n\(differences.joined(separator: "\n"))")
      }
    }
  }

  /// Returns a text with the code points of all characters beyond Latin.
  private static func described(_ text: String) -> String {
    text.unicodeScalars.map { $0.value < 0x250 ? String($0) : "{\(String($0.value, radix: 16))}" }.joined()
  }

  /// Returns a row as a terminal displays it.
  private static func line(_ grid: Grid, _ row: Int, _ kind: TerminalScreen.Kind) -> String {
    var line = ""
    for column in 0..<grid.size.columns {
      guard let glyph = grid[row, column].glyph else { continue }
      for cell in Display.cells(of: glyph, onConsole: kind == .linux) {
        for scalar in cell.dropLast() { line.unicodeScalars.append(Unicode.Scalar(scalar)!) }
      }
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  @Test func tmuxDisplaysHostileTextsInTheirCells() throws {
    let interface = try InterfaceProcess(daemon.socket, "--no-pictures", rows: Self.rows, columns: Self.columns)
    try compare(.xterm, press: interface.send, screen: interface.screen)
  }

  @Test(arguments: TerminalScreen.Kind.allCases) func aTerminalDisplaysHostileTextsInTheirCells(
    _ kind: TerminalScreen.Kind
  ) throws {
    let terminal = try PseudoTerminal(rows: UInt16(Self.rows), columns: UInt16(Self.columns), isRaw: false)
    defer {
      close(terminal.terminal)
      close(terminal.program)
    }
    _ = fcntl(terminal.terminal, F_SETFL, O_NONBLOCK)
    let process = try ChildProcess(
      ["sh", "-c", "exec '\(WorkerProcess.product("segue-ui"))' --no-pictures --socket '\(daemon.socket)' <&1"],
      environment: [
        "TERM": kind.rawValue, "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "HOME": "\(daemon.directory)",
      ],
      output: terminal.program)
    defer { process.end(SIGKILL) }
    var screen = TerminalScreen(kind, rows: Self.rows, columns: Self.columns)
    try compare(kind) { keys in
      let bytes = Array(keys.utf8)
      _ = write(terminal.terminal, bytes, bytes.count)
    } screen: {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      while case let count = read(terminal.terminal, &bytes, bytes.count), count > 0 {
        screen.write(Array(bytes[..<count]))
      }
      return screen.lines
    }
    #expect(screen.unknown == [])
  }
}
