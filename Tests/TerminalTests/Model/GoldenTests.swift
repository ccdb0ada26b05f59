import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueTerminal

/// Tests that compare screens of three sizes with text files in `Golden`. If the variable SEGUE_RECORD is set, the files are
/// written instead: the difference in git is then what a reviewer reads.
@Suite struct GoldenTests {
  static let sizes = [(rows: 24, columns: 80), (rows: 10, columns: 40), (rows: 50, columns: 200)]
  private static let folder = Repository.root.appending("Tests/TerminalTests/Golden")

  private static let lyrics = Lyrics(
    uri: "file:///music/0.flac", source: .file, text: "",
    lines: ["Сначала тишина", "and then a line that is so long that a narrow screen cannot show all of it", "夜明け"]
      .enumerated().map { Lyrics.Line(time: MediaTime(seconds: Double($0.offset * 80)), text: $0.element) })

  /// The states that are drawn, by the names of their files.
  private static let scenes: [(name: String, make: @Sendable (Int, Int) -> Interface)] = [
    ("list", { Interface(rows: $0, columns: $1, playing: 1) }),
    (
      "list-selected",
      { rows, columns in
        var interface = Interface(Interface.queue(1_000), rows: rows, columns: columns, playing: 500)
        interface.type("   ")
        return interface
      }
    ),
    (
      "list-filtered",
      { rows, columns in
        var interface = Interface(rows: rows, columns: columns)
        interface.type("/o")
        return interface
      }
    ),
    ("list-empty", { Interface([], rows: $0, columns: $1) }),
    ("connecting", { Interface(rows: $0, columns: $1, isConnected: false) }),
    (
      "player",
      { rows, columns in
        var interface = Interface(rows: rows, columns: columns, playing: 0, lyrics: lyrics)
        interface.press(.enter)
        return interface
      }
    ),
    (
      "player-wide-title",
      { rows, columns in
        var interface = Interface(rows: rows, columns: columns, playing: 2, at: 20)
        interface.change { ($0.state, $0.rate, $0.shuffle, $0.consume) = (.paused, 0, .albums, true) }
        interface.press(.enter)
        return interface
      }
    ),
    (
      "help",
      { rows, columns in
        var interface = Interface(rows: rows, columns: columns, playing: 0)
        interface.type("?")
        return interface
      }
    ),
  ]

  @Test(arguments: scenes.map(\.name), sizes.map(\.columns)) func screenIsAsRecorded(name: String, columns: Int) throws
  {
    let scene = try #require(Self.scenes.first { $0.name == name })
    let size = try #require(Self.sizes.first { $0.columns == columns })
    let interface = scene.make(size.rows, size.columns)
    let cursor = interface.cursor.map { "row \($0.row), column \($0.column)" } ?? "hidden"
    let text = interface.screen + "\n\ncursor: \(cursor)\n"
    let path = Self.folder.appending("\(name)-\(columns)x\(size.rows).txt")
    if getenv("SEGUE_RECORD") != nil { try SmallFile.write(Array(text.utf8), to: path) }
    #expect(text == String(decoding: try SmallFile.read(path, upTo: 1 << 20), as: UTF8.self))
  }
}
