import SegueClientKit
import SegueSystem
import Testing

@testable import SegueTUI

/// Tests of the bytes that terminals send.
@Suite struct InputParserTests {
  private func events(_ text: String) -> [InputEvent] {
    var parser = InputParser()
    return parser.parse(Array(text.utf8)) + parser.endSequence()
  }

  private func key(_ code: Key.Code, _ modifiers: Key.Modifiers = []) -> InputEvent {
    .key(Key(code: code, modifiers: modifiers))
  }

  @Test func lettersOfAllScriptsAreKeys() {
    #expect(events("aЖ名") == [key(.character("a")), key(.character("Ж")), key(.character("名"))])
  }

  private static let keys: [(sequence: String, code: Key.Code, modifiers: Key.Modifiers)] = [
    ("\u{1B}[A", .up, []), ("\u{1B}OB", .down, []), ("\u{1B}[1;5C", .right, .control),
    ("\u{1B}[1;3D", .left, .alt), ("\u{1B}[H", .home, []), ("\u{1B}[7~", .home, []), ("\u{1B}[4~", .end, []),
    ("\u{1B}[5~", .pageUp, []), ("\u{1B}[6;2~", .pageDown, .shift), ("\u{1B}[3~", .delete, []),
    ("\u{1B}OP", .function(1), []), ("\u{1B}[11~", .function(1), []), ("\u{1B}[[A", .function(1), []),
    ("\u{1B}[24~", .function(12), []), ("\u{1B}[Z", .tab, .shift), ("\r", .enter, []), ("\t", .tab, []),
    ("\u{7F}", .backspace, []), ("\u{3}", .character("c"), .control), ("\u{1B}x", .character("x"), .alt),
    ("\u{1B}", .escape, []),
  ]

  @Test func sequencesOfKeysAreRecognized() {
    for (sequence, code, modifiers) in Self.keys {
      #expect(events(sequence) == [key(code, modifiers)], "\(sequence.debugDescription)")
    }
  }

