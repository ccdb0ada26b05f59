import SegueClientKit
import SegueSystem
import Testing

@testable import SegueTUI

/// Tests of the help.
@Suite struct HelpTests {
  @Test func theHelpFindsCommandsAndPerformsThem() {
    var interface = Interface(playing: 0)
    interface.type("?")
    #expect(interface.lines[0].hasPrefix(" Keys"))
    interface.type("unmutes")
    #expect(interface.lines[3].hasPrefix(" m ") && interface.lines[4] == "")
    interface.press(.enter)
    #expect(interface.calls == [.mute(true)])
    #expect(interface.lines[0].hasPrefix(" Queue"))
  }

  @Test func theHelpSaysWhyACommandIsDisabled() {
    var interface = Interface([])
    interface.type("?pauses")
    #expect(interface.lines[3].contains("Not now: "))
    #expect(interface.statusLine.contains(PlaybackMessages.emptyQueue(interface.model.state)))
  }

  @Test func aSearchInTheHelpFindsTheCommandsOfOtherScreens() {
    var interface = Interface(playing: 0)
    interface.type("?")
    #expect(!interface.screen.contains("In “"))
    interface.type("renames")
    #expect(interface.lines[3].hasPrefix(" e "))
    #expect(interface.lines[3].contains("In “Playlists” (8): Renames the playlist."))
    interface.press(.enter)
    #expect(interface.lines[0].hasPrefix(" Playlists"))
    for text in ["lyrics", "theme", "language", "crossfade", "random", "device", "seek"] {
      interface.type("1?\(text)")
      #expect(!interface.screen.contains(HelpMessages.nothing), "\(text)")
      interface.press(.escape)
    }
  }

  @Test func aCommandOfAnotherTabIsFoundButNotPerformed() {
    var interface = Interface.items("3333")
    #expect(interface.lines[0].contains("[More]") || interface.lines[0].contains(" More "))
    interface.type("?tiles and a table")
    #expect(interface.lines[3].hasPrefix(" t ") && interface.lines[3].contains("Not now: "))
    #expect(interface.screen.contains(HelpMessages.inAnotherView))
    interface.press(.enter)
    #expect(interface.lines[0].hasPrefix(" Keys") && interface.requests == [])
    interface.press(.escape)
    interface.send(.input(.graphics(GraphicsTerminal(graphicsProtocol: .halfBlocks))))
    interface.type("3?tiles and a table\r")
    #expect(interface.requests.count == 1, "the albums are a table now")
  }

  @Test func escapeLeavesTheHelp() {
    var interface = Interface()
    interface.type("?")
    interface.type("q")
    #expect(interface.lines[0].hasPrefix(" Keys") && interface.requests == [])
    interface.press(.escape)
    #expect(interface.lines[0].hasPrefix(" Queue"))
  }

  @Test func theHelpScrollsWithoutADaemon() {
    var interface = Interface(rows: 10, columns: 40, isConnected: false)
    interface.type("?")
    for _ in 0..<12 { interface.press(.down) }
    #expect(interface.focusedRow != nil && interface.lines[3].hasPrefix(" ") && !interface.screen.contains("Enter  "))
  }
}
