import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of what the queue shows beside its rows: the headings of albums, the pane and the scroll bar.
@Suite struct QueueViewTests {
  /// Albums with these numbers of tracks, one after another.
  private static func albums(_ counts: [Int]) -> [QueueEntry] {
    counts.enumerated().flatMap { album, count in
      (0..<count).map { track in (album: album, number: track) }
    }
    .enumerated().map { index, track in
      Interface.track(
        index, "Track \(index + 1)", "Artist \(track.album)", "Album \(track.album)", 60 + Double(index))
    }
  }

  private static func headings(_ interface: Interface) -> [String] {
    interface.lines.filter { $0.hasPrefix(" Album ") }.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
  }

  @Test func severalTracksOfAnAlbumHaveAHeading() {
    let interface = Interface(Self.albums([3, 1, 2]), playing: 0)
    #expect(Self.headings(interface) == ["Album 0", "Album 2"])
    #expect(interface.lines[2].hasPrefix(" Album 0 · Artist 0 ──") && interface.lines[3].contains("Track 1"))
    #expect(interface.lines[6].contains("Track 4"), "a single track has none")
  }

  @Test func theQueueHasNoColumnOfAlbumsWhileHeadingsNameThem() {
    func showsAlbums(_ interface: Interface) -> Bool { interface.lines[1].contains("Album") }
    var interface = Interface(Self.albums([3, 2]), playing: 0)
    #expect(!showsAlbums(interface))
    interface.type("/Track")
    #expect(showsAlbums(interface), "a filter hides the headings")
    interface.press(.escape)
    interface.replaceQueue(Self.albums([3, 1, 2]))
    #expect(showsAlbums(interface), "the album of a single track has no heading")
    interface.replaceQueue(Self.albums([3]))
    #expect(!showsAlbums(interface))
  }

  @Test func aFilterASettingAndPlainModeHideTheHeadings() {
    var interface = Interface(Self.albums([3, 3]), playing: 0)
    interface.type("/Track")
    #expect(Self.headings(interface) == [])
    var configuration = InterfaceConfiguration()
    configuration.showsAlbumHeadings = false
    #expect(Self.headings(Interface(Self.albums([3]), playing: 0, configuration: configuration)) == [])
    let plain = Appearance(isUnicode: true, isColored: true, decoration: .none)
    #expect(Self.headings(Interface(Self.albums([3]), appearance: plain, playing: 0)) == [])
  }

  /// Whatever the focus does, it is on the screen, and so is the heading of the first row.
  @Test(arguments: [[40, 40, 40], [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2], [1, 5, 1, 5, 1, 5, 30]])
  func theFocusStaysOnTheScreenBetweenHeadings(counts: [Int]) throws {
    var interface = Interface(Self.albums(counts), playing: 0)
    let count = counts.reduce(0, +)
    func check(_ index: Int) throws {
      let row = try #require(interface.focusedRow)
      #expect(row.contains(" Track \(index + 1) "), "\(interface.screen)")
    }
    for index in 0..<count {
      try check(index)
      interface.type("j")
    }
    // The end of the queue stands at the end of the screen, with at most the row of a heading below it.
    #expect(interface.lines[19...20].contains { $0.contains(" Track \(count) ") }, "\(interface.screen)")
    for index in (0..<count).reversed() {
      try check(index)
      interface.type("k")
    }
    interface.type("G")
    try check(count - 1)
    interface.press(.pageUp)
    interface.press(.pageDown)
    interface.press(.pageDown)
    try check(count - 1)
    interface.type("g")
    try check(0)
    #expect(interface.lines[2].hasPrefix(" Album") || interface.lines[2].contains("Track 1 "))
  }

