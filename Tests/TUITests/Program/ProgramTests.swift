import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the real interface with the real daemon, in a terminal.
@Suite struct ProgramTests {
  private let server: PulseServer
  private let daemon: DaemonProcess
  private let client: SocketClient

  /// Starts a daemon whose music folder has four tracks.
  init() throws {
    server = try PulseServer()
    daemon = try DaemonProcess(pulse: server, running: false)
    for (index, name) in ["First", "Второй", "三番目", "Fourth"].enumerated() {
      let path = daemon.directory.appending("music/\(index + 1) \(name).wav")
      try SmallFile.write(SineWave.wave(0..<(44_100 * 30)), to: path)
    }
    try daemon.start()
    client = try daemon.connect()
    try waitUntil("the queue is filled") { try client.call("status")["length"]?.int == 4 }
  }

  private func interface(
    _ arguments: String = "", rows: Int = 24, columns: Int = 80, environment: [String: String] = [:]
  ) throws -> InterfaceProcess {
    let interface = try InterfaceProcess(
      daemon.socket, arguments, rows: rows, columns: columns, environment: environment)
    // The last line is drawn last.
    try interface.waitFor("the whole queue") { lines in
      lines.contains { $0.contains("Fourth") } && lines.last { !$0.isEmpty }?.contains("? Help") == true
    }
    return interface
  }

  private func status() throws -> Status { Status(try client.call("status")) }

  private func waitForStatus(_ what: String, _ condition: (Status) -> Bool) throws {
    try waitUntil(what) { try condition(status()) }
  }

  @Test func keysPlayTracksAndPlaybackContinuesAfterTheEnd() throws {
    let interface = try interface()
    interface.keys("j", "Enter")
    try interface.waitFor("track 2 of 4")
    try waitForStatus("the second track plays") { $0.state == .playing && $0.index == 1 }
    try interface.waitFor("Next: 3 三番目")
    interface.keys(">")
    try interface.waitFor("track 3 of 4")
    interface.keys("q")
    try interface.waitFor("Title")
    interface.keys("q")
    #expect(try interface.isRestored())
    #expect(try status().state == .playing && status().index == 2)
  }

  @Test func theMousePlaysSeeksAndPauses() throws {
    let interface = try interface()
    // The rows of the list begin in the third line.
    try interface.click(row: 3, column: 10)
    try interface.click(row: 3, column: 10)
    try interface.waitFor("track 2 of 4")
    try waitForStatus("the track plays") { $0.state == .playing && $0.rate == 1 }
    // The progress bar appears with the duration.
    let lines = try interface.waitFor("the button and the progress bar") { lines in
      ["⏸", "───"].allSatisfy { part in lines.contains { $0.contains(part) } }
    }
    let bar = try #require(lines.firstIndex { $0.contains("───") })
    try interface.click(row: bar, column: 40)
    try waitForStatus("the position is in the middle") { $0.position.map { 14..<20 ~= $0.seconds } ?? false }
    let buttons = try #require(lines.firstIndex { $0.contains("⏸") })
    let column = try #require(lines[buttons].firstRange(of: "⏸"))
    try interface.click(
      row: buttons, column: lines[buttons].distance(from: lines[buttons].startIndex, to: column.lowerBound))
    try waitForStatus("playback is paused") { $0.state == .paused }
    try interface.waitFor("paused")
  }

