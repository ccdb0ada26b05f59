import SegueClientKit
import SegueSystem
import SegueTestKit
import SegueUnicode
import SegueWire
import Testing

@testable import SegueTUI

/// Tests with random input on all screens, whose lists, lyrics and messages have hostile texts.
@Suite struct RandomInputTests {
  private static let keys: [Key] =
    Command.allCases.flatMap { KeyBindings.standard.keys(for: $0) }.filter { $0 != .control("c") }
    + "abйцу名1 /?".map { .character($0) }
  /// The keys that show screens. Without them, most keys would reach only a few.
  private static let screens: [Key] =
    Command.screens.flatMap { KeyBindings.standard.keys(for: $0) } + [Key(code: .enter)]

  /// The number of inputs for each of the eight seeds: 20,000 together.
  private static let inputCount = 2_500

  /// No input of 20,000 leads to a state from which Esc and the key of the queue do not lead back, or to a frame that a
  /// terminal could not display, although the daemon fails sometimes, answers late, changes its lists, or is lost. The
  /// program always has a reason to wake up that lies in the future.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func everyStateIsDisplayedAndLeadsBack(seed: UInt64) throws {
    var generator = LinearGenerator(state: seed)
    var interface = Self.interface(&generator)
    let daemon = UnreliableDaemon(seed: seed)
    interface.answering = daemon.answering
    for step in 0..<Self.inputCount {
      Self.act(on: &interface, &generator)
      // The program would not sleep.
      if let tick = interface.model.nextTick { #expect(tick > interface.now, "seed \(seed), step \(step)") }
      // A frame takes longer than an input.
      if step % 8 == 7, let fault = Self.fault(of: interface.model.frame(), interface) {
        throw Unexpected("seed \(seed), step \(step): \(fault)\n\(interface.screen)")
      }
      guard step % 100 == 99 else { continue }
      if !interface.model.state.isConnected, step % 200 == 199 { interface.send(.connected) }
      interface.send(.resized(ScreenSize(rows: 24, columns: 80)))
      if let screen = Self.deadEnd(&interface) { throw Unexpected("seed \(seed), step \(step): \(screen)") }
    }
  }

  /// Presses Esc and the key of the queue a few times. Returns the screen if they do not lead to the queue. The first
  /// Esc may discard keys that wait for an answer, and others end what is being typed.
  private static func deadEnd(_ interface: inout Interface) -> String? {
    for _ in 0..<4 {
      interface.press(.escape)
      interface.type("1")
      if interface.lines[0].hasPrefix(" Queue") { return nil }
    }
    return interface.screen
  }

  // MARK: Input

  private static func act(on interface: inout Interface, _ generator: inout LinearGenerator) {
    let isConnected = interface.model.state.isConnected
    switch Int.random(in: 0..<96, using: &generator) {
    case 0...3: interface.send(.resized(size(&generator)))
    case 4...11:
      let action = [MouseEvent.Action.press, .drag, .release, .wheelUp, .wheelDown].randomElement(using: &generator)!
      let position = position(in: interface, &generator)
      interface.mouse(action, row: position.row, column: position.column)
    case 12, 13:
      let position = position(in: interface, &generator)
      for _ in 0..<2 { interface.mouse(.press, row: position.row, column: position.column) }
    case 14...18: interface.wait(.milliseconds(Int.random(in: 0...2_000, using: &generator)))
    case 19...22: interface.answer()
    case 23...26: interface.send(.input(.paste(HostileText.random(using: &generator))))
    case 27, 28: interface.type(String(HostileText.random(using: &generator).replacing("\u{3}", with: "").prefix(6)))
    case 29...31: interface.send(.input(.focus(isGained: Bool.random(using: &generator))))
    case 32 where isConnected: interface.replaceQueue(queue(Int.random(in: 4...60, using: &generator), &generator))
    case 33 where isConnected:
      interface.library.albums.removeAll { _ in UInt64.random(in: 0..<20, using: &generator) == 0 }
      interface.announceLibrary()
    case 34 where isConnected:
      let next = Int.random(in: 0..<interface.tracks.count, using: &generator)
      let tracks = interface.tracks
      interface.change {
        ($0.index, $0.track, $0.duration) = (next, tracks[next], tracks[next].duration)
        $0.shuffle = $0.shuffle == .off ? .tracks : .off
      }
    case 35 where Bool.random(using: &generator):
      interface.send(
        isConnected ? .disconnected(ClientError(.noDaemon, HostileText.random(using: &generator))) : .connected)
    case 36...50: interface.send(.input(.key(screens.randomElement(using: &generator)!)))
    // Text fields take most other keys for text.
    case 51...56: interface.press(.escape)
    default: interface.send(.input(.key(keys.randomElement(using: &generator)!)))
    }
  }

