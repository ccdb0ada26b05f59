import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueTerminal

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
      ["[Pause]", "───"].allSatisfy { part in lines.contains { $0.contains(part) } }
    }
    let bar = try #require(lines.firstIndex { $0.contains("───") })
    try interface.click(row: bar, column: 40)
    try waitForStatus("the position is in the middle") { $0.position.map { 14..<20 ~= $0.seconds } ?? false }
    let buttons = try #require(lines.firstIndex { $0.contains("[Pause]") })
    let column = try #require(lines[buttons].firstRange(of: "[Pause]"))
    try interface.click(
      row: buttons, column: lines[buttons].distance(from: lines[buttons].startIndex, to: column.lowerBound))
    try waitForStatus("playback is paused") { $0.state == .paused }
    try interface.waitFor("[Play]")
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
    let ascii = try interface(environment: ["LC_ALL": "C"])
    ascii.keys("Enter")
    let lines = try ascii.waitFor("[Pause]")
    #expect(lines.joined().utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func plainModeDrawsNoBars() throws {
    let interface = try interface("--plain")
    interface.keys("Enter")
    let lines = try interface.waitFor("[Pause]")
    #expect(!lines.contains { $0.contains("━") || $0.contains("─") })
  }

  /// After keys and clicks in any order, Esc leads back to the queue.
  @Test func escapeLeadsBackAfterRandomInput() throws {
    let interface = try interface()
    let keys = [
      "j", "k", "Enter", "Space", "o", "p", ">", "<", "Left", "Right", "Up", "Down", "PgUp", "PgDn", "Tab", "?", "/",
      "x", "ж", "m", "m", "r", "z", "R", "R", "g", "G", "J", "K", "C-l", "Escape", "BSpace", "F1", "F12", "Home",
      "1", "2", "3", "3", "a", "*",
    ]
    for step in 0..<120 {
      switch step % 12 {
      case 5: try interface.click(row: (step * 7) % 24, column: (step * 31) % 80)
      case 11: try interface.resize(rows: 8 + step % 20, columns: 40 + step % 60)
      default: interface.keys(try #require(keys.randomElement()))
      }
    }
    try interface.resize(rows: 24, columns: 80)
    // Screens, filters and selections are left one after another. On the queue itself, Esc has no function.
    for _ in 0..<12 { interface.keys("Escape") }
    // A letter soon after Esc would be one with Alt, so another key comes between them.
    interface.keys("F12")
    try interface.waitFor("The key F12 has no function here.")
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
