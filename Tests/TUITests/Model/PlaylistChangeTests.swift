import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of playlists whose entries are removed while the daemon answers late.
@Suite struct PlaylistChangeTests {
  private static let name = "Вечер"

  /// Returns an interface that shows a playlist of 10 entries, and answers when the test says so.
  private static func playlist() -> Interface {
    var interface = Interface.items("")
    interface.library.entryURIs = (0..<10).map { "file:///music/1/\($0).flac" }
    interface.type("8")
    interface.press(.enter)
    return interface
  }

  /// Answers everything, and removes the entries that calls name, as the daemon does.
  private static func answerAll(_ interface: inout Interface) {
    while let call = interface.delayed.first {
      if case .removeFromPlaylist(_, let indices, _) = call {
        for index in indices.sorted().reversed() { interface.library.entryURIs.remove(at: index) }
      }
      interface.answer()
    }
  }

  private static func remaining(_ interface: Interface) -> [String] {
    interface.library.entryURIs.map { String($0.split(separator: "/").last!.prefix(1)) }
  }

  @Test func aBurstOfRemovalsInAFilterRemovesOnlyMatches() {
    var interface = Self.playlist()
    interface.library.titles = ["file:///music/1/2.flac": "foo", "file:///music/1/5.flac": "foo"]
    interface.press(.function(5))
    interface.type("/foo\r")
    #expect(interface.lines[0].contains("2 of 10"))
    interface.answering = { _ in .later }
    interface.type("dddd")
    #expect(interface.calls == [.removeFromPlaylist(name: Self.name, indices: [2], uris: ["file:///music/1/2.flac"])])
    Self.answerAll(&interface)
    #expect(Self.remaining(interface) == ["0", "1", "3", "4", "6", "7", "8", "9"])
    #expect(interface.lines[0].contains("0 of 8"))
  }

  @Test func navigationAfterARemovalWaitsForTheListThatTheUserSees() {
    var interface = Self.playlist()
    interface.answering = { _ in .later }
    interface.type("jddj")
    #expect(interface.cursor?.row == 3)
    interface.type("dd")
    Self.answerAll(&interface)
    #expect(Self.remaining(interface) == ["0", "2", "4", "5", "6", "7", "8", "9"])
  }

  @Test func aClickOnTheKeyOfARemovalWaitsForTheListThatTheUserSees() throws {
    var interface = Interface(Interface.queue(50))
    let line = interface.lines[23]
    let column = try #require(line.firstRange(of: "d Remove"))
    interface.answering = { _ in .later }
    for _ in 0..<2 {
      interface.mouse(.press, row: 23, column: line.distance(from: line.startIndex, to: column.lowerBound))
    }
    #expect(interface.calls == [.remove([100])])
    interface.answerAll()
    #expect(interface.calls == [.remove([100]), .remove([101])])
  }

  @Test func aRemovalFromTheHelpWaitsForTheListThatTheUserSees() {
    var interface = Interface(Interface.queue(50))
    interface.answering = { _ in .later }
    interface.type("d?from the list, or deletes\r")
    #expect(interface.lines[0].hasPrefix(" Queue") && interface.calls == [.remove([100])])
    interface.answerAll()
    #expect(interface.calls == [.remove([100]), .remove([101])])
  }

  @Test func navigationInOtherListsWaitsForNothing() {
    var interface = Interface.library(30)
    interface.answering = { _ in .later }
    interface.type("*jj")
    #expect(interface.focusedRow?.contains("夜明け") == true)
  }

  @Test(arguments: ["", "/ni\r"]) func aBurstOfDeletionsDeletesThePlaylistsThatTheUserSees(filter: String) {
    var interface = Interface.items("")
    interface.library.playlists = ["Night 1", "Night 2", "Night 3"].map {
      PlaylistInfo(
        name: $0, uri: "segue:playlist/\($0)", trackCount: 3, duration: .seconds(600),
        modified: UnixTime(nanoseconds: 1_700_000_000_000_000_000))
    }
    interface.type("8\(filter)")
    interface.answering = { _ in .later }
    interface.type("dddd")
    #expect(interface.calls == [.deletePlaylist(name: "Night 1")])
    interface.library.playlists.removeFirst()
    interface.answerAll()
    #expect(interface.calls == [.deletePlaylist(name: "Night 1"), .deletePlaylist(name: "Night 2")])
  }
}
