import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of clicks at the edges of lists and in lists that change.
@Suite struct MouseTests {
  /// The first and the last row of the list on a screen of 24 rows.
  private static let edges = [2, 20]

  private static func doubleClick(_ interface: inout Interface, row: Int) {
    for _ in 0..<2 { interface.mouse(.press, row: row, column: 10) }
  }

  @Test(arguments: edges) func aDoubleClickAtTheEdgeOfTheQueuePlaysTheRowUnderTheMouse(_ row: Int) {
    var interface = Interface(Interface.queue(100))
    for _ in 0..<10 { interface.mouse(.wheelDown, row: 5, column: 5) }
    Self.doubleClick(&interface, row: row)
    #expect(interface.calls == [.play(id: UInt64(130 + row - 2))])
  }

  @Test(arguments: edges) func aDoubleClickAtTheEdgeOfAListOpensTheRowUnderTheMouse(_ row: Int) {
    var interface = Interface.library(100)
    for _ in 0..<10 { interface.mouse(.wheelDown, row: 5, column: 5) }
    Self.doubleClick(&interface, row: row)
    #expect(interface.lines[0].hasPrefix(" Album \(31 + row - 2) "))
  }

  @Test func aDoubleClickAtTheEdgeOfTheHelpPerformsTheCommandUnderTheMouse() {
    var interface = Interface(playing: 0)
    interface.type("?")
    let last = interface.lines.count - 3
    // The page is chosen so that a command that shows a screen stands at its edge.
    for _ in 0..<100 where !interface.lines[last].contains("Rates the track from 0 to 10.") {
      interface.press(.down)
    }
    Self.doubleClick(&interface, row: last)
    #expect(interface.promptTitle == "Rating")
  }

  @Test func aKeyAfterAClickAtTheEdgeScrollsTheList() {
    var interface = Interface(Interface.queue(100))
    interface.mouse(.press, row: 20, column: 10)
    #expect(interface.focusedRow?.contains("Track 19 ") == true && interface.lines[2].contains("Track 1 "))
    interface.type("j")
    #expect(interface.focusedRow?.contains("Track 20 ") == true && interface.lines[2].contains("Track 4 "))
  }

  @Test func aDoubleClickOnARowThatHasChangedBetweenThePressesOpensNothing() {
    var interface = Interface(Interface.queue(10))
    interface.mouse(.press, row: 5, column: 10)
    interface.removeFirst(1)
    interface.mouse(.press, row: 5, column: 10)
    #expect(interface.calls == [] && interface.focusedRow?.contains("Track 5 ") == true)
  }

  /// The clicks wait for the change. When the first one shows the help, the last line has no “Help” any more.
  @Test func clicksThatHaveWaitedActOnlyOnTheScreenThatTheyWereMeantFor() {
    var interface = Interface(Interface.queue(10))
    interface.answering = { if case .remove = $0 { .later } else { .atOnce } }
    interface.type("d")
    let help = interface.lines[23].distance(
      from: interface.lines[23].startIndex, to: interface.lines[23].range(of: "? Help")!.lowerBound)
    interface.type("d")
    for _ in 0..<3 {
      interface.mouse(.press, row: 23, column: help)
      interface.mouse(.release, row: 23, column: help)
    }
    #expect(interface.lines[0].hasPrefix(" Queue"))
    interface.answerAll()
    #expect(interface.lines[0].hasPrefix(" Keys"))
    interface.press(.escape)
    #expect(interface.lines[0].hasPrefix(" Queue"))
  }
}
