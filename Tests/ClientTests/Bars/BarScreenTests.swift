import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// What the bars that draw show, with the modules of contrib/bars: the same pixels as when the bar is given the text in a
/// way of its own.
@Suite struct BarScreenTests {
  /// Whether anything is white, which of a bar is its text alone.
  private static func hasText(_ pixels: [UInt8]) -> Bool {
    // Blue, green, red, and nothing.
    stride(from: 0, to: pixels.count, by: 4).contains { pixels[$0..<$0 + 3].allSatisfy { $0 == 255 } }
  }

  @Test(
    arguments: GraphicalBar.Program.allCases,
    [BarFixture.hostile, BarFixture.wide, "<b>a</b> &lt; {text} %{R} ${b} %output% #[fg=red] $(c) %"])
  func theTitleIsShown(program: GraphicalBar.Program, title: String) throws {
    var daemon = Optional(try BarFixture.daemon(RecordedResponses.status(track: BarFixture.track(title, artist: nil))))
    let bar = try GraphicalBar(program, daemon!)
    let literal = try GraphicalBar(program, literally: title, daemon!)
    try waitUntil("\(program) shows “\(title)”", every: .milliseconds(50)) {
      let pixels = try literal.pixels()
      return try Self.hasText(pixels) && bar.pixels() == pixels
    }
    daemon = nil
    try waitUntil("\(program) shows nothing without a daemon", every: .milliseconds(50)) {
      !Self.hasText(try bar.pixels())
    }
  }

  @Test(arguments: GraphicalBar.Program.allCases)
  func theMouseDoesWhatItSays(program: GraphicalBar.Program) throws {
    let daemon = try BarFixture.daemon(RecordedResponses.status(track: BarFixture.track(BarFixture.wide)))
    let bar = try GraphicalBar(program, daemon)
    try waitUntil("\(program) is there", every: .milliseconds(50)) { Self.hasText(try bar.pixels()) }
    var (asked, wanted) = ("", "")
    for (button, what) in [(1, "toggle"), (2, "prev"), (3, "next"), (4, "volume +5"), (5, "volume -5")] {
      try bar.click(button)
      wanted += "-q \(what)\n"
      try waitUntil("\(program) asks for \(what); so far: \(asked)", every: .milliseconds(50)) {
        asked = try bar.asked
        return asked == wanted
      }
    }
  }
}