  /// Returns a size, most often that of a small window, which is drawn sooner.
  private static func size(_ generator: inout LinearGenerator) -> ScreenSize {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: ScreenSize(rows: .random(in: 0...8, using: &generator), columns: .random(in: 0...40, using: &generator))
    case 1: ScreenSize(rows: .random(in: 8...100, using: &generator), columns: .random(in: 40...300, using: &generator))
    default: ScreenSize(rows: .random(in: 8...24, using: &generator), columns: .random(in: 40...120, using: &generator))
    }
  }

  private static func position(in interface: Interface, _ generator: inout LinearGenerator) -> Position {
    let size = interface.model.state.size
    return Position(
      row: Int.random(in: 0...size.rows, using: &generator), column: Int.random(in: 0...size.columns, using: &generator)
    )
  }

  // MARK: Frames

  /// Returns what is wrong with a frame; nil if nothing is.
  private static func fault(of frame: TerminalFrame, _ interface: Interface) -> String? {
    let size = frame.grid.size
    guard size == interface.model.state.size else { return "the frame has the size \(size)" }
    if let cursor = frame.cursor, size.rows > 0, size.columns > 0,
      !(0..<size.rows ~= cursor.row && 0..<size.columns ~= cursor.column)
    {
      return "the cursor is at \(cursor)"
    }
    if let picture = frame.pictures.first(where: { picture in
      let area = picture.area
      return area.row < 0 || area.column < 0 || area.row + area.rows > size.rows
        || area.column + area.columns > size.columns
    }) {
      return "the picture \(picture) is outside the screen"
    }
    if let title = frame.title, title != title.visible || title.utf8.count > 4_000 { return "the title is \(title)" }
    for row in 0..<size.rows {
      var continued = 0
      for column in 0..<size.columns {
        let glyph = frame.grid[row, column].glyph
        guard (glyph == nil) == (continued > 0) else { return "half a character is at row \(row), column \(column)" }
        continued = max(0, continued - 1)
        guard let glyph, glyph.asciiValue.map({ 0x20..<0x7F ~= $0 }) != true else { continue }
        guard isDisplayable(glyph) else {
          return "row \(row), column \(column) has \(glyph.unicodeScalars.map { String($0.value, radix: 16) })"
        }
        continued = DisplayWidth.of(glyph) - 1
      }
      if continued > 0 { return "a character continues after the end of row \(row)" }
    }
    return nil
  }

  /// Returns whether a character takes cells of a terminal, and has no effect on others. Joiners are not written.
  private static func isDisplayable(_ glyph: Character) -> Bool {
    guard DisplayWidth.of(glyph) > 0, let first = glyph.unicodeScalars.first else { return false }
    return DisplayWidth.of(first) > 0
      && glyph.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        case .format:
          DisplayWidth.of(scalar) > 0 || 0x200C...0x200D ~= scalar.value || 0xE0020...0xE007F ~= scalar.value
        default: true
        }
      }
  }

  // MARK: The daemon

  /// Returns a queue with hostile texts.
  private static func queue(_ count: Int, _ generator: inout LinearGenerator) -> [QueueEntry] {
    (0..<count).map { index in
      var entry = Interface.track(
        index, HostileText.random(using: &generator), HostileText.random(using: &generator),
        index % 8 == 0 ? nil : HostileText.samples[index / 8 % HostileText.samples.count], Double(200 * index))
      if index % 9 == 0 { entry.error = LocalizableMessage.plain(HostileText.random(using: &generator)) }
      return entry
    }
  }

  /// Returns an interface with rows on every screen.
  private static func interface(_ generator: inout LinearGenerator) -> Interface {
    func text() -> String { HostileText.random(using: &generator) }
    let lyrics = Lyrics(
      uri: "file:///music/0.flac", source: .file, text: "",
      lines: (0..<40).map { Lyrics.Line(time: MediaTime(seconds: Double($0 * 7)), text: text()) })
    let chapters = (0..<12).map { Chapter(title: text(), start: .seconds($0 * 10)) }
    var interface = Interface(
      queue(60, &generator), playing: 0, lyrics: lyrics, chapters: chapters,
      cover: Art(path: "/cover.ppm", uri: "file:///cover.ppm", width: 300, height: 300))
    interface.library = library(&generator)
    var texts = generator
    interface.online.foundTracks = 30
    interface.online.change = { item in
      item.title = HostileText.random(using: &texts)
      item.creator = HostileText.random(using: &texts)
      item.description = HostileText.random(using: &texts) + "\n\n" + HostileText.random(using: &texts)
      item.facts = item.facts.map { CatalogItem.Fact($0.name, HostileText.random(using: &texts)) }
    }
    interface.online.changeText = { $0 + HostileText.random(using: &texts) }
    interface.send(.input(.graphics(GraphicsTerminal(graphicsProtocol: .halfBlocks))))
    return interface
  }

  private static func library(_ generator: inout LinearGenerator) -> FakeLibrary {
    func text() -> String { HostileText.random(using: &generator) }
    var library = FakeLibrary(albumCount: 60)
    for index in library.albums.indices {
      (library.albums[index].title, library.albums[index].albumArtist) = (text(), text())
    }
    for index in library.tracks.indices {
      (library.tracks[index].metadata.title, library.tracks[index].metadata.artist) = (text(), text())
    }
    for index in library.artists.indices { library.artists[index].name = text() }
    library.playCount = 50
    library.favoriteAlbums = 0...20
    library.entryURIs = library.tracks.prefix(50).map(\.uri)
    library.moreFolders = ["file:///%FF%FE%00", "file:///%1B%5B31m/%E2%80%AE"]
    library.playlists = (1...40).map {
      PlaylistInfo(
        name: text(), uri: "segue:playlist/\($0)", trackCount: 100, duration: .seconds(600),
        modified: UnixTime(nanoseconds: 1_700_000_000_000_000_000))
    }
    library.outputs = (1...5).map {
      OutputDevice(
        name: "sink.\($0)", description: text(), isDefault: $0 == 1, isCurrent: $0 == 2, sampleRate: 48_000,
        channels: 2, format: "s16le")
    }
    return library
  }
}

/// A daemon that answers one in four requests late, and one in eight with an error. It refuses changes that it cannot
/// perform.
private final class UnreliableDaemon {
  private var generator: LinearGenerator

  init(seed: UInt64) { generator = LinearGenerator(state: seed) }

  func answering(_ call: DaemonCall) -> Interface.Answering {
    switch call {
    case .savePlaylist, .set, .reset: return .failing
    default: break
    }
    return switch UInt64.random(in: 0..<8, using: &generator) {
    case 0, 1: .later
    case 2: .failing
    default: .atOnce
    }
  }
}
