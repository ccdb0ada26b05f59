import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests that bars with the modules of contrib/bars draw the same pixels as with a fixed text.
@Suite struct GraphicalBarTests {
  /// Returns whether a pixel is white. Only text is white.
  private static func hasText(_ pixels: [UInt8]) -> Bool {
    // A pixel consists of blue, green, red and a padding byte.
    stride(from: 0, to: pixels.count, by: 4).contains { pixels[$0..<$0 + 3].allSatisfy { $0 == 255 } }
  }

  @Test(
    arguments: GraphicalBar.Program.allCases,
    [BarFixture.hostile, BarFixture.wide, "<b>a</b> &lt; {text} %{R} ${b} %output% #[fg=red] $(c) %"])
  func graphicalBarShowsTheTitle(program: GraphicalBar.Program, title: String) throws {
    var daemon = Optional(try BarFixture.daemon(RecordedResponses.status(track: BarFixture.track(title, artist: nil))))
    let bar = try GraphicalBar(program, daemon!)
    let literal = try GraphicalBar(program, literally: title, daemon!)
    try waitUntil("\(program) shows “\(title)”", every: .milliseconds(50)) {
      let pixels = try literal.pixels()
      return try Self.hasText(pixels) && bar.pixels() == pixels
    }
    daemon = nil
    try waitUntil("\(program) shows no text without a daemon", every: .milliseconds(50)) {
      !Self.hasText(try bar.pixels())
    }
  }

  @Test(arguments: GraphicalBar.Program.allCases)
  func mouseButtonsRunTheConfiguredCommands(program: GraphicalBar.Program) throws {
    let daemon = try BarFixture.daemon(RecordedResponses.status(track: BarFixture.track(BarFixture.wide)))
    let bar = try GraphicalBar(program, daemon)
    try waitUntil("\(program) shows text", every: .milliseconds(50)) { Self.hasText(try bar.pixels()) }
    var (commands, expected) = ("", "")
    for (button, command) in [(1, "toggle"), (2, "prev"), (3, "next"), (4, "volume +5"), (5, "volume -5")] {
      try bar.click(button)
      expected += "-q \(command)\n"
      try waitUntil("\(program) runs \(command); so far: \(commands)", every: .milliseconds(50)) {
        commands = try bar.commands
        return commands == expected
      }
    }
  }
}
