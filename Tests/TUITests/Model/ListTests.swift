import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the list screen: keys and mouse in, requests and screens out.
@Suite struct ListTests {
  @Test func enterPlaysTheFocusedTrackAndShowsThePlayer() {
    var interface = Interface()
    interface.press(.down)
    interface.press(.enter)
    #expect(interface.calls == [.play(id: 101)])
    #expect(interface.lines[0].hasPrefix(" Player"))
  }

  @Test func openingTheCurrentTrackDoesNotRestartIt() {
    var interface = Interface(playing: 1)
    #expect(interface.focusedRow?.contains("Колыбельная") == true)
    interface.press(.enter)
    #expect(interface.calls == [])
    #expect(interface.lines[0].hasPrefix(" Player"))
    interface.type("q")
    #expect(interface.lines[0].hasPrefix(" Queue") && interface.requests == [])
  }

  @Test func theCursorStandsOnTheFocusedRow() {
    var interface = Interface()
    #expect(interface.cursor == Position(row: 2, column: 0))
    interface.type("jj")
    #expect(interface.cursor == Position(row: 4, column: 0))
  }

  @Test func queueOfAMillionEntriesIsReadInPages() {
    var interface = Interface(Interface.queue(3_000))
    let atStart = interface.pagesRead
    #expect(atStart <= 2)
    interface.type("G")
    #expect(interface.focusedRow?.contains("Track 3000") == true)
    #expect(interface.pagesRead <= atStart + 2)
    interface.type("g")
    #expect(interface.focusedRow?.contains("Track 1 ") == true)
    // Scrolling page by page reads each page once.
    for _ in 0..<200 { interface.press(.pageDown) }
    #expect(interface.pagesRead <= 3_000 / ListLimits.pageLength + 6)
  }

  @Test func filterShowsMatchingTracksWhileTyping() {
    var interface = Interface(Interface.queue(1_200))
    interface.type("/track 119")
    #expect(interface.lines[0].contains("/track 119"))
    #expect(interface.lines[0].contains("12 of 1200"))
    #expect(interface.lines[2].contains("Track 119 "))
    interface.press(.backspace)
    #expect(interface.lines[0].contains("132 of 1200"))
    // Enter ends the typing, and the keys have their functions again.
    interface.press(.enter)
    interface.type("j")
    interface.press(.enter)
    #expect(interface.calls == [.play(id: 209)])
  }

  @Test func filterIgnoresCaseAndAccentsThatUnicodeComposes() {
    var interface = Interface()
    interface.type("/КОЛЫБ")
    #expect(interface.lines[0].contains("1 of 5"))
    interface.press(.escape)
    interface.type("/étude zoë")
    #expect(interface.lines[0].contains("1 of 5"))
    interface.type(" x")
    #expect(interface.screen.contains(ListMessages.noMatch))
  }

  @Test func theFocusStaysOnItsMatchWhenTheQueueChanges() {
    var interface = Interface(Interface.queue(50))
    interface.type("/track\rjjj")
    #expect(interface.focusedRow?.contains("Track 4 ") == true)
    interface.removeFirst(2)
    #expect(interface.focusedRow?.contains("Track 4 ") == true)
    #expect(interface.lines[0].contains("48 of 48"))
    // The matches stay on the screen until the new ones are complete.
    interface.answering = { _ in .later }
    interface.replaceQueue(Interface.queue(50))
    #expect(interface.focusedRow?.contains("Track 4 ") == true)
  }

  @Test func aFilterContinuesAfterALostConnection() {
    var interface = Interface()
    interface.answering = { _ in .later }
    interface.type("/o")
    interface.send(.disconnected(ClientError(.noDaemon, "gone")))
    interface.answering = { _ in .atOnce }
    interface.send(.connected)
    #expect(interface.lines[0].contains("3 of 5"))
    interface.type(" what")
    #expect(interface.lines[0].contains("1 of 5"))
  }