  @Test func everyRowCanBeReachedWithTheWheel() {
    var interface = Interface(Self.albums([2, 3, 40]), playing: 0)
    for _ in 0..<20 { interface.mouse(.wheelDown, row: 5, column: 5) }
    #expect(interface.lines[20].contains(" Track 45 "), "\(interface.screen)")
    for _ in 0..<20 { interface.mouse(.wheelUp, row: 5, column: 5) }
    #expect(interface.lines[3].contains(" Track 1 "), "\(interface.screen)")
  }

  @Test func aClickOnARowBelowAHeadingFocusesIt() {
    var interface = Interface(Self.albums([2, 2]), playing: 0)
    interface.mouse(.press, row: 6, column: 20)
    #expect(interface.focusedRow?.contains("Track 3") == true)
    // A heading does nothing.
    interface.mouse(.press, row: 5, column: 20)
    #expect(interface.focusedRow?.contains("Track 3") == true)
  }

  // MARK: The pane

  @Test func aWideScreenShowsWhatPlaysBesideTheQueue() {
    let lyrics = Lyrics(uri: "file:///music/0.flac", source: .file, text: "la la la", lines: nil)
    var interface = Interface(Self.albums([3]), columns: 120, playing: 0, lyrics: lyrics)
    let separators = interface.lines[1..<20].filter { $0.contains("│") }
    #expect(separators.count == 19)
    for text in ["Track 1", "Artist 0", "Album 0", "la la la", "Next: Track 2"] {
      #expect(
        interface.lines.contains { $0.split(separator: "│").dropFirst().first?.contains(text) == true }, "\(text)")
    }
    // A click leads to the player.
    interface.mouse(.press, row: 8, column: 110)
    #expect(interface.lines[0].hasPrefix(" Player"))
  }

  @Test(arguments: [(24, 100, 0), (15, 120, 0), (24, 120, nil)] as [(Int, Int, Int?)])
  func withoutRoomOrATrackThereIsNoPane(rows: Int, columns: Int, playing: Int?) {
    let interface = Interface(Self.albums([3]), rows: rows, columns: columns, playing: playing)
    #expect(!interface.screen.contains("│"))
  }

  // MARK: The scroll bar

  private static func handle(_ interface: Interface) -> [Int] {
    let grid = interface.model.frame().grid
    return (0..<grid.size.rows).filter { row in (0..<grid.size.columns).contains { grid[row, $0].glyph == "▐" } }
  }

  @Test func theHandleOfTheScrollBarShowsThePlaceInTheList() {
    var interface = Interface(Self.albums([100]), playing: 0)
    let start = Self.handle(interface)
    #expect(start.first == 2 && start.count == 3)
    interface.type("j")
    #expect(Self.handle(interface) == start)
    for _ in 0..<20 { interface.type("j") }
    #expect(Self.handle(interface).first == 3)
    interface.type("G")
    #expect(Self.handle(interface).last == 20 && Self.handle(interface).count == 3)
    #expect(Self.handle(Interface(Self.albums([10]), playing: 0)) == [])
  }

  @Test func theMarkOfTheFocusEndsBeforeTheScrollBar() {
    let long = Interface(Self.albums([100]))
    #expect(long.look(row: 3, column: 78).emphasis.contains(.reversed))
    #expect(!long.look(row: 3, column: 79).emphasis.contains(.reversed))
    #expect(Interface(Self.albums([3])).look(row: 3, column: 79).emphasis.contains(.reversed))
  }

  @Test func theMouseDragsTheHandle() {
    var interface = Interface(Self.albums([100]), playing: 0)
    interface.mouse(.press, row: 20, column: 79)
    #expect(interface.lines[20].contains(" Track 100 "))
    interface.mouse(.drag, row: 11, column: 60)
    #expect(interface.lines[11].contains(" Track 5"))
    interface.mouse(.drag, row: 0, column: 79)
    interface.mouse(.release, row: 0, column: 79)
    #expect(interface.lines[3].contains(" Track 1 "))
    interface.mouse(.drag, row: 15, column: 79)
    #expect(interface.lines[3].contains(" Track 1 "), "the button is released")
  }
}
