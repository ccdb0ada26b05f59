import SegueCLI
import SegueSystem
import SegueTestKit
import SegueUnicode
import SegueWire
import Testing

/// Tests of the output of `list`.
@Suite struct ListTests {
  private static let family = "👩‍👩‍👧‍👦"

  private static let tracks = [
    RecordedResponses.track(0, "So What", artist: "Miles Davis", seconds: 562),
    RecordedResponses.track(1, "日本語のタイトルはとても長いので途中で切らなければならない", artist: "坂本龍一", kind: .estimated),
    RecordedResponses.track(2, "e\u{301}tude \(family) 🇯🇵 ❤️ 한글", artist: "Ноль", seconds: 3723),
    RecordedResponses.track(
      3, "\u{1B}[31mred\u{7}\nevil\u{9B}\u{202E}", artist: "a\tb", seconds: nil, kind: .unbounded),
    RecordedResponses.track(4, nil, error: "no audio stream"),
    RecordedResponses.track(
      5, String(repeating: "long ", count: 60), artist: String(repeating: "name ", count: 60),
      error: "decoding stopped at 0:03 of 3:21: the file is truncated", errorKind: .decodingStopped),
  ]

  private func list(_ columns: Int?, environment: [String: String] = ["NO_COLOR": "1"]) throws -> [String] {
    let daemon = try StubDaemon { method, parameters in
      method == "list"
        ? [.result(RecordedResponses.page(of: Self.tracks, parameters: parameters))]
        : [.result(RecordedResponses.json(RecordedResponses.status(track: Self.tracks[2], length: Self.tracks.count)))]
    }
    let outcome = try ClientProcess.run(
      ["list"], environment: daemon.environment.merging(environment) { $1 },
      on: columns.map { .terminal(columns: UInt16($0)) } ?? .pipe)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    return outcome.lines
  }

  @Test func listInAPipeIsTabSeparated() throws {
    #expect(
      try list(nil) == [
        "1\tSo What\tMiles Davis\t9:22\t",
        "2\t日本語のタイトルはとても長いので途中で切らなければならない\t坂本龍一\t~3:21\t",
        "3\te\u{301}tude \(Self.family) 🇯🇵 ❤️ 한글\tНоль\t1:02:03\tcurrent",
        "4\t^[[31mred^G^Jevil<U+009B><U+202E>\ta^Ib\tlive\t",
        "5\t4\t\t3:21\tunplayable",
        "6\t" + String(repeating: "long ", count: 60) + "\t" + String(repeating: "name ", count: 60)
          + "\t3:21\tincomplete",
      ])
  }

  @Test(arguments: [20, 40, 80, 200])
  func tableFitsTheTerminalAndItsColumnsAreAligned(columns: Int) throws {
    let lines = try list(columns)
    #expect(lines.count == Self.tracks.count)
    for line in lines {
      #expect(DisplayWidth.of(line) == columns, "\(line)")
      #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
    #expect(lines[2].hasPrefix("▶ 3  "))
    #expect(lines[4].hasPrefix("! 5  "))
    if columns >= 40 {
      let artists = ["Miles", "坂本", "Ноль", "a^Ib", "", "name"]
      let starts = zip(lines, artists).compactMap { line, artist in
        artist.isEmpty ? nil : line.firstRange(of: artist).map { DisplayWidth.of(String(line[..<$0.lowerBound])) }
      }
      #expect(starts.count == 5 && Set(starts).count == 1)
    }
  }

  @Test func narrowTableHasTheExpectedLayout() throws {
    #expect(
      try list(40) == [
        "  1  So What         Miles Dav…     9:22",
        "  2  日本語のタイ…   坂本龍一      ~3:21",
        "▶ 3  e\u{301}tude \(Self.family) 🇯🇵 …   Ноль        1:02:03",
        "  4  ^[[31mred^G^J…  a^Ib           live",
        "! 5  4                              3:21",
        "! 6  long long lon…  name name…     3:21",
      ])
  }

  @Test func emptyQueueAndRangesPastTheEndAreExplained() throws {
    let daemon = try StubDaemon { method, _ in
      method == "list"
        ? [.result(RecordedResponses.page([], total: 0))]
        : [.result(RecordedResponses.json(RecordedResponses.status(.stopped, track: nil, length: 0)))]
    }
    #expect(try ClientProcess.run(["list"], environment: daemon.environment).output == [])
    let terminal = try ClientProcess.run(
      ["list"], environment: daemon.environment, on: .terminal(columns: 80))
    #expect(terminal.text.contains("The queue is empty"))

    let full = try StubDaemon(RecordedResponses.standard)
    let outcome = try ClientProcess.run(["list", "9"], environment: full.environment)
    #expect(outcome.code == 1 && outcome.errorText.contains("there is no entry 9: the queue has 5"))
  }
}
