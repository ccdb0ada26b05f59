import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of `--format` with the template language of playerctl.
@Suite struct TemplateTests {
  private static let status: Status = {
    let track = BarFixture.track("So <What>", artist: "Miles") { track in
      track.metadata.artists = ["Miles", "Bill"]
      track.metadata.albumArtist = "Davis"
      track.metadata.genre = ["Jazz", "Modal"]
      track.metadata.date = "1959-08-17"
      track.metadata.track = 3
      track.metadata.disc = 1
      track.metadata.art = "file:///c.png"
      track.duration = .seconds(3723.5)
    }
    return RecordedResponses.status(.paused, track: track, position: 83.25) { $0.duration = track.duration }
  }()

  @Test(arguments: [
    ("{{title}}", "So <What>"),
    ("{{ title }} by {{artist}} on {{album}}", "So <What> by Miles, Bill on Live"),
    ("{{heading}}", "So <What> — Miles"),
    ("{{xesam:title}}/{{xesam:artist}}/{{xesam:album}}", "So <What>/Miles, Bill/Live"),
    ("{{xesam:albumArtist}} {{xesam:genre}} {{xesam:contentCreated}}", "Davis Jazz, Modal 1959-08-17"),
    ("{{xesam:trackNumber}}.{{xesam:discNumber}}", "3.1"),
    ("{{mpris:length}} {{mpris:trackid}} {{mpris:artUrl}}", "3723500000 /org/segue/Track/102 file:///c.png"),
    ("{{xesam:url}}", "file:///music/2.flac"),
    ("{{status}} {{lc(status)}} {{uc(status)}}", "Paused paused PAUSED"),
    ("{{loop}} {{shuffle}} {{playerName}} {{playerInstance}}", "Playlist false segue segue"),
    ("{{volume}}", "0.8"),
    ("{{speed}}", "1.0"),
    ("{{position}}", "83250000"),
    ("{{duration(position)}}/{{duration(mpris:length)}}", "1:23/1:02:03"),
    ("{{duration(mpris:length - position)}}", "1:00:40"),
    ("{{duration(90000000)}}", "1:30"),
    ("{{position / 1000000}} {{ (position + 750000) / 84000000 * 2 }}", "83.25 2.0"),
    ("{{mpris:length / position}}", "44"),
    (
      "{{volume * 100}} {{ 100 * volume + 1 }} {{ -2 - -3 }} {{ 2 * (3 + 4) }} {{ 1 + 2 * 3 }}",
      "80.0 81.0 1.0 14.0 7.0"
    ),
    ("{{ 10 - 4 - 3 }} {{ 100 / 5 / 2 }} {{ .5 }} {{ +1 }}", "3.0 10.0 0.5 1.0"),
    ("{{trunc(title, 4)}} {{trunc(title, 9)}} {{trunc(title, 0)}} {{trunc(\"abc\", 1 + 1)}}", "So <… So <What> … ab…"),
    ("{{default(xesam:composer, \"nobody\")}} {{default(title, \"x\")}}", "nobody So <What>"),
    ("{{default(xesam:lyricist, default(xesam:composer, uc(artist)))}}", "MILES, BILL"),
    ("{{markup_escape(title)}} {{markup_escape(\"&'\")}}", "So &lt;What&gt; &amp;&apos;"),
    // A combining accent does not hide the character before it.
    ("{{markup_escape(\"&\u{301}\")}}", "&amp;\u{301}"),
    ("{{emoji(status)}} {{emoji(volume)}} {{emoji(title)}}", "⏸️ 🔊 So <What>"),
    // Unknown values and results that depend on them are empty.
    ("[{{xesam:lyricist}}|{{lc(xesam:lyricist)}}|{{mpris:bitrate * 2}}|{{duration(xesam:mood)}}]", "[|||]"),
    ("[{{position / 0}}|{{1 / 0}}|{{position * position * position}}]", "[||]"),
    // Literal text is not changed.
    ("{ {title} }} } %{F#f00} <b>&amp;</b> \\n", "{ {title} }} } %{F#f00} <b>&amp;</b> \\n"),
    ("", ""), ("a\nb", "a b"), ("{{ \"}}\" }}", "}}"), ("{{\n\ttitle }}", "So <What>"),
  ])
  func templateIsRendered(template: String, line: String) throws {
    #expect(try BarFixture.output(Self.status, ["--format", template]) == line + "\n")
    #expect(try BarFixture.output(Self.status, ["--format=\(template)"]) == line + "\n")
  }

  @Test func truncCountsTerminalColumns() throws {
    let status = RecordedResponses.status(track: BarFixture.track(BarFixture.wide))
    #expect(try BarFixture.output(status, ["--format", "{{trunc(title, 5)}}"]) == "千と…\n")
  }

