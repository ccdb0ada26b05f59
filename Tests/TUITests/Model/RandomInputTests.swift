import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests with random input.
@Suite struct RandomInputTests {
  private static let keys: [Key] =
    Command.allCases.flatMap { KeyBindings.standard.keys(for: $0) }.filter { $0 != .control("c") }
    + "abйцу名1 /?".map { .character($0) }

  /// Returns an interface with rows on every screen.
  private static func interface() -> Interface {
    var interface = Interface.items("")
    let outputs = interface.library.outputs
    interface.library = FakeLibrary(albumCount: 300)
    interface.library.outputs = outputs
    interface.library.playCount = 100
    interface.library.favoriteAlbums = 0...20
    interface.library.entryURIs = interface.library.tracks.prefix(100).map(\.uri)
    interface.library.playlists = (1...100).map {
      PlaylistInfo(
        name: "List \($0)", uri: "segue:playlist/\($0)", trackCount: 100, duration: .seconds(600),
        modified: UnixTime(nanoseconds: 1_700_000_000_000_000_000))
    }
    interface.replaceQueue(Interface.queue(150))
    return interface
  }

  /// After any input, Esc leads back to the list, and no screen draws outside of itself, although the daemon fails
  /// sometimes, answers late, changes its lists, or is lost. The program always has a reason to wake up that lies in
  /// the future.
  @Test(arguments: [1, 2, 3, 4]) func escapeAlwaysLeadsBack(seed: UInt64) {
    var generator = LinearGenerator(state: seed)
    var interface = Self.interface()
    let daemon = UnreliableDaemon(seed: seed)
    interface.answering = daemon.answering
    for step in 0..<2_500 {
      let isConnected = interface.model.state.isConnected
      switch UInt64.random(in: 0..<24, using: &generator) {
      case 0:
        let rows = Int.random(in: 0...60, using: &generator)
        interface.send(.resized(ScreenSize(rows: rows, columns: Int.random(in: 0...220, using: &generator))))
      case 1...3:
        let action = [MouseEvent.Action.press, .drag, .release, .wheelUp, .wheelDown].randomElement(using: &generator)!
        let position = Self.position(in: interface, &generator)
        interface.mouse(action, row: position.row, column: position.column)
      case 4, 5:
        let position = Self.position(in: interface, &generator)
        for _ in 0..<2 { interface.mouse(.press, row: position.row, column: position.column) }
      case 6: interface.wait(.milliseconds(Int.random(in: 0...2_000, using: &generator)))
      case 7: interface.answer()
      case 8 where isConnected: interface.replaceQueue(Interface.queue(Int.random(in: 4...300, using: &generator)))
      case 9 where isConnected:
        interface.library.albums.removeAll { _ in UInt64.random(in: 0..<50, using: &generator) == 0 }
        interface.announceLibrary()
      case 10 where UInt64.random(in: 0..<4, using: &generator) == 0:
        interface.send(isConnected ? .disconnected(ClientError(.noDaemon, "gone")) : .connected)
      default: interface.send(.input(.key(Self.keys.randomElement(using: &generator)!)))
      }
      let frame = interface.model.frame()
      if let cursor = frame.cursor, frame.grid.size.rows > 0, frame.grid.size.columns > 0 {
        #expect(0..<frame.grid.size.rows ~= cursor.row && 0..<frame.grid.size.columns ~= cursor.column)
      }
      // The program would not sleep.
      if let tick = interface.model.nextTick { #expect(tick > interface.now, "\(interface.screen)") }
      guard step % 50 == 49 else { continue }
      if !interface.model.state.isConnected, step % 100 == 99 { interface.send(.connected) }
      interface.send(.resized(ScreenSize(rows: 24, columns: 80)))
      // The first one may discard keys that wait for an answer. Each opened page may have a filter and a selection.
      for _ in 0..<40 { interface.press(.escape) }
      #expect(interface.lines[0].hasPrefix(" Queue"), "\(interface.screen)")
    }
  }

  private static func position(in interface: Interface, _ generator: inout LinearGenerator) -> Position {
    let size = interface.model.state.size
    return Position(
      row: Int.random(in: 0...size.rows, using: &generator), column: Int.random(in: 0...size.columns, using: &generator)
    )
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
