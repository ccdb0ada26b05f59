import SegueSystem
import Testing

@testable import SegueTerminal

/// Tests with random input.
@Suite struct RandomInputTests {
  private static let keys: [Key] =
    Command.allCases.flatMap { KeyBindings.standard.keys(for: $0) }.filter { $0 != .control("c") }
    + "abйцу名1 /?".map { .character($0) }

  /// After any input, Esc leads back to the list, and no screen draws outside of itself, although the daemon fails sometimes or
  /// answers late.
  @Test(arguments: [1, 2, 3, 4]) func escapeAlwaysLeadsBack(seed: UInt64) {
    var generator = LinearGenerator(state: seed)
    var interface = Interface(Interface.queue(150), playing: 3)
    let daemon = UnreliableDaemon(seed: seed)
    interface.answering = daemon.answering
    for step in 0..<1_500 {
      switch UInt64.random(in: 0..<20, using: &generator) {
      case 0:
        let rows = Int.random(in: 0...60, using: &generator)
        interface.send(.resized(ScreenSize(rows: rows, columns: Int.random(in: 0...220, using: &generator))))
      case 1...3:
        let size = interface.model.state.size
        let action = [MouseEvent.Action.press, .drag, .release, .wheelUp, .wheelDown].randomElement(using: &generator)!
        interface.mouse(
          action, row: Int.random(in: 0...size.rows, using: &generator),
          column: Int.random(in: 0...size.columns, using: &generator))
      case 4: interface.wait(.milliseconds(Int.random(in: 0...2_000, using: &generator)))
      case 6: interface.answer()
      case 5: interface.replaceQueue(Interface.queue(Int.random(in: 4...300, using: &generator)))
      default: interface.send(.input(.key(Self.keys.randomElement(using: &generator)!)))
      }
      let frame = interface.model.frame()
      if let cursor = frame.cursor, frame.grid.size.rows > 0, frame.grid.size.columns > 0 {
        #expect(0..<frame.grid.size.rows ~= cursor.row && 0..<frame.grid.size.columns ~= cursor.column)
      }
      guard step % 50 == 49 else { continue }
      interface.send(.resized(ScreenSize(rows: 24, columns: 80)))
      // The first one may discard keys that wait for an answer.
      for _ in 0..<13 { interface.press(.escape) }
      #expect(interface.lines[0].hasPrefix(" Queue"), "\(interface.screen)")
    }
  }
}

/// A daemon that answers one in four requests late, and one in eight with an error.
private final class UnreliableDaemon {
  private var generator: LinearGenerator

  init(seed: UInt64) { generator = LinearGenerator(state: seed) }

  func answering(_ call: DaemonCall) -> Interface.Answering {
    switch UInt64.random(in: 0..<8, using: &generator) {
    case 0, 1: .later
    case 2: .failing
    default: .atOnce
    }
  }
}

/// A generator of random numbers that a seed determines (the constants are those of Knuth's MMIX).
private struct LinearGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