  @Test func escapeEndsTheFilterOnTheSameTrack() {
    var interface = Interface(Interface.queue(300))
    interface.type("/track 250")
    interface.press(.escape)
    #expect(interface.focusedRow?.contains("Track 250") == true)
    #expect(interface.lines[0].contains("300 tracks"))
  }

  @Test func pastedTextGoesIntoTheFilterOrNowhere() {
    var interface = Interface()
    interface.send(.input(.paste("qqq")))
    #expect(interface.requests == [] && interface.calls == [])
    interface.type("/")
    interface.send(.input(.paste("so what")))
    #expect(interface.lines[0].contains("1 of 5"))
  }

  @Test func selectedTracksAreRemovedTogether() {
    var interface = Interface()
    interface.type("  j ")
    #expect(interface.lines[0].contains("3 of 5 tracks are selected"))
    #expect(interface.lines.filter { $0.contains("●") }.count == 3)
    interface.type("d")
    #expect(interface.calls == [.remove([100, 101, 103])])
    #expect(interface.statusLine.contains("3 tracks are removed"))
  }

  @Test func tracksThatLeaveTheQueueAreDeselected() {
    var interface = Interface()
    interface.type("   ")
    interface.replaceQueue(Array(Interface.album.dropFirst(2)))
    #expect(interface.lines[0].contains("1 of 3 tracks are selected"))
    interface.type("d")
    #expect(interface.calls == [.remove([102])])
    interface.type(" ")
    interface.replaceQueue([])
    #expect(!interface.lines[0].contains("selected"))
  }

  @Test func aSelectionIsVisibleInAFilter() {
    var interface = Interface()
    interface.type("  /what")
    #expect(interface.lines[0].contains("1 of 5, 2 selected"))
  }

  @Test func changesOfTheQueueAreUndoneAndRedoneByAKey() {
    var interface = Interface()
    interface.type("uU")
    #expect(interface.calls == [.undo, .redo])
    interface.send(.response(.undo, .success(interface.result(of: QueueStep(action: .remove, tracks: 3)))))
    #expect(interface.statusLine.contains("The removal of 3 tracks is undone."))
    interface.send(.response(.redo, .success(interface.result(of: QueueStep(action: .clear, tracks: 3)))))
    #expect(interface.statusLine.contains("All tracks are removed from the queue again."))
  }

  @Test func withoutASelectionTheFocusedTrackIsRemoved() {
    var interface = Interface()
    interface.press(.down)
    interface.press(.delete)
    #expect(interface.calls == [.remove([101])])
  }

  @Test func tracksMoveByOnePlace() {
    var interface = Interface()
    interface.type("jJ")
    #expect(interface.calls == [.move([101], to: 2)])
    interface.type("gK")
    #expect(interface.calls.count == 1 && interface.statusLine.contains(ListMessages.alreadyFirst))
    interface.type("  K")
    #expect(interface.calls.count == 1 && interface.statusLine.contains(ListMessages.alreadyFirst))
    interface.type("J")
    #expect(interface.calls.last == .move([100, 102], to: 1))
  }

  @Test func selectedTracksThatAreApartComeTogetherWhenTheyMove() {
    var interface = Interface()
    interface.type(" jj K")
    #expect(interface.calls == [.move([100, 103], to: 0)])
  }

  @Test func tracksDoNotMoveWhileAFilterIsActive() {
    var interface = Interface()
    interface.type("/o\rJ")
    #expect(interface.calls == [] && interface.screen.contains("a filter is active"))
  }

  @Test func clearingTheQueueNeedsASecondPress() {
    var interface = Interface()
    interface.type("c")
    #expect(interface.calls == [] && interface.statusLine.contains("all 5 tracks"))
    interface.type("jc")
    #expect(interface.calls == [])
    interface.type("c")
    #expect(interface.calls == [.clear])
  }

