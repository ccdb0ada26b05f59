import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the player screen and of the commands of playback.
@Suite struct PlayerTests {
  private static let lyrics = Lyrics(
    uri: "file:///music/0.flac", source: .file, text: "one\ntwo\nthree",
    lines: [("one", 0), ("two", 83.4), ("three", 90)].map { Lyrics.Line(time: MediaTime(seconds: $0.1), text: $0.0) })

  private static func player(_ lyrics: Lyrics? = nil, change: (inout Status) -> Void = { _ in }) -> Interface {
    var interface = Interface(playing: 0, lyrics: lyrics, change: change)
    interface.press(.enter)
    return interface
  }

  @Test func thePlayerShowsTheTrackAndTheNextOne() {
    let screen = Self.player().screen
    for text in [
      "So What", "Miles Davis", "Kind of Blue", "1:23", "9:05", "Volume 80%", "Next: Колыбельная — Осцилляторы",
    ] {
      #expect(screen.contains(text), "\(text)")
    }
  }

  @Test func theCoverStandsBesideTheTextOnATerminalWithPictures() throws {
    let cover = Art(path: "/cover.png", uri: "file:///cover.png", width: 500, height: 500)
    var interface = Interface(playing: 0, cover: cover)
    interface.press(.enter)
    #expect(interface.model.frame().pictures.isEmpty)
    interface.send(.input(.graphics(GraphicsTerminal(graphicsProtocol: .kitty))))
    let placement = try #require(interface.model.frame().pictures.first)
    #expect(placement.path == FilePath("/cover.png") && placement.position == Position(row: 2, column: 3))
    // The picture is a square, and a cell is twice as high as wide.
    #expect(placement.box.columns == 2 * placement.box.rows)
    let grid = interface.model.frame().grid
    for row in 2..<(2 + placement.box.rows) {
      for column in 3..<(3 + placement.box.columns) { #expect(grid[row, column] == .blank) }
    }
    #expect(interface.cursor == Position(row: 2, column: 3 + placement.box.columns + 3))
    // There is no room for it on a small screen.
    interface.send(.resized(ScreenSize(rows: 10, columns: 40)))
    #expect(interface.model.frame().pictures.isEmpty)
  }

  @Test(arguments: [true, false]) func onALargeScreenTheTextWithoutLyricsStandsBelowTheCover(hasLyrics: Bool) throws {
    let cover = Art(path: "/cover.png", uri: "file:///cover.png", width: 500, height: 500)
    let lyrics = Lyrics(uri: "file:///music/0.flac", source: .file, text: "La", lines: nil)
    var interface = Interface(rows: 50, columns: 200, playing: 0, lyrics: hasLyrics ? lyrics : nil, cover: cover)
    interface.send(.input(.graphics(GraphicsTerminal(graphicsProtocol: .kitty))))
    interface.press(.enter)
    let area = try #require(interface.model.frame().pictures.first).area
    let row = try #require(interface.lines.firstIndex { $0.contains("Miles Davis") })
    #expect(hasLyrics == (row < area.row + area.rows))
    #expect(hasLyrics == (area.column == 3))
    #expect(hasLyrics || abs(2 * area.column + area.columns - 200) <= 1, "the cover is in the middle")
    #expect(interface.screen.contains(hasLyrics ? "La" : ".lrc"), "the text is not cut")
  }

  @Test func besideThePaneTheStatusLineNamesThePlaceInTheQueue() {
    var interface = Interface(rows: 30, columns: 120, playing: 0)
    #expect(
      interface.statusLine.hasPrefix(" ▶ playing · track 1 of 5 ") && interface.statusLine.hasSuffix("1:23 / 9:05"))
    interface.send(.resized(ScreenSize(rows: 30, columns: 100)))
    #expect(interface.statusLine.hasPrefix(" ▶ So What — Miles Davis"))
  }

  @Test func theClockTicksAtFullSeconds() {
    var interface = Self.player { $0.position = MediaTime(seconds: 83.25) }
    #expect(interface.model.nextTick == interface.now + .milliseconds(750))
    interface.wait(.milliseconds(750))
    #expect(interface.screen.contains("1:24"))
    #expect(interface.model.nextTick == interface.now + .seconds(1))
  }

