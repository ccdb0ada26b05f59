import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the pictures of the real interface in the real tmux, with a terminal around it that records its output.
@Suite struct TmuxPictureTests {
  private static let transmission = "Ga=T,U=1,f=100,q=2,i="

  private let server: PulseServer
  private let daemon: DaemonProcess
  private let interface: InterfaceProcess

  /// Starts a daemon with a current track that has a cover, and a shell in tmux.
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
    interface = try InterfaceProcess(daemon.socket)
    try interface.waitFor("First")
    interface.keys("q")
    #expect(try interface.isRestored())
  }

  private func placeholders(_ lines: [String]) -> Int {
    lines.reduce(0) { count, line in count + line.unicodeScalars.count { $0 == "\u{10EEEE}" } }
  }

  /// Starts the interface in a terminal with a name, and shows the player.
  private func showPlayer(
    in name: String, _ options: [String: String] = [:], by command: String = "segue ui"
  ) throws -> OuterTerminal {
    try interface.setOptions(["allow-passthrough": "on", "focus-events": "on"].merging(options) { $1 })
    let outer = try interface.attach(name)
    try outer.waitUntil("stated its name") { _ in try interface.knows(name) }
    interface.keys(command, "Enter")
    try waitForScreen(outer) { $0.contains { $0.contains("? Help") } }
    interface.keys("2")
    return outer
  }

  /// Waits until the screen satisfies a condition, while the terminal reads it.
  private func waitForScreen(_ outer: OuterTerminal, _ condition: ([String]) -> Bool) throws {
    try outer.waitUntil("shown the screen") { _ in try condition(interface.screen()) }
  }

  /// Waits until the terminal has the whole picture and its placeholders. Returns its identifier.
  private func waitForPicture(_ outer: OuterTerminal) throws -> Int {
    var id: Int?
    try outer.waitUntil("a picture") { outer in
      let commands = outer.commands
      guard let start = commands.lastIndex(where: { $0.hasPrefix(Self.transmission) }) else { return false }
      id = Int(commands[start].dropFirst(Self.transmission.count).prefix { $0.isNumber })
      let end = commands[start...].firstIndex { $0.split(separator: ";")[0].hasSuffix("m=0") }
      return try end != nil && placeholders(interface.screen()) > 100
    }
    return try #require(id)
  }

  /// On a busy machine, the answer of tmux comes later than the interface waits for it.
  @Test func aQuestionThatTmuxHasNotAnsweredInTimeIsRepeated() throws {
    let folder = try TemporaryFolder()
    let script = """
      #!/bin/sh
      PATH=/usr/bin:/bin
      [ -e \(folder.path)/asked ] || { touch \(folder.path)/asked; sleep 2; }
      exec tmux "$@"
      """
    let program = try folder.write("tmux", Array(script.utf8))
    _ = try checked("chmod") { program.withCString { chmod($0, 0o700) } }
    _ = try waitForPicture(try showPlayer(in: "kitty(0.40.0)", by: "PATH=\(folder.path):$PATH segue ui"))
  }

  @Test func aTerminalWithPlaceholdersDisplaysThePicture() throws {
    let title = try interface.paneTitle
    let outer = try showPlayer(in: "kitty(0.40.0)")
    let id = try waitForPicture(outer)
    // The colour is the last byte of the identifier, and every command is one of the graphics protocol.
    #expect(try interface.colors.utf8.firstRange(of: "\u{1B}[38;5;\(id & 0xFF)m\u{10EEEE}".utf8) != nil)
    #expect(outer.commands.allSatisfy { $0.hasPrefix("G") })
    #expect(try !interface.screen().contains { $0.contains("▀") })

    interface.keys("?")
    try waitForScreen(outer) { placeholders($0) == 0 }
    interface.keys("Escape")
    try waitForScreen(outer) { placeholders($0) > 100 }
    interface.keys("q", "q")
    try outer.waitUntil("deleted the picture") { $0.commands.contains { $0.hasPrefix("Ga=d,d=I,i=\(id),") } }
    #expect(try interface.isRestored())
    #expect(try placeholders(interface.screen()) == 0)
    #expect(try interface.paneTitle == title)
  }

  @Test func thePictureIsSentAgainWhenAnotherTerminalIsAttachedOrTheWindowIsShownAgain() throws {
    let title = try interface.paneTitle
    var outer: OuterTerminal? = try showPlayer(in: "kitty(0.40.0)")
    _ = try waitForPicture(outer!)
    try interface.detach()
    outer = try interface.attach("ghostty 1.2.0")
    _ = try waitForPicture(outer!)
    try interface.coverWindow()
    try outer!.waitUntil("another window") { _ in try placeholders(interface.screen()) == 0 }
    outer!.forget()
    try interface.uncoverWindow()
    _ = try waitForPicture(outer!)
    // tmux reports no focus to the pane after a terminal that was lost with it. The interface asks at intervals.
    outer = nil
    outer = try interface.attach("kitty(0.40.0)")
    interface.keys("+")
    _ = try waitForPicture(outer!)
    try interface.detach()
    let other = try interface.attach("XTerm(390)")
    try waitForScreen(other) { placeholders($0) == 0 && $0.contains { $0.contains("▀▀▀▀▀▀▀▀▀▀") } }
    #expect(try interface.paneTitle == title)
  }

  @Test(
    arguments: [
      ("XTerm(390)", [:]), ("WezTerm 20240203", [:]), ("kitty(0.27.1)", [:]),
      ("kitty(0.40.0)", ["allow-passthrough": "off"]), ("kitty(0.40.0)", ["focus-events": "off"]),
    ] as [(String, [String: String])])
  func otherwiseThePictureConsistsOfHalfBlocks(name: String, options: [String: String]) throws {
    let title = try interface.paneTitle
    let outer = try showPlayer(in: name, options)
    try waitForScreen(outer) { $0.contains { $0.contains("▀▀▀▀▀▀▀▀▀▀") } }
    interface.keys("q", "q")
    try waitForScreen(outer) { !$0.contains { $0.contains("▀") } }
    #expect(outer.commands == [])
    #expect(try placeholders(interface.screen()) == 0)
    #expect(try interface.paneTitle == title)
  }
}