  @Test func onlyTheKeyAfterTheQuestionConfirmsIt() {
    var interface = Interface()
    for keys in ["cpc", "c?\u{1B}", "cyc", "c/x\u{1B}"] {
      interface.type(keys)
      interface.press(.escape)
    }
    interface.type("c")
    interface.mouse(.press, row: 3, column: 10)
    interface.type("c")
    interface.send(.response(.seekBy(.seconds(5)), .failure(ClientError(.failed, "x", kind: "not_seekable"))))
    interface.type("c")
    #expect(!interface.calls.contains(.clear))
    interface.type("c")
    #expect(interface.calls.last == .clear)
  }

  @Test func theFocusStaysOnItsTrackWhenTheQueueChanges() {
    var interface = Interface(Interface.queue(50))
    interface.type("jjj")
    #expect(interface.focusedRow?.contains("Track 4 ") == true)
    interface.removeFirst(2)
    #expect(interface.focusedRow?.contains("Track 4 ") == true)
    #expect(interface.lines[0].contains("48 tracks"))
  }

  @Test func theCurrentTrackIsFocusedAtTheStartAndByAKey() {
    var interface = Interface(Interface.queue(400), playing: 222)
    #expect(interface.focusedRow?.contains("Track 223") == true)
    interface.type("g")
    #expect(interface.focusedRow?.contains("Track 1 ") == true)
    interface.type("o")
    #expect(interface.focusedRow?.contains("Track 223") == true)
  }

  @Test func aClickFocusesAndADoubleClickPlays() {
    var interface = Interface()
    interface.mouse(.press, row: 4, column: 10)
    interface.mouse(.release, row: 4, column: 10)
    #expect(interface.focusedRow?.contains("夜明け前") == true && interface.calls == [])
    interface.mouse(.press, row: 4, column: 10)
    #expect(interface.calls == [.play(id: 102)])
  }

  @Test func theMouseMayMoveOneColumnDuringADoubleClick() {
    var interface = Interface()
    interface.mouse(.press, row: 4, column: 10)
    interface.mouse(.press, row: 4, column: 12)
    interface.mouse(.press, row: 5, column: 12)
    #expect(interface.calls == [])
    interface.mouse(.press, row: 5, column: 11)
    #expect(interface.calls == [.play(id: 103)])
  }

  @Test func slowClicksAreNoDoubleClick() {
    var interface = Interface()
    interface.mouse(.press, row: 4, column: 10)
    interface.wait(.milliseconds(500))
    interface.mouse(.press, row: 4, column: 10)
    #expect(interface.calls == [])
  }

  @Test func theWheelScrolls() {
    var interface = Interface(Interface.queue(300))
    for _ in 0..<10 { interface.mouse(.wheelDown, row: 5, column: 5) }
    #expect(interface.lines[2].contains("Track 31 "))
    for _ in 0..<20 { interface.mouse(.wheelUp, row: 5, column: 5) }
    #expect(interface.lines[2].contains("Track 1 "))
  }

  @Test func aClickOnAKeyPerformsItsCommand() throws {
    var interface = Interface(playing: 0)
    let line = interface.lines[23]
    let column = try #require(line.firstRange(of: "p Play/pause"))
    interface.mouse(.press, row: 23, column: line.distance(from: line.startIndex, to: column.lowerBound))
    #expect(interface.calls == [.toggle])
  }

  @Test func disabledCommandsSayWhy() {
    var interface = Interface([])
    #expect(interface.screen.contains(ListMessages.empty) && interface.screen.contains("MusicFolder="))
    interface.library = FakeLibrary(albumCount: 1)
    interface.announceLibrary()
    #expect(interface.screen.contains("“Library” (3) shows the library, and “Search” (5) searches for music."))
    for key in ["p", ">", "/", "d", "c", " ", "\r"] {
      interface.type(key)
      #expect(interface.statusLine.contains("The queue is empty."), "\(key)")
    }
    interface.type("s")
    #expect(interface.statusLine.contains(PlaybackMessages.alreadyStopped))
    interface.type("o")
    #expect(interface.statusLine.contains(ModelMessages.noCurrentTrack(interface.model.state)))
    interface.type("y")
    #expect(interface.statusLine.contains("The key y has no function here."))
    #expect(interface.calls == [])
  }
}