  @Test func controlCharactersInTagsAreMadeVisible() throws {
    let status = RecordedResponses.status(track: BarFixture.track("a\u{1B}[31m\nb", artist: "x\ty"))
    #expect(try BarFixture.output(status, ["--format", "{{title}} {{artist}}"]) == "a^[[31m^Jb x^Iy\n")
  }

  @Test func titleOfAStreamIsItsCurrentTitle() throws {
    let track = BarFixture.track("Radio") { track in
      track.metadata.stream = "Now"
      track.durationKind = .unbounded
    }
    let status = RecordedResponses.status(track: track) { $0.durationKind = .unbounded }
    #expect(try BarFixture.output(status, ["--format", "{{title}} [{{duration(mpris:length)}}]"]) == "Now []\n")
  }

  @Test func templateNamesTheTrackThatPlaysNext() throws {
    let next = RecordedResponses.status { $0.next = BarFixture.track("a\u{1B}", artist: "x") }
    #expect(try BarFixture.output(next, ["--format", "{{nextTitle}} by {{nextArtist}}"]) == "a^[ by x\n")
    #expect(try BarFixture.output(RecordedResponses.status(), ["--format", "[{{nextTitle}}]"]) == "[]\n")
  }

  @Test func templateWithTrackVariablesIsEmptyWithoutATrack() throws {
    let status = RecordedResponses.status(.stopped, track: nil)
    #expect(try BarFixture.output(status, ["--format", "{{status}}: {{title}}"]) == "\n")
    #expect(try BarFixture.output(status, ["--format", "{{status}} {{emoji(volume)}}"]) == "Stopped 🔊\n")
  }

  /// The error contains the reason, and a mark below the template shows the position.
  @Test(arguments: [
    ("{{titel}}", "unknown variable “titel”", 2, "did you mean title?"),
    ("ab {{ duratoin(position) }}", "unknown function “duratoin”", 6, "did you mean duration?"),
    ("{{nothing(title)}}", "unknown function “nothing”", 2, "the functions are "),
    ("{{title", "unclosed {{", 0, ""),
    ("x {{", "expected a name, a number or a quoted text, found the end", 4, ""),
    ("{{}}", "expected a name, a number or a quoted text, found “}”", 2, ""),
    ("{{title}", "unclosed {{", 0, ""),
    ("{{title artist}}", "expected }}, found “a”", 8, ""),
    ("{{lc(title}}", "expected ), found “}”", 10, ""),
    ("{{lc()}}", "expected a name, a number or a quoted text, found “)”", 5, ""),
    ("{{lc(title, artist)}}", "lc takes one argument, not 2", 2, ""),
    ("{{trunc(title)}}", "trunc takes two arguments, not 1", 2, ""),
    ("{{trunc(title, artist)}}", "expected a number, found a text", 15, ""),
    ("{{title * 2}}", "expected a number, found a text", 2, ""),
    ("{{2 + \"a\"}}", "expected a number, found a text", 6, ""),
    ("{{duration(title)}}", "expected a number, found a text", 11, ""),
    ("{{-title}}", "expected a number, found a text", 3, ""),
    ("{{emoji(lc(status))}}", "emoji takes a variable", 2, ""),
    ("{{1.2.3}}", "invalid number “1.2.3”", 2, ""),
    ("{{default(title, \"x)}}", "unclosed quotes", 17, ""),
    ("{{名}}", "expected a name, a number or a quoted text, found “名”", 2, ""),
    ("名前 {{x}}", "unknown variable “x”", 5, ""),
  ])
  func templateErrorShowsReasonAndPosition(template: String, reason: String, position: Int, hint: String) throws {
    let outcome = try ClientProcess.run(["status", "--format", template])
    #expect(outcome.code == 2 && outcome.output == [])
    let lines = outcome.errorText.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].hasPrefix("segue: --format, character \(position + 1): \(reason)"), "\(lines[0])")
    #expect(lines[1] == "  \(template)")
    // The East Asian characters occupy two columns.
    let columns = template.prefix(position).reduce(0) { $0 + ("名前".contains($1) ? 2 : 1) }
    #expect(lines[2] == "  " + String(repeating: " ", count: columns) + "^")
    #expect(lines[3].hasPrefix(hint.isEmpty ? "" : "  \(hint)"))
  }

  @Test(arguments: ["(", "-", "lc("]) func deeplyNestedTemplateIsRejected(opening: String) throws {
    let outcome = try ClientProcess.run(["status", "--format", "{{" + String(repeating: opening, count: 30_000)])
    #expect(outcome.code == 2)
    #expect(outcome.errorText.contains("too many"))
  }
}
