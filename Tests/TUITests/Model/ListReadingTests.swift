import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of lists that arrive late, change while they are read, or are read again.
@Suite struct ListReadingTests {
  private static func answerReadsLater(_ interface: inout Interface) {
    interface.answering = { if case .read = $0 { .later } else { .atOnce } }
  }

  @Test func aListIsDisplayedAlthoughTheLibraryChangesFasterThanItIsRead() {
    var interface = Interface()
    interface.library = FakeLibrary(albumCount: 20)
    Self.answerReadsLater(&interface)
    interface.type("3")
    for _ in 0..<3 {
      interface.library.tracks.removeLast()
      interface.announceLibrary()
      interface.answer()
      #expect(interface.lines[2].contains("Blue Train") && interface.lines[0].contains("20 albums"))
    }
    interface.answerAll()
    #expect(interface.delayed == [])
  }

  /// The letters after the key of the filter are its text, and no commands.
  @Test func aFilterThatIsTypedBeforeTheListArrivesFiltersIt() {
    var interface = Interface.items("")
    Self.answerReadsLater(&interface)
    interface.type("3/zoa")
    interface.answerAll()
    #expect(interface.lines[0].hasPrefix(" /zoa") && interface.calls == [])
    interface.press(.backspace)
    interface.answerAll()
    #expect(interface.lines[2].contains("Zoë & Æther"))
  }

  @Test func aScreenOfTheMaximumHeightReadsEachPageOnce() {
    var interface = Interface(Interface.queue(2_000), rows: 512)
    Self.answerReadsLater(&interface)
    // The rows of the list span nine pages now.
    for _ in 0..<4 { interface.mouse(.wheelDown, row: 50, column: 5) }
    for _ in 0..<5 { interface.answer() }
    #expect(interface.delayed == [])
    interface.type("d")
    #expect(interface.calls.count == 1)
  }

  @Test func aListThatIsReadAgainKeepsItsFocusedItem() {
    var interface = Interface.items("O")
    interface.type("j")
    #expect(interface.focusedRow?.contains("Headphones") == true)
    var device = interface.library.outputs[0]
    (device.name, device.description, device.isCurrent) = ("sink.HDMI", "HDMI", false)
    interface.library.outputs.insert(device, at: 0)
    interface.press(.function(5))
    #expect(interface.lines[2].contains("HDMI") && interface.focusedRow?.contains("Headphones") == true)
  }

  @Test func aFilterIsReadAgainByAKey() {
    var interface = Interface.library(10)
    interface.type("/album 7\r")
    #expect(interface.lines[0].contains("1 of 10"))
    var album = interface.library.albums[6]
    (album.id, album.uri, album.title) = (99, "segue:album/99", "Album 7, second edition")
    interface.library.albums.append(album)
    interface.press(.function(5))
    #expect(interface.lines[0].contains("2 of 11"))
  }

  @Test func aKeyThatIsHeldRequestsAListOnlyOnceAtATime() {
    var interface = Interface.library(10)
    Self.answerReadsLater(&interface)
    for _ in 0..<10 { interface.press(.function(5)) }
    #expect(interface.delayed.count == 1)
    interface.answer()
    // The answer is older than the last press.
    #expect(interface.delayed.count == 1)
    interface.answer()
    #expect(interface.delayed == [])
  }

  /// The daemon sends the event of a change before the response to it.
  @Test func aListIsReadOnceAfterAChangeOfTheUser() {
    var interface = Interface.items("7")
    interface.answering = { _ in .later }
    let before = interface.pagesRead
    interface.type("*")
    interface.send(.changed(.favorites(ListVersion(version: 1))))
    interface.answerAll()
    #expect(interface.calls.count == 1 && interface.pagesRead == before + 1)
  }

  @Test func aListIsReadAfterAChangeOfTheUserWhoseEventIsLate() {
    var interface = Interface.items("7")
    interface.answering = { _ in .later }
    let before = interface.pagesRead
    interface.send(.changed(.favorites(ListVersion(version: 1))))
    interface.answerAll()
    interface.type("*")
    interface.answerAll()
    #expect(interface.pagesRead == before + 2)
  }

  @Test func theOutputsAreReadAgainAfterAnEventOfTheOutput() {
    var interface = Interface.items("O")
    let before = interface.pagesRead
    interface.change { $0.output.underruns += 1 }
    #expect(interface.pagesRead == before)
    for index in 0...1 { interface.library.outputs[index].isCurrent.toggle() }
    interface.send(.changed(.output(Output())))
    #expect(interface.pagesRead == before + 1 && interface.lines[3].hasPrefix(" ▶   Headphones"))
  }

  @Test func aFilterThatIsGivenUpLeavesTheListAtItsPlace() {
    var interface = Interface(Interface.queue(1_000))
    for _ in 0..<10 { interface.press(.pageDown) }
    let before = (interface.focusedRow, interface.lines[2])
    for keys in ["/", "/there is no such text", "/track\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}"] {
      interface.type(keys)
      interface.press(.escape)
      #expect((interface.focusedRow, interface.lines[2]) == before, "\(keys)")
    }
    interface.type("/there is no such text")
    interface.removeFirst(2)
    interface.press(.escape)
    #expect(interface.focusedRow?.contains("Track 181 ") == true)
  }

  @Test func aFilterThatIsGivenUpLeavesTheLibraryAtItsPlace() {
    var interface = Interface.library(500)
    for _ in 0..<10 { interface.press(.pageDown) }
    let before = interface.focusedRow
    interface.type("/there is no such text")
    interface.press(.escape)
    #expect(interface.focusedRow == before)
  }

  @Test func aKeyWaitsForARowThatIsStillLoading() {
    var interface = Interface.library(3_000)
    Self.answerReadsLater(&interface)
    interface.type("G\r")
    #expect(!interface.screen.contains(ItemMessages.nothingFocused))
    interface.answerAll()
    #expect(interface.lines[0].hasPrefix(" Album 3000 "))
  }

  @Test func aKeyWaitsForAScreenThatIsStillLoading() {
    var interface = Interface.items("")
    Self.answerReadsLater(&interface)
    interface.type("3y")
    interface.answerAll()
    #expect(interface.calls == [.playItems(["segue:album/1"])])
  }

  @Test func aKeyForSelectedRowsDoesNotWaitForTheFocusedOne() {
    var interface = Interface.library(3_000)
    interface.type("   ")
    Self.answerReadsLater(&interface)
    interface.type("Ga")
    #expect(interface.calls == [.add((1...3).map { "segue:album/\($0)" }, .end)])
  }

  @Test func selectedRowsAreMeantInAFilterWithoutMatches() {
    var library = Interface.library(30)
    library.type("   /there is no such text\ra")
    #expect(library.calls == [.add((1...3).map { "segue:album/\($0)" }, .end)])
    var queue = Interface(Interface.queue(30))
    queue.type("   /there is no such text\rd")
    #expect(queue.calls == [.remove([100, 101, 102])])
  }
}