  @Test func changesOfOtherClientsAppear() throws {
    let interface = try interface()
    try client.call(
      "queue.remove", "{\"ids\":[\(try #require(client.call("list")["tracks"]?.elements?.first?["id"]?.int))]}")
    try interface.waitFor("3 tracks")
    try client.call("volume", #"{"level":37}"#)
    try interface.waitFor("volume 37%")
  }

  @Test func theScreenIsWholeAfterAStormOfResizes() throws {
    let interface = try interface()
    // The daemon reads the durations after it has added the tracks.
    let before = try interface.waitFor("all durations") { lines in lines.filter { $0.contains("0:30") }.count == 4 }
    for step in 0..<40 {
      try interface.resize(rows: 1 + (step * 13) % 45, columns: 1 + (step * 37) % 170)
    }
    try interface.resize(rows: 24, columns: 80)
    try interface.waitFor("the same as before") { $0 == before }
    try interface.resize(rows: 5, columns: 30)
    interface.keys("p")
    try interface.waitFor("one line with the track") { lines in
      lines[0].contains("1 First") && lines.dropFirst().allSatisfy(\.isEmpty)
    }
  }

  @Test func aLostDaemonIsAnnouncedAndComesBack() throws {
    let interface = try interface()
    daemon.kill()
    try interface.waitFor("The daemon is not running. Run: systemctl --user start segued.socket")
    interface.keys("p")
    try interface.waitFor("There is no connection to the daemon.")
    try daemon.start()
    try interface.waitFor("the queue without a message") { lines in
      lines.contains { $0.contains("4 tracks") } && !lines.contains { $0.contains("daemon") }
    }
    interface.keys("Enter")
    try interface.waitFor("track 1 of 4")
  }

  @Test func theInterfaceWaitsForADaemonThatIsNotThere() throws {
    daemon.kill()
    let interface = try InterfaceProcess(daemon.socket)
    try interface.waitFor("The daemon is not running.")
    try daemon.start()
    try interface.waitFor("Fourth")
  }

  @Test func aLostSoundServerIsAnnounced() throws {
    let interface = try interface()
    interface.keys("Enter")
    try waitForStatus("the track plays") { $0.rate == 1 }
    server.kill()
    try interface.waitFor("There is no sound server.")
    try server.start()
    try interface.waitFor("Next:")
  }

  @Test func localesThatAreNotInstalledAreReplaced() throws {
    let missing = try interface(environment: ["LC_ALL": "xx_XX.UTF-8"])
    #expect(try missing.screen().contains { $0.contains("2 Второй") })
    missing.keys("Enter")
    try missing.waitFor("━")
  }

  /// The client does the same. Hardly any terminal uses another character set than UTF-8.
  @Test(arguments: ["C", "POSIX", "en_US.ISO-8859-1", "ru_RU.KOI8-R"])
  func withoutUTF8InTheLocaleOnlySymbolsAreReplaced(locale: String) throws {
    let interface = try interface(environment: ["LC_ALL": locale])
    let titles = ["1 First", "2 Второй", "3 三番目", "4 Fourth"]
    try interface.waitFor("the titles") { lines in titles.allSatisfy { title in lines.contains { $0.contains(title) } }
    }
    interface.keys("j", "Enter")
    try interface.waitFor("2 Второй")
    let text = try interface.waitFor("[Pause]").joined(separator: "\n")
    let rest = titles.reduce(text) { $0.replacing($1, with: "") }
    #expect(rest.utf8.allSatisfy { $0 < 0x80 }, "\(text)")
  }

  /// tmux joins the cell after a zero-width joiner to the one before it, so that all that follows would be in other
  /// cells.
  @Test func joinedLettersTakeAsManyCellsInTmuxAsInTheGrid() throws {
    let names = ["ශ්\u{200D}රී ලංකා", "র\u{200D}্যাব", "🏳\u{FE0F}\u{200D}🌈 👩\u{200D}🚀", "क्\u{200D}ष"]
    let paths = names.map { daemon.directory.appending("\($0).wav") }
    for path in paths { try SmallFile.write(SineWave.wave(0..<44_100), to: path) }
    let uris = paths.map { "\"\(FileURI.encode($0))\"" }.joined(separator: ",")
    try client.call("queue.add", #"{"uris":[\#(uris)]}"#)
    let interface = try interface()
    let before = try interface.waitFor("all tracks and the line of keys") { lines in
      // The screen no longer changes once all durations are known.
      lines.count { $0.hasSuffix("0:01") } == names.count && lines.count { $0.hasSuffix("0:30") } == 4
        && lines.contains { $0.hasSuffix("? Help") }
    }
    interface.keys("?")
    try interface.waitFor("Search:")
    interface.keys("Escape")
    // What a row has left on the screen would be beside the words of the other screen and its own.
    let shown = before.joined(separator: "\n")
    try interface.waitFor("the same as before, which was\n\(shown)\nbut") { $0 == before }
    interface.keys("C-l")
    try interface.waitFor("the same as before, which was\n\(shown)\nbut") { $0 == before }
  }

  /// The focused row is a bar. In the plain mode, screen readers and magnifiers follow the cursor.
  @Test func theCursorIsVisibleOnlyInTextFieldsAndInThePlainMode() throws {
    let interface = try interface()
    #expect(try interface.modes == "110\n")
    interface.keys("/", "Fourth")
    try interface.waitFor("1 of 4")
    #expect(try interface.modes == "111\n")
    interface.keys("Enter")
    try waitUntil("the cursor is hidden again") { try interface.modes == "110\n" }
    interface.keys("?")
    try interface.waitFor("Search:")
    #expect(try interface.modes == "111\n")
    #expect(try self.interface("--plain").modes == "111\n")
  }

  @Test func plainModeDrawsNoBars() throws {
    let interface = try interface("--plain")
    interface.keys("Enter")
    let lines = try interface.waitFor("[Pause]")
    #expect(!lines.contains { $0.contains("━") || $0.contains("─") })
  }

  /// After keys and clicks in any order, Esc leads back to the queue. The help, in which Enter performs any command,
  /// even one that ends or suspends the interface, is opened and left at once.
  @Test(arguments: [1, 2]) func escapeLeadsBackAfterRandomInput(seed: UInt64) throws {
    let interface = try interface()
    var generator = LinearGenerator(state: seed)
    // A letter soon after Esc would be one with Alt, so another key comes between them.
    let escape = ["Escape", "F12"]
    let inputs =
      [
        "j", "k", "Enter", "Space", "o", "p", ">", "<", "Left", "Right", "Up", "Down", "PgUp", "PgDn", "Tab", "/", "x",
        "ж", "m", "m", "r", "z", "R", "R", "g", "G", "J", "K", "C-l", "BSpace", "F12", "Home", "1", "2", "3", "3", "a",
        "*",
      ].map { [$0] } + [escape, ["?", "x", "Down"] + escape, ["F1", "ж"] + escape]
    var size = ScreenSize(rows: 24, columns: 80)
    for step in 0..<120 {
      switch step % 12 {
      case 5:
        // The last line opens the help.
        try interface.click(
          row: Int.random(in: 0..<(size.rows - 1), using: &generator),
          column: Int.random(in: 0..<size.columns, using: &generator))
      case 11:
        size = ScreenSize(
          rows: Int.random(in: 8..<28, using: &generator), columns: Int.random(in: 40..<100, using: &generator))
        try interface.resize(rows: size.rows, columns: size.columns)
      default: for key in try #require(inputs.randomElement(using: &generator)) { interface.keys(key) }
      }
    }
    try interface.resize(rows: 24, columns: 80)
    // Screens, filters and selections are left one after another. On the queue itself, Esc has no function.
    for _ in 0..<12 { interface.keys("Escape") }
    // The responses to earlier keys may replace the message.
    try waitUntil("a key without a function is named", every: .milliseconds(100)) {
      interface.keys("F12")
      return try interface.screen().contains { $0.contains("The key F12 has no function here.") }
    }
    try interface.waitFor("Title")
    interface.keys("q")
    #expect(try interface.isRestored())
  }

  @Test func aTerminalThatCannotMoveTheCursorIsAnError() throws {
    let interface = try interface()
    interface.keys("q")
    #expect(try interface.isRestored())
    interface.keys("TERM=dumb segue ui; echo code $?", "Enter")
    let lines = try interface.waitFor("code 1")
    #expect(lines.joined().contains("the terminal “dumb” is unknown, or cannot move the cursor"))
    #expect(lines.contains { $0.contains("TERM=xterm segue ui   if the terminal resembles xterm") })
  }

  @Test func aPipeIsNoTerminal() throws {
    let outcome = try ClientProcess.run(["ui"], environment: ["SEGUE_SOCKET": "\(daemon.socket)"])
    #expect(outcome.code == 1 && outcome.output == [])
    #expect(outcome.errorText.contains("needs a terminal"))
  }
}
