import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

extension Interface {
  /// The title in the frame of the displayed prompt; nil if there is none.
  var promptTitle: String? {
    guard let line = lines.first(where: { $0.contains("┌") }) else { return nil }
    return line.split(separator: "─").first { $0.contains { $0.isLetter } && $0.hasPrefix(" ") && $0.hasSuffix(" ") }
      .map { $0.split(separator: " ").joined(separator: " ") }
  }
}

/// Tests of the boxes in which something is typed or chosen.
@Suite struct PromptTests {
  @Test(arguments: ["v", ":", "x", "w", "W", "E"])
  func aPromptStandsAboveTheScreenBefore(key: String) {
    var interface = Interface(playing: 0)
    let before = interface.lines
    interface.type(key)
    #expect(interface.promptTitle != nil)
    #expect(interface.lines[0] == before[0] && interface.lines[22] == before[22])
    #expect(interface.lines[23] == "", "the keys of the screen behind have no function")
    interface.press(.escape)
    #expect(interface.lines == before)
  }

  @Test func thePromptIsAboveTheScreenFromWhichItWasOpened() {
    var interface = Interface(playing: 0)
    interface.type("2v")
    #expect(interface.promptTitle == "Rating" && interface.lines[0].hasPrefix(" Player"))
  }

  @Test func theScreenBehindShowsWhatChanges() {
    var interface = Interface(playing: 0, at: 83)
    interface.type("v")
    #expect(interface.lines[22].hasSuffix("1:23 / 9:05"))
    interface.wait(.seconds(2))
    #expect(interface.lines[22].hasSuffix("1:25 / 9:05"))
    interface.send(.resized(ScreenSize(rows: 30, columns: 120)))
    #expect(interface.lines.count == 30 && interface.promptTitle == "Rating" && interface.lines[0].hasPrefix(" Queue"))
  }

  @Test func theMouseDoesNotReachTheScreenBehind() {
    var interface = Interface(playing: 0)
    interface.type("v")
    for row in interface.lines.indices {
      for column in [0, 2, 78] { interface.mouse(.press, row: row, column: column) }
    }
    #expect(interface.promptTitle == "Rating" && interface.calls == [])
  }

  @Test func thePicturesThatABoxWouldCoverInPartAreNotDisplayed() {
    let cover = Art(path: "/c.png", uri: "file:///music/0.flac", width: 600, height: 600)
    var interface = Interface(rows: 30, columns: 100, playing: 0, cover: cover)
    interface.send(.input(.graphics(GraphicsTerminal(graphicsProtocol: .kitty))))
    interface.type("2")
    #expect(interface.model.frame().pictures.count == 1)
    interface.type("v")
    #expect(interface.model.frame().pictures == [])
  }

  @Test func theBoxStandsBesideAPictureIfThereIsRoom() {
    let cover = Art(path: "/c.png", uri: "file:///music/0.flac", width: 600, height: 600)
    var interface = Interface(rows: 30, columns: 110, playing: 0, cover: cover)
    interface.send(.input(.graphics(GraphicsTerminal(graphicsProtocol: .kitty))))
    let pictures = interface.model.frame().pictures
    #expect(pictures.count == 1, "the pane beside the queue has the cover")
    interface.type("v")
    #expect(interface.model.frame().pictures == pictures && interface.promptTitle == "Rating")
  }

  @Test func theBoxStaysInTheMiddleIfItWouldCoverOtherPicturesBesideThem() throws {
    let cover = Art(path: "/c.png", uri: "file:///music/0.flac", width: 600, height: 600)
    var interface = Interface(rows: 50, columns: 240, playing: 0, cover: cover)
    interface.library = FakeLibrary(albumCount: 40)
    interface.send(.input(.graphics(GraphicsTerminal(graphicsProtocol: .kitty))))
    interface.type("3")
    let columns = interface.model.frame().pictures.map(\.position.column)
    #expect(columns.contains { $0 < 60 } && columns.contains { $0 > 160 })
    interface.type(":")
    let line = try #require(interface.lines.first { $0.contains("┌") })
    let before = try #require(line.firstIndex(of: "┌"))
    let after = try #require(line.firstIndex(of: "┐"))
    #expect(line.distance(from: line.startIndex, to: before) == (240 - 66) / 2)
    #expect(line.distance(from: before, to: after) == 65)
  }

  @Test func withoutDecorationThePromptHasTheScreen() {
    let plain = Appearance(isUnicode: true, isColored: false, decoration: .none)
    var interface = Interface(appearance: plain, playing: 0)
    interface.type("v")
    #expect(interface.lines[0] == " Rating" || interface.lines[0].hasPrefix(" Rating "))
    #expect(!interface.screen.contains("┌") && !interface.screen.contains("Queue"))
  }

  @Test func aRatingIsDisplayedAsStarsWhileItIsTyped() {
    var interface = Interface(playing: 0)
    interface.type("v")
    #expect(!interface.screen.contains("☆"))
    interface.type("7")
    #expect(interface.screen.contains("From 0 to 10: 7    ★★★½☆"))
    interface.press(.backspace)
    interface.type("10")
    #expect(interface.screen.contains("From 0 to 10: 10   ★★★★★"))
    interface.type("0")
    #expect(!interface.screen.contains("★"))
  }
}
