import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of what narrow and low screens display: nothing that a user needs is left out without a sign.
@Suite struct NarrowScreenTests {
  /// The keys that show the list of all keys.
  private static let keysScreen = "Sjj\r"

  private static func interface(_ keys: String, rows: Int = 12) -> Interface {
    Interface.items(keys, rows: rows, columns: 40)
  }

  /// Returns the last lines of the screen as one text.
  private static func end(_ interface: Interface, lines count: Int) -> String {
    interface.lines.suffix(count).flatMap { $0.split { " │".contains($0) } }.joined(separator: " ")
  }

  @Test(arguments: [
    ("5", CatalogMessages.prompt), ("?", Command.open.summary),
    ("S", SettingsMessages.summary(.theme, Interface().model.state)),
    (keysScreen, Command.help.summary),
  ])
  func theHintOfAScreenIsDisplayedInFull(keys: String, hint: String) {
    #expect(Self.end(Self.interface(keys), lines: 3).contains(hint))
  }

  @Test(arguments: [
    ("w", PlaylistMessages.usage(.queue)), ("v", RatingMessages.usage), ("x", SleepMessages.usage),
    (":", SeekMessages.usage), ("E", ArrangeMessages.usage),
  ])
  func theHintOfAPromptIsDisplayedInFull(keys: String, hint: String) {
    for rows in [8, 10, 12, 24] {
      let interface = Self.interface(keys, rows: rows)
      #expect(Self.end(interface, lines: rows).contains(hint), "\(interface.screen)")
    }
  }

  @Test func theHelpSaysInItsFirstLineHowItIsUsed() {
    #expect(Self.interface("?").lines[0].contains(HelpMessages.usage))
  }

  @Test func theHelpDisplaysTheKeysOfACommandInFullIfThereIsRoom() {
    let interface = Interface.items("?")
    #expect(interface.lines.contains { $0.hasPrefix(" J, Alt-Down, Shift-Down  Moves") })
  }

  @Test(arguments: ["?", "S", keysScreen])
  func theHintDoesNotCoverTheFocusedRow(keys: String) {
    var interface = Self.interface(keys, rows: 8)
    for _ in 0..<60 {
      #expect(interface.focusedRow != nil)
      interface.press(.down)
    }
  }

  @Test func aMessageIsDisplayedInFullIfHalfOfTheScreenHasRoomForIt() {
    var interface = Self.interface("")
    let words = (1...40).map { "word\($0)" }
    func fail(_ words: [String]) {
      let error = ClientError(.failed, words.joined(separator: " "))
      interface.send(.response(.seekBy(.seconds(5)), .failure(error)))
    }
    fail(Array(words.prefix(25)))
    #expect(words.prefix(25).allSatisfy(interface.screen.contains))
    fail(words)
    #expect(interface.statusLine.hasSuffix("…") && interface.lines[5].contains("word1 "))
  }

  @Test func aHintThatIsCutEndsWithAnEllipsis() {
    let interface = Interface.library(0, rows: 10, columns: 40)
    #expect(interface.lines[2...].last { !$0.isEmpty && !$0.hasPrefix(" Enter") }?.hasSuffix("…") == true)
  }

  @Test func allLinesOfTheFirstSentenceOfAnEmptyListAreEmphasized() throws {
    var interface = Self.interface("")
    interface.library.failure = ClientError(.failed, "the library cannot be read because of a long reason")
    interface.type("3")
    let row = try #require(interface.lines.firstIndex { $0.contains("long reason") })
    #expect(interface.lines[row - 1].contains("cannot be read"))
    #expect(interface.look(row: row, column: 4) == .plain && interface.look(row: row + 1, column: 4) == .dim)
  }

  @Test func theMarksOfAnOutputFollowATruncatedName() {
    var interface = Self.interface("")
    interface.library.outputs[1].description = "USB Headset with a name that is much too long"
    interface.library.chosenOutput = interface.library.outputs[1].name
    interface.type("O")
    #expect(interface.lines[3].hasPrefix("     USB Headset with a n") && interface.lines[3].hasSuffix("…  (chosen)"))
  }
}
