import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of both programs in tmux and GNU Screen, which take the text of an application program command for a title.
@Suite struct MultiplexerTests {
  private let server: PulseServer
  private let daemon: DaemonProcess
  private let interface: InterfaceProcess

  /// Starts a daemon with a current track, whose cover both programs would display, and a shell in tmux.
  init() throws {
    server = try PulseServer()
    daemon = try DaemonProcess(pulse: server, running: false)
    try SmallFile.write(SineWave.wave(0..<44_100), to: daemon.directory.appending("music/First.wav"))
    try daemon.start()
    let client = try daemon.connect()
    try waitUntil("the queue is filled") { try client.call("status")["length"]?.int == 1 }
    try client.call("next")
    interface = try InterfaceProcess(daemon.socket)
    try interface.waitFor("First")
    interface.keys("q")
    #expect(try interface.isRestored())
  }

  /// Neither the variables of tmux nor its name in TERM are needed to recognize it: another machine or user does not
  /// see them.
  @Test(arguments: ["tmux-256color", "screen-256color", "xterm-256color", "linux"])
  func theTitleOfAPaneOfTmuxStays(term: String) throws {
    let title = try interface.paneTitle
    for variables in ["env", "env -u TMUX -u TMUX_PANE"] {
      interface.keys("clear; \(variables) TERM=\(term) segue status; echo end $?", "Enter")
      try interface.waitFor("end 0")
      #expect(try interface.paneTitle == title)
      interface.keys("\(variables) TERM=\(term) segue ui", "Enter")
      try interface.waitFor("? Help")
      // The title is the former one or that of the track, and in the end the former one.
      let shown = try interface.paneTitle
      #expect(shown == title || shown.contains(" First"), "\(shown)")
      interface.keys("q")
      #expect(try interface.isRestored())
      #expect(try interface.paneTitle == title)
    }
  }

  @Test func theStatusLineOfScreenStays() throws {
    let folder = try TemporaryFolder()
    // Without `autodetach off`, screen and the programs in it would outlive the test.
    let configuration = try folder.write(
      "screenrc",
      Array("startup_message off\nautodetach off\nhardstatus alwayslastline\nhardstatus string '<%h>'\n".utf8))
    interface.keys("clear; SCREENDIR=\(folder.path) exec screen -c \(configuration) dash", "Enter")
    try interface.waitFor("the status line") { $0.last { !$0.isEmpty }?.hasPrefix("<") == true }
    // A command of this kind changes the status line indeed.
    interface.keys(#"printf '\033_title\033\134'"#, "Enter")
    try interface.waitFor("<title>")
    interface.keys("clear; segue status; echo end $?", "Enter")
    try interface.waitFor("end 0")
    try interface.waitFor("<title>")
    interface.keys("segue ui", "Enter")
    try interface.waitFor("? Help")
    try interface.waitFor("<title>")
  }
}