  @Test func thePlayerIsShownOnlyOnce() {
    var interface = Self.player()
    interface.send(.resized(ScreenSize(rows: 1, columns: 40)))
    for column in 0..<3 { interface.mouse(.press, row: 0, column: column) }
    interface.send(.resized(ScreenSize(rows: 24, columns: 80)))
    interface.type("q")
    #expect(interface.lines[0].hasPrefix(" Queue"))
  }

  @Test func aSmallTerminalHasOnlyCommandsThatNeedNoScreen() {
    var interface = Interface(playing: 0)
    interface.send(.resized(ScreenSize(rows: 5, columns: 30)))
    interface.type("d cc/x2?\rj")
    interface.mouse(.press, row: 0, column: 3)
    interface.mouse(.wheelDown, row: 0, column: 3)
    #expect(interface.calls == [] && interface.requests == [])
    interface.type("p>q")
    #expect(interface.calls == [.toggle, .next] && interface.requests == [.quit])
    interface.send(.resized(ScreenSize(rows: 24, columns: 80)))
    #expect(interface.lines[0].hasPrefix(" Queue") && interface.lines[0].contains("5 tracks"))
    #expect(interface.focusedRow?.contains("So What") == true)
  }

  @Test func aMessageOnASmallTerminalLeavesTheTrackVisible() {
    var interface = Interface(playing: 0)
    interface.send(.resized(ScreenSize(rows: 5, columns: 30)))
    interface.type("/")
    #expect(interface.lines[0].contains("So What"))
    #expect(
      interface.lines[1...].joined(separator: " ").split(separator: " ").joined(separator: " ")
        == ModelMessages.tooSmall)
    interface.send(.resized(ScreenSize(rows: 1, columns: 60)))
    #expect(interface.lines[0].contains(ModelMessages.tooSmall))
    interface.type("p")
    #expect(interface.lines[0].contains("So What"))
  }

  @Test func anEmptyQueueIsNoChoice() {
    var interface = Interface([])
    interface.type("2")
    #expect(interface.statusLine.contains("The queue is empty. Add music with “Library” (3) or “Search” (5)."))
  }

  @Test func nothingTicksWhilePaused() {
    var interface = Self.player(Self.lyrics)
    interface.change { ($0.state, $0.rate) = (.paused, 0) }
    #expect(interface.model.nextTick == nil)
    let before = interface.model.frame()
    interface.wait(.seconds(60))
    #expect(interface.model.frame() == before)
  }

  @Test func nothingTicksBehindTheHelp() {
    var interface = Self.player()
    interface.type("?")
    #expect(interface.model.nextTick == nil)
  }

  @Test func timedLyricsFollowTheMusic() {
    var interface = Self.player(Self.lyrics)
    #expect(Self.sung(interface) == ["one"] && interface.screen.contains("two"))
    // The line changes between two seconds of the clock.
    #expect(interface.model.nextTick == interface.now + .milliseconds(400))
    interface.wait(.milliseconds(400))
    #expect(Self.sung(interface) == ["two"])
  }

  /// Returns the rows of the line that is sung: those below the heading in the colour of what plays.
  private static func sung(_ interface: Interface) -> [String] {
    let grid = interface.model.frame().grid
    let end = interface.model.frame().area(of: .progress)?.row ?? grid.size.rows
    let rows = (4..<end).filter { row in
      (0..<grid.size.columns).contains { grid[row, $0].look == Look(emphasis: .bold, color: .accent) }
    }
    return rows.map { interface.lines[$0].trimmingPrefix { $0 == " " || $0 == ">" }.description }
  }

  private static let longLine = (1...40).map { "word\($0)" }.joined(separator: " ")
  private static let wideLine = String(repeating: "夜明け前の歌", count: 20)

  /// Returns the words of the lyrics on the screen, without the marks before them.
  private static func words(_ interface: Interface, in rows: Range<Int>) -> [String] {
    interface.lines[rows].flatMap { $0.split(separator: " ") }.map(String.init).filter { $0 != ">" }
  }

  /// Each of the lines is sung for a second. The last ones fit together into the rest of the screen.
  @Test(arguments: [(24, 80), (24, 42), (20, 60), (40, 200)])
  func theWholeLineThatIsSungIsVisible(rows: Int, columns: Int) throws {
    let texts = ["one"] + (1...8).map { "\($0) \(Self.longLine)" } + [Self.wideLine, "end"]
    let lines = texts.enumerated().map { Lyrics.Line(time: .seconds(100 + $0), text: $1) }
    var interface = Self.player(Lyrics(uri: "file:///music/0.flac", source: .file, text: "", lines: lines))
    interface.send(.resized(ScreenSize(rows: rows, columns: columns)))
    interface.wait(.milliseconds(17_400))
    for text in texts {
      let found = Self.sung(interface)
      #expect(found.joined(separator: text == Self.wideLine ? "" : " ") == text, "\(interface.screen)")
      interface.wait(.seconds(1))
    }
  }

  /// A part of a line would read like another line.
  @Test(arguments: 14...30) func linesThatAreNotSungAreWholeOrNotDisplayed(rows: Int) {
    let texts = (0..<9).map { line in (1...15).map { "line\(line)word\($0)" } }
    let lines = texts.enumerated().map { Lyrics.Line(time: .seconds(81 + $0), text: $1.joined(separator: " ")) }
    var interface = Self.player(Lyrics(uri: "file:///music/0.flac", source: .file, text: "", lines: lines))
    interface.send(.resized(ScreenSize(rows: rows, columns: 60)))
    let words = Self.words(interface, in: 0..<rows)
    #expect(words.contains(texts[2][0]), "the line that is sung is displayed")
    for (line, text) in texts.enumerated() where line != 2 && text.contains(where: words.contains) {
      #expect(words.firstRange(of: text) != nil, "\(interface.screen)")
    }
  }

  @Test func longLinesOfLyricsAreBrokenBetweenWordsAndScrolledByRows() throws {
    let text = (1...9).map { "\($0) \(Self.longLine)" }.joined(separator: "\n") + "\n\nthe end"
    var interface = Self.player(Lyrics(uri: "file:///music/0.flac", source: .embedded, text: text, lines: nil))
    let words = text.split { $0 == " " || $0 == "\n" }.map(String.init)
    let rows = 6..<18
    #expect(words.starts(with: Self.words(interface, in: rows)))
    // Every row is visible on the way to the end.
    var seen = 0
    for _ in 0..<20 {
      let part = Self.words(interface, in: rows)
      let start = try #require(words[...].firstRange(of: part)?.lowerBound)
      #expect(start <= seen, "a row was skipped")
      seen = max(seen, start + part.count)
      interface.press(.pageDown)
    }
    #expect(seen == words.count && interface.lines[17].hasSuffix("the end"))
    // The text stays visible at another size.
    interface.send(.resized(ScreenSize(rows: 24, columns: 200)))
    #expect(interface.screen.contains("the end"))
    interface.send(.resized(ScreenSize(rows: 24, columns: 80)))
    for _ in 0..<20 { interface.press(.pageUp) }
    #expect(words.starts(with: Self.words(interface, in: rows)))
  }

  @Test func lyricsWithoutTimesAreScrolled() {
    let text = (1...40).map { "line \($0)" }.joined(separator: "\n")
    var interface = Self.player(Lyrics(uri: "file:///music/0.flac", source: .embedded, text: text, lines: nil))
    #expect(interface.screen.contains("line 1\n"))
    interface.press(.pageDown)
    #expect(!interface.screen.contains("line 5\n") && interface.screen.contains("line 6\n"))
    interface.mouse(.wheelUp, row: 10, column: 10)
    #expect(interface.screen.contains("line 3\n") && interface.calls == [])
  }

  @Test func aTrackWithoutLyricsSaysWhatWouldShowSome() {
    #expect(Self.player().screen.contains(".lrc"))
  }

  @Test func upAndDownDoNotChangeTheVolumeOfThePlayer() {
    var interface = Self.player()
    interface.press(.down)
    interface.press(.up)
    #expect(interface.calls == [] && interface.statusLine.contains(PlayerMessages.noLyrics))
  }

  @Test func keysSeekByHalfAMinuteAMinuteAndATenth() {
    var interface = Self.player()
    interface.type("FBLH}{")
    let fraction = 83 / 545.0
    let expected: [DaemonCall] = [
      .seekBy(.seconds(30)), .seekBy(.seconds(-30)), .seekBy(.seconds(60)), .seekBy(.seconds(-60)),
      .seekTo(fraction: fraction + 0.1), .seekTo(fraction: fraction - 0.1),
    ]
    #expect(interface.calls == expected)
    interface.wait(.seconds(300))
    interface.wait(.seconds(150))
    interface.type("}")
    #expect(interface.calls.last == .seekTo(fraction: 1), "the end of the track is the last place")
  }

  @Test(arguments: [
    ("12:30", DaemonCall.seek(to: .seconds(750))), ("90", .seek(to: .seconds(90))), ("+30", .seekBy(.seconds(30))),
    ("-1:00", .seekBy(.seconds(-60))), ("50%", .seekTo(fraction: 0.5)),
  ])
  func aTimeThatIsTypedIsSought(text: String, call: DaemonCall) {
    var interface = Interface(playing: 0)
    interface.type(":\(text)")
    #expect(interface.promptTitle == "Go to a time" && interface.screen.contains(text))
    interface.press(.enter)
    #expect(interface.calls == [call] && interface.lines[0].hasPrefix(" Queue"))
  }

  @Test func aTimeThatCannotBeReadChangesNothing() {
    var interface = Self.player()
    interface.type(":noon\r")
    #expect(interface.calls == [] && interface.statusLine.contains("This is no position."))
    interface.press(.escape)
    #expect(interface.lines[0].hasPrefix(" Player"))
    var radio = Self.player { $0.durationKind = .unbounded }
    radio.type(":")
    #expect(radio.statusLine.contains("This is a live stream, in which there is nothing to seek."))
  }

  @Test(arguments: [
    ("t", SleepRequest.Timer.after(.track)), ("a", .after(.album)), ("e", .after(.queue)), ("o", .off),
    ("20\r", .seconds(.seconds(1200))), ("е", .after(.track)),
  ])
  func theSleepTimerIsSet(keys: String, timer: SleepRequest.Timer) {
    var interface = Interface(playing: 0)
    interface.type("x")
    #expect(interface.promptTitle == "Sleep timer")
    #expect(interface.screen.contains(" t  at the end of this track (X)"))
    interface.type(keys)
    #expect(interface.calls == [.sleep(timer)] && interface.lines[0].hasPrefix(" Queue"))
  }

  @Test func theSleepTimerIsShownAndCountsDown() {
    var interface = Interface(columns: 120, playing: 0) { $0.sleep = .seconds(.seconds(125)) }
    #expect(interface.lines[0].contains("stops in 3 min"))
    interface.wait(.seconds(66))
    #expect(interface.lines[0].contains("stops in 59 s"))
    let now = interface.now
    interface.change { ($0.sleep, $0.monotonic, $0.state, $0.rate) = (.seconds(.seconds(125)), now, .paused, 0) }
    let tick = now + .seconds(5) + MediaTime(nanoseconds: 1)
    #expect(interface.model.nextTick == tick, "a pause does not stop the timer")
    interface.type("X")
    #expect(interface.calls == [.sleep(.after(.track))])
    interface.change { $0.sleep = .after(.track) }
    #expect(interface.lines[0].contains("stops after this track") && interface.model.nextTick == nil)
    interface.type("X")
    #expect(interface.calls.last == .sleep(.off))
  }

  @Test(arguments: ["0\r", "1441\r", "z"]) func aSleepTimerMustBeAsLongAsADayAtMost(keys: String) {
    var interface = Interface(playing: 0)
    interface.type("x\(keys)")
    #expect(interface.calls == [] && interface.statusLine.contains("Type a number of minutes from 1 to 1440"))
    interface.press(.escape)
    #expect(interface.lines[0].hasPrefix(" Queue"))
  }

  private static let chapters = [("Start", 0), ("", 80), ("The end", 300)].map {
    Chapter(title: $0.0, start: .seconds($0.1))
  }

  @Test func thePlayerNamesTheChapterAndMarksWhereChaptersBegin() {
    var interface = Interface(playing: 0, chapters: Self.chapters)
    interface.press(.enter)
    #expect(interface.screen.contains("Chapter 2 of 3"))
    #expect(interface.screen.count { $0 == "╋" } == 1, "a chapter that was reached")
    #expect(interface.screen.count { $0 == "╂" } == 1, "a chapter that is to come")
    interface.wait(.seconds(218))
    #expect(interface.screen.contains("Chapter 3 of 3: The end"))
    let many = (0..<500).map { Chapter(title: "", start: .seconds($0)) }
    var dense = Interface(playing: 0, chapters: many)
    dense.press(.enter)
    #expect(dense.screen.contains("Chapter 84 of 500") && !dense.screen.contains { "╋╂".contains($0) })
  }

  @Test func aChapterIsChosenInAList() {
    var interface = Interface(playing: 0, chapters: Self.chapters)
    interface.press(.enter)
    interface.type("C")
    #expect(interface.lines[0].hasPrefix(" Chapters  3 chapters"))
    #expect(interface.focusedRow?.contains("Chapter 2") == true && interface.screen.contains("The end"))
    interface.press(.down)
    interface.press(.enter)
    #expect(interface.calls == [.seek(to: .seconds(300))] && interface.lines[0].hasPrefix(" Player"))
    interface.type("C")
    interface.change { $0.track = Interface.album[1] }
    interface.press(.enter)
    #expect(interface.calls.count == 1 && interface.statusLine.contains("Another track is played now."))
    var without = Self.player()
    without.type("C")
    #expect(without.statusLine.contains("This track has no chapters."))
  }

  @Test func theSpeedIsShownUnlessItIsTheOriginalOne() {
    #expect(!Self.player().screen.contains("speed"))
    var interface = Self.player { ($0.speed, $0.rate) = (PlaybackSpeed(clamping: 1.5), 1.5) }
    #expect(interface.screen.contains("speed 1.5") && interface.screen.contains("1:23"))
    interface.wait(.seconds(2))
    #expect(interface.screen.contains("1:26"))
    interface.type("\\")
    #expect(interface.calls == [.resetSpeed])
  }

  @Test func keysOfPlaybackSendRequests() {
    var interface = Self.player()
    interface.type("ps><fb+-mrzR[]")
    #expect(
      interface.calls == [
        .toggle, .stop, .next, .previous, .seekBy(.seconds(5)), .seekBy(.seconds(-5)), .changeVolume(5),
        .changeVolume(-5), .mute(true), .setRepeat(.off), .setShuffle(.tracks), .setConsume(true),
        .changeSpeed(-0.1), .changeSpeed(0.1),
      ])
    interface.press(.right)
    interface.press(.left)
    interface.type(" uU")
    #expect(
      interface.calls.suffix(5) == [.seekBy(.seconds(5)), .seekBy(.seconds(-5)), .toggle, .undo, .redo])
  }

  @Test func draggingOnTheProgressBarSeeksOnRelease() throws {
    var interface = Self.player()
    let row = try #require(interface.lines.firstIndex { $0.contains("━") })
    interface.mouse(.press, row: row, column: 3)
    interface.mouse(.drag, row: row, column: 40)
    // The time at the mouse is displayed before the seek.
    #expect(interface.lines[row + 1].contains("4:"))
    #expect(interface.calls == [])
    interface.mouse(.release, row: row, column: 76)
    guard case .seekTo(let fraction)? = interface.calls.first else {
      Issue.record("there is no seek: \(interface.calls)")
      return
    }
    #expect(abs(fraction - 0.5) < 0.02 && interface.calls.count == 1)
  }

  @Test func aDragWhoseReleaseIsNotReportedEnds() throws {
    for end in [
      Event.input(.focus(isGained: false)), .input(.key(.character("m"))), .disconnected(ClientError(.noDaemon, "x")),
    ] {
      var interface = Self.player()
      let row = try #require(interface.lines.firstIndex { $0.contains("━") })
      interface.mouse(.press, row: row, column: 3)
      interface.mouse(.drag, row: row, column: 40)
      #expect(interface.lines[row + 1].contains("4:"))
      interface.send(end)
      #expect(interface.lines[row + 1].contains("1:23"))
      interface.mouse(.release, row: row, column: 40)
      #expect(!interface.calls.contains { if case .seekTo = $0 { true } else { false } })
    }
  }

  @Test func theKeyOfThePlayerSaysThatItIsDisplayed() {
    var interface = Self.player()
    for key: Key.Code in [.tab, .character("2")] {
      interface.press(key)
      #expect(interface.lines[0].hasPrefix(" Player") && interface.statusLine.contains(ModelMessages.alreadyDisplayed))
    }
  }

  @Test func liveStreamsAreNotSeekable() throws {
    var interface = Self.player { ($0.durationKind, $0.duration) = (.unbounded, nil) }
    interface.press(.right)
    #expect(interface.statusLine.contains(PlaybackMessages.seekInLiveStream))
    #expect(interface.model.frame().area(of: .progress) == nil && interface.screen.contains("live"))
    #expect(interface.calls == [])
  }

  @Test func lostSoundServerIsAnnounced() {
    var interface = Self.player()
    interface.change { ($0.output.state, $0.output.errorKind, $0.rate) = (.lost, .noServer, 0) }
    #expect(interface.statusLine.contains("! There is no sound server. Playback resumes when one is started."))
  }

  @Test func lostDaemonIsAnnouncedAndTheClockStops() {
    var interface = Self.player()
    interface.send(.disconnected(ClientError(.noDaemon, "gone")))
    #expect(interface.statusLine.contains("systemctl --user start segued.socket"))
    #expect(interface.model.nextTick == nil)
    interface.type(">")
    #expect(interface.calls == [] && interface.statusLine.contains(PlaybackMessages.noDaemon))
    // It is back.
    interface.send(.connected)
    interface.type(">")
    #expect(interface.calls == [.next] && interface.statusLine.contains("Next:"))
  }

  @Test func failedActionsSayWhatWouldHelp() {
    var interface = Self.player()
    interface.send(.response(.seekBy(.seconds(5)), .failure(ClientError(.failed, "x", kind: "not_seekable"))))
    #expect(interface.statusLine.contains("! This track is not seekable. “Next” (>) skips to another one."))
    interface.type(">")
    #expect(interface.statusLine.contains("Next:"))
    interface.type("m")
    #expect(interface.statusLine.contains("The sound is off."))
  }

  @Test func plainModeHasNoBarsAndNoTickingClock() {
    let plain = Appearance(isUnicode: true, isColored: false, decoration: .none)
    var interface = Interface(appearance: plain, playing: 0)
    #expect(interface.model.nextTick == nil && !interface.screen.contains("━"))
    interface.press(.enter)
    #expect(interface.model.nextTick == nil && !interface.screen.contains("━") && !interface.screen.contains("1:23"))
    interface.change { ($0.state, $0.rate) = (.paused, 0) }
    #expect(interface.screen.contains("1:23 / 9:05"))
  }

  @Test func withoutColorsNoCellHasAColor() {
    var interface = Interface(
      appearance: Appearance(isUnicode: true, isColored: false, decoration: .full), playing: 0)
    for _ in 0..<2 {
      let grid = interface.model.frame().grid
      for row in 0..<24 { for column in 0..<80 { #expect(grid[row, column].look.color == nil) } }
      #expect(interface.screen.contains("▶"), "the current track is marked by a symbol")
      interface.press(.enter)
    }
  }

  @Test func asciiModeDrawsWithASCIIOnly() {
    var interface = Interface(
      [Interface.album[0]], columns: 40, appearance: Appearance(isUnicode: false, isColored: true, decoration: .full),
      playing: 0, lyrics: nil)
    for keys in ["\r", "?", ""] {
      #expect(interface.screen.utf8.allSatisfy { $0 < 0x80 }, "\(interface.screen)")
      interface.type(keys)
    }
  }
}
