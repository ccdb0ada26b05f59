import Glibc
import SegueClientKit
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueTUI

/// Tests that compare screens of three sizes with text files in `Golden`. If the variable SEGUE_RECORD is set, the
/// files are written instead: the difference in git is then what a reviewer reads.
@Suite struct GoldenTests {
  static let sizes = [(rows: 24, columns: 80), (rows: 10, columns: 40), (rows: 50, columns: 200)]
  private static let folder = Repository.root.appending("Tests/TUITests/Golden")

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
    ("folders", { Interface.items("4", rows: $0, columns: $1) }),
    ("favorites", { Interface.items("7", rows: $0, columns: $1) }),
    ("playlists", { Interface.items("8", rows: $0, columns: $1) }),
    ("playlist", { Interface.items("8\r", rows: $0, columns: $1) }),
    ("playlist-name", { Interface.items("3W", rows: $0, columns: $1) }),
    ("rating", { Interface.items("v8", rows: $0, columns: $1) }),
    ("history", { Interface.items("0", rows: $0, columns: $1) }),
    ("outputs", { Interface.items("O", rows: $0, columns: $1) }),
    ("library-albums", { Interface.library(40, rows: $0, columns: $1, playing: 0) }),
    ("library-more", { Interface.items("3333", rows: $0, columns: $1) }),
    (
      "library-tracks",
      { rows, columns in
        var interface = Interface.library(40, rows: rows, columns: columns)
        interface.type("33j  ")
        return interface
      }
    ),
    (
      "album",
      { rows, columns in
        var interface = Interface.library(4, rows: rows, columns: columns)
        interface.type("jj\r")
        return interface
      }
    ),
    (
      "library-empty",
      { Interface.library(0, rows: $0, columns: $1) }
    ),
    (
      "help",
      { rows, columns in
        var interface = Interface(rows: rows, columns: columns, playing: 0)
        interface.type("?")
        return interface
      }
    ),
    (
      "settings",
      { rows, columns in
        var interface = Interface(rows: rows, columns: columns, playing: 0)
        interface.type("S")
        return interface
      }
    ),
    (
      "keys",
      { rows, columns in
        var interface = Interface(rows: rows, columns: columns, playing: 0)
        interface.type("Sjj\r\rxjjj\r")
        return interface
      }
    ),
    ("search", { online(.showSearch, "mi", $0, $1) }),
    ("search-tiles", { online(.showSearch, "song\t\r", $0, $1) }),
    ("search-table", { online(.showSearch, "song\t\rt", $0, $1) }),
    ("popular", { online(.showPopular, "jj", $0, $1) }),
    (
      "popular-stale",
      { rows, columns in
        var fixture = OnlineFixture()
        fixture.isStale = true
        return online(.showPopular, "\t\t", rows, columns, fixture)
      }
    ),
    ("people", { online(.showPeople, "", $0, $1) }),
    ("person", { online(.showPeople, "\rjjj", $0, $1) }),
    ("details", { online(.showPopular, "\t\ti", $0, $1) }),
    ("radio", { online(.showRadio, "", $0, $1) }),
    (
      "visualizer",
      { rows, columns in
        var interface = Interface(rows: rows, columns: columns, playing: 1)
        interface.type("V")
        var wave = SoundWave(
          [(60, 0.2), (110, 0.3), (440, 0.1), (1_000, 0.06), (3_300, 0.02), (9_000, 0.004)].map {
            SoundWave.Sine(hertz: $0.0, left: $0.1, right: $0.1 / 4)
          })
        interface.hear(&wave, events: 20)
        // Peaks stand above bars that fall.
        wave.sines.removeAll { $0.hertz > 500 }
        interface.hear(&wave, events: 8)
        return interface
      }
    ),
    ("theme-light", { themedQueue(.light, $0, $1) }),
    ("theme-dark", { themedQueue(.dark, $0, $1) }),
  ]

  /// Opens a screen of online catalogues and types keys there.
  private static func online(
    _ command: Command, _ keys: String, _ rows: Int, _ columns: Int, _ fixture: OnlineFixture = OnlineFixture()
  ) -> Interface {
    var interface = Interface(rows: rows, columns: columns, playing: 1)
    interface.online = fixture
    interface.perform(command)
    interface.type(keys)
    return interface
  }

  private static func themedQueue(_ theme: Theme, _ rows: Int, _ columns: Int) -> Interface {
    var configuration = InterfaceConfiguration()
    configuration.theme = theme
    var interface = Interface(rows: rows, columns: columns, playing: 1, configuration: configuration)
    interface.type(" ")
    return interface
  }

  /// Returns the styles of the cells: a letter for each, and then the meanings of the letters.
  private func styles(_ frame: TerminalFrame) -> String {
    var letters: [CellStyle: Character] = [:]
    var legend: [String] = []
    var text = ""
    for row in 0..<frame.grid.size.rows {
      for column in 0..<frame.grid.size.columns {
        let style = frame.palette.style(of: frame.grid[row, column].look)
        if letters[style] == nil {
          let letter = Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(legend.count)))
          letters[style] = letter
          let colors = [style.foreground, style.background].map { color in
            if case .indexed(let index)? = color { "\(index)" } else { "default" }
          }
          let emphasis =
            (style.emphasis.contains(.bold) ? ", bold" : "")
            + (style.emphasis.contains(.underlined) ? ", underlined" : "")
          legend.append("\(letter): \(colors[0]) on \(colors[1])\(emphasis)")
        }
        text.append(letters[style] ?? "?")
      }
      text += "\n"
    }
    return text + legend.joined(separator: "\n") + "\n"
  }

  /// Has times displayed in UTC, whatever the time zone of the machine is.
  init() {
    setenv("TZ", "UTC", 1)
    tzset()
  }

  @Test(arguments: scenes.map(\.name), sizes.map(\.columns)) func screenIsAsRecorded(name: String, columns: Int) throws
  {
    try compare(name, columns, with: name)
  }

  private static let russianScenes = scenes.map(\.name).filter { !$0.hasPrefix("theme") }

  /// The language of the process is changed for the time of this test.
  @Test(arguments: russianScenes, sizes.map(\.columns))
  func russianScreenIsAsRecorded(name: String, columns: Int) throws {
    try BuiltTranslations.compile("ru")
    Language.select("ru")
    defer { Language.select(nil) }
    try compare(name, columns, with: "ru-\(name)")
  }

  /// Compares a scene in a size with a recorded file.
  private func compare(_ name: String, _ columns: Int, with file: String) throws {
    let scene = try #require(Self.scenes.first { $0.name == name })
    let size = try #require(Self.sizes.first { $0.columns == columns })
    let interface = scene.make(size.rows, size.columns)
    let cursor = interface.cursor.map { "row \($0.row), column \($0.column)" } ?? "hidden"
    let styles = name.hasPrefix("theme") ? "\n" + styles(interface.model.frame()) : ""
    let text = interface.screen + "\n\ncursor: \(cursor)\n" + styles
    let path = Self.folder.appending("\(file)-\(columns)x\(size.rows).txt")
    if getenv("SEGUE_RECORD") != nil { try SmallFile.write(Array(text.utf8), to: path) }
    #expect(try text == String(decoding: SmallFile.read(path, upTo: 1 << 20), as: UTF8.self))
  }
}
