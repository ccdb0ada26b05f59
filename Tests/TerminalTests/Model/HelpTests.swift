import SegueSystem
import Testing

@testable import SegueTerminal

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
    #expect(interface.statusLine.contains(PlaybackMessages.emptyQueue))
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

/// Tests with random input.
@Suite struct RandomInputTests {
  private static let keys: [Key] =
    Command.allCases.flatMap { KeyBindings.standard.keys(for: $0) }.filter { $0 != .control("c") }
    + "abйцу名1 /?".map { .character($0) }

  /// After any input, Esc leads back to the list, and no screen draws outside of itself.
  @Test(arguments: [1, 2, 3, 4]) func escapeAlwaysLeadsBack(seed: UInt64) {
    var generator = LinearGenerator(state: seed)
    var interface = Interface(Interface.queue(150), playing: 3)
    for step in 0..<1_500 {
      switch UInt64.random(in: 0..<20, using: &generator) {
      case 0:
        let rows = Int.random(in: 0...60, using: &generator)
        interface.send(.resized(ScreenSize(rows: rows, columns: Int.random(in: 0...220, using: &generator))))
      case 1...3:
        let size = interface.model.state.size
        let action = [MouseEvent.Action.press, .drag, .release, .wheelUp, .wheelDown].randomElement(using: &generator)!
        interface.mouse(
          action, row: Int.random(in: 0...size.rows, using: &generator),
          column: Int.random(in: 0...size.columns, using: &generator))
      case 4: interface.wait(.milliseconds(Int.random(in: 0...2_000, using: &generator)))
      case 5: interface.replaceQueue(Interface.queue(Int.random(in: 4...300, using: &generator)))
      default: interface.send(.input(.key(Self.keys.randomElement(using: &generator)!)))
      }
      let frame = interface.model.frame()
      if let cursor = frame.cursor, frame.grid.size.rows > 0, frame.grid.size.columns > 0 {
        #expect(0..<frame.grid.size.rows ~= cursor.row && 0..<frame.grid.size.columns ~= cursor.column)
      }
      guard step % 50 == 49 else { continue }
      interface.send(.resized(ScreenSize(rows: 24, columns: 80)))
      for _ in 0..<12 { interface.press(.escape) }
      #expect(interface.lines[0].hasPrefix(" Queue"), "\(interface.screen)")
    }
  }
}

/// A generator of random numbers that a seed determines (the constants are those of Knuth's MMIX).
private struct LinearGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