  @Test func mouseReportsHaveAPosition() {
    #expect(
      events("\u{1B}[<0;10;5M\u{1B}[<32;11;5M\u{1B}[<0;11;5m\u{1B}[<64;1;1M\u{1B}[<65;300;200M") == [
        .mouse(MouseEvent(action: .press, position: Position(row: 4, column: 9))),
        .mouse(MouseEvent(action: .drag, position: Position(row: 4, column: 10))),
        .mouse(MouseEvent(action: .release, position: Position(row: 4, column: 10))),
        .mouse(MouseEvent(action: .wheelUp, position: Position(row: 0, column: 0))),
        .mouse(MouseEvent(action: .wheelDown, position: Position(row: 199, column: 299))),
      ])
  }

  /// Some terminals know only the form that was there before SGR, whose bytes would be keys otherwise.
  @Test func mouseReportsInTheFormerFormHaveAPosition() {
    #expect(
      events("\u{1B}[M *%\u{1B}[M@+%\u{1B}[M#+%\u{1B}[M`!!\u{1B}[Ma!!p") == [
        .mouse(MouseEvent(action: .press, position: Position(row: 4, column: 9))),
        .mouse(MouseEvent(action: .drag, position: Position(row: 4, column: 10))),
        .mouse(MouseEvent(action: .release, position: Position(row: 4, column: 10))),
        .mouse(MouseEvent(action: .wheelUp, position: Position(row: 0, column: 0))),
        .mouse(MouseEvent(action: .wheelDown, position: Position(row: 0, column: 0))), key(.character("p")),
      ])
    // Columns above 95 are bytes that are not UTF-8; some terminals send 0 above 223.
    var parser = InputParser()
    #expect(parser.parse([0x1B, 0x5B, 0x4D, 0x20, 0xFF]).isEmpty)
    #expect(parser.parse([0x64]) == [.mouse(MouseEvent(action: .press, position: Position(row: 67, column: 222)))])
    #expect(parser.parse([0x1B, 0x5B, 0x4D, 0x20, 0x00, 0x64]).isEmpty)
  }

  @Test func pastedTextIsNotKeysAndHasNoControlCharacters() {
    #expect(
      events("\u{1B}[200~q\n\u{1B}[31mx\u{202E}\u{7}\u{1B}[201~p") == [.paste("q [31mx"), key(.character("p"))])
  }

  /// A terminal may answer after the program has given up waiting. The answers must not become keys.
  @Test func responsesOfTheTerminalAreNotKeys() {
    let answers =
      "\u{1B}P>|kitty(0.40)\u{1B}\\\u{1B}[6;20;10t\u{1B}[8;24;80t\u{1B}]11;rgb:0/0/0\u{7}\u{1B}[?62;c"
    var parser = InputParser()
    var found = parser.parse("a\(answers)".utf8)
    #expect(found.count == 3 && parser.takeRequests().hasPrefix("\u{1B}_G") && parser.takeRequests().isEmpty)
    found += parser.parse("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;cb".utf8)
    #expect(found.first == key(.character("a")) && found.last == key(.character("b")) && found.count == 5)
    #expect(found[1] == .cellSize(width: 10, height: 20) && found[2] == .background(.dark))
    guard case .graphics(let terminal?) = found[3] else {
      Issue.record("the terminal is not recognized: \(found)")
      return
    }
    #expect(terminal.graphicsProtocol == .kitty && terminal.cellSize == (width: 10, height: 20))
    #expect(events("\u{1B}[?1;2c") == [.graphics(nil)])
  }

  @Test func focusReportsAreNotKeys() {
    #expect(events("\u{1B}[I\u{1B}[O") == [.focus(isGained: true), .focus(isGained: false)])
  }

  /// The bytes of one read may end anywhere.
  @Test func sequencesMayBeDivided() {
    let text = "я\u{1B}[<0;10;5M\u{1B}[200~ab\u{1B}[201~\u{1B}[1;5A\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4c"
    let whole = events(text)
    #expect(whole.count == 5)
    for size in 1...7 {
      var parser = InputParser()
      var bytes = Array(text.utf8)[...]
      var found: [InputEvent] = []
      while !bytes.isEmpty {
        found += parser.parse(bytes.prefix(size))
        bytes = bytes.dropFirst(size)
      }
      #expect(found + parser.endSequence() == whole, "\(size) bytes at a time")
    }
  }

  @Test func onlyASingleEscapeCharacterIsDecidedSoon() {
    for (text, timeout) in [
      ("", nil), ("a", nil), ("\u{1B}", .milliseconds(30)), ("\u{1B}[", .seconds(1)), ("\u{1B}O", .seconds(1)),
      ("\u{1B}P>|ter", .seconds(1)), ("\u{1B}[200~text", .seconds(1)), ("\u{1B}[200~\u{1B}", .seconds(1)),
    ] as [(String, MediaTime?)] {
      var parser = InputParser()
      _ = parser.parse(Array(text.utf8))
      #expect(parser.timeout == timeout, "\(text.debugDescription)")
    }
    var parser = InputParser()
    #expect(parser.parse([0xD0]) == [] && parser.timeout == .seconds(1))
  }

  /// The rest of a sequence that arrives after its timeout is not typed.
  @Test func theRestOfADroppedSequenceIsNotKeys() {
    for (start, rest) in [
      ("\u{1B}P>|ter", "minal-quick\u{1B}\\"), ("\u{1B}[", "<0;20;4M"), ("\u{1B}[<0;2", "0;4M"), ("\u{1B}O", "A"),
      ("\u{1B}]11;rgb:", "0/0/0\u{7}"),
    ] {
      var parser = InputParser()
      #expect(parser.parse(Array(start.utf8)) == [])
      #expect(parser.endSequence() == [])
      #expect(parser.parse(Array((rest + "x").utf8)) == [key(.character("x"))], "\(start.debugDescription)")
      #expect(parser.timeout == nil)
    }
    // The end of a string may be divided, and Ctrl-C and Esc end a string that has no end.
    var parser = InputParser()
    _ = parser.parse(Array("\u{1B}Pa".utf8)) + parser.endSequence()
    #expect(parser.parse([0x1B]) == [] && parser.parse(Array("\\x".utf8)) == [key(.character("x"))])
    for (text, event) in [("b\u{3}", key(.character("c"), .control)), ("b\u{1B}", key(.escape))] {
      _ = parser.parse(Array("\u{1B}Pa".utf8)) + parser.endSequence()
      #expect(parser.parse(Array(text.utf8)) + parser.endSequence() == [event])
    }
    // So does a second without bytes.
    _ = parser.parse(Array("\u{1B}P".utf8)) + parser.endSequence()
    #expect(parser.timeout == .seconds(1) && parser.endSequence() == [])
    #expect(parser.timeout == nil && parser.parse(Array("x".utf8)) == [key(.character("x"))])
  }

  @Test func aPasteWithoutItsEndEnds() {
    var parser = InputParser()
    #expect(parser.parse(Array("\u{1B}[200~some text".utf8)) == [])
    #expect(parser.endSequence() == [.paste("some text")])
    #expect(parser.timeout == nil && parser.parse([0x03]) == [key(.character("c"), .control)])
    #expect(parser.parse(Array("\u{1B}[201~".utf8)) == [])
  }

  @Test(arguments: [
    ("\u{1B}]11;rgb:ffff/ffff/dddd\u{1B}\\", Brightness.light), ("\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{7}", .dark),
    ("\u{1B}]11;rgb:0/0/0\u{7}", .dark), ("\u{1B}]11;rgba:f0/f0/f0/80\u{7}", .light), ("\u{1B}[?997;1n", .dark),
    ("\u{1B}[?997;2n", .light),
  ])
  func theTerminalReportsItsBackground(response: String, brightness: Brightness) {
    #expect(events(response + "x") == [.background(brightness), key(.character("x"))])
  }

  @Test func otherReportsAreNoBackground() {
    for response in [
      "\u{1B}]11;?\u{7}", "\u{1B}]10;rgb:0/0/0\u{7}", "\u{1B}]11;rgb:1/2\u{7}", "\u{1B}]11;rgb:00000/0/0\u{7}",
      "\u{1B}[?997;3n", "\u{1B}[?1;1n", "\u{1B}P11;rgb:0/0/0\u{1B}\\",
    ] {
      #expect(events(response + "x") == [key(.character("x"))])
    }
  }

  /// Random bytes, of which many are parts of sequences, neither stop the parser nor let control characters through.
  @Test func anyBytesAreParsed() {
    var generator = SystemRandomNumberGenerator()
    let parts = ["\u{1B}", "[", "O", "200~", "<0;", "M", "\u{7}", "я", "\\", "_G", "?1c", "a"].map { Array($0.utf8) }
    for _ in 0..<2_000 {
      var parser = InputParser()
      for _ in 0..<20 {
        let bytes = Bool.random(using: &generator) ? parts.randomElement()! : [UInt8.random(in: 0...255)]
        for event in parser.parse(bytes) + (Int.random(in: 0..<8) == 0 ? parser.endSequence() : []) {
          if case .key(let key) = event, case .character(let character) = key.code {
            #expect(character.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
          }
        }
      }
    }
  }
}
