import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of `--output`: the formats of bars and the escaping of text from tags.
@Suite struct BarOutputTests {
  private static let hostile = RecordedResponses.status(track: BarFixture.track(BarFixture.hostile, artist: nil))
  private static let wide = RecordedResponses.status(.paused, track: BarFixture.track(BarFixture.wide, artist: nil))

  private func line(_ output: String, _ status: Status, _ options: [String] = []) throws -> String {
    String(try BarFixture.output(status, ["--output", output] + options).dropLast())
  }

  @Test func plainOutputIsTheRenderedTemplate() throws {
    #expect(try line("plain", Self.hostile) == BarFixture.hostile)
    #expect(try line("plain", Self.wide) == BarFixture.wide)
    #expect(
      try BarFixture.output(Self.wide, ["--format", "{{title}}"]) == BarFixture.wide + "\n", "plain is the default")
  }

  @Test func jsonOutputContainsTextAndStatus() throws {
    for (status, title) in [(Self.hostile, BarFixture.hostile), (Self.wide, BarFixture.wide)] {
      let json = try JSON(parsing: Array(try line("json", status).utf8))
      #expect(json["text"]?.string == title)
      #expect(Status(json["status"]).track == status.track)
    }
  }

  /// The names of files are not cleaned as tags are.
  @Test(arguments: ["plain", "json", "waybar", "polybar", "i3blocks", "i3status-rs", "yambar", "eww", "tmux"])
  func noOutputHasControlCharactersOfFileNames(output: String) throws {
    let status = RecordedResponses.status(track: BarFixture.track("x")) {
      $0.track?.metadata.title = nil
      $0.track?.uri = "file:///a%7F%C2%9B31m%E2%80%AE%1B%5B2J.mp3"
      $0.track?.metadata.artist = "a\u{7F}\u{9B}31m\u{202E}\u{1B}[2J"
    }
    let scalars = try BarFixture.output(status, ["--output", output]).unicodeScalars
    #expect(!scalars.contains { $0.isControl && $0 != "\n" }, "\(output)")
  }

  @Test func waybarOutputIsEscapedJSONWithClasses() throws {
    let escaped = #"Q&amp;A &lt;\"50%\"&gt; \\ %{F#f00}"#.replacing(#"\""#, with: "&quot;")
    #expect(
      try line("waybar", Self.hostile)
        == #"{"text":"\#(escaped)","alt":"playing","tooltip":"\#(escaped)\nLive","class":["playing"],"percentage":80}"#)
    #expect(
      try line("waybar", Self.wide)
        == #"{"text":"\#(BarFixture.wide)","alt":"paused","tooltip":"\#(BarFixture.wide)\nLive","class":["paused"],"#
        + #""percentage":80}"#)
    let quiet = RecordedResponses.status(track: BarFixture.track("x")) {
      $0.muted = true
      $0.output.state = .lost
    }
    #expect(try line("waybar", quiet).contains(#""class":["playing","muted","lost"]"#))
  }

  /// Markup in the template is kept, escaped text is not escaped again, and entities such as `&amp;` are not truncated.
  @Test func markupInTheTemplateIsKeptAndTextFromTagsIsEscapedOnce() throws {
    let json = try JSON(
      parsing: Array(
        try line(
          "waybar", Self.hostile,
          [
            "--format",
            "<b>{{lc(title)}}</b> {{markup_escape(title)}} {{trunc(markup_escape(title), 3)}} {{default(artist, \"<i>?</i>\")}}",
          ]
        ).utf8))
    let escaped = #"Q&amp;A &lt;&quot;50%&quot;&gt; \ %{F#f00}"#
    let low = #"q&amp;a &lt;&quot;50%&quot;&gt; \ %{f#f00}"#
    #expect(json["text"]?.string == "<b>\(low)</b> \(escaped) Q&amp;A… <i>?</i>")
  }

  @Test func polybarOutputEscapesFormatTags() throws {
    #expect(try line("polybar", Self.hostile) == #"Q&A <"50%"> \ %%{O0}{F#f00}"#)
    #expect(try line("polybar", Self.wide) == BarFixture.wide)
    let format = "%{F#0f0}{{title}}%{F-}"
    #expect(try line("polybar", Self.wide, ["--format", format]) == "%{F#0f0}\(BarFixture.wide)%{F-}")
    // The characters `%` and `{` come from different parts of the title.
    let split = RecordedResponses.status(track: BarFixture.track("%%{{", artist: "x"))
    #expect(try line("polybar", split) == "%%%{O0}{{ — x")
  }

  @Test func i3blocksOutputIsEscapedForPango() throws {
    let escaped = #"Q&amp;A &lt;&quot;50%&quot;&gt; &#92; %{F#f00}"#
    #expect(
      try line("i3blocks", Self.hostile) == #"{"full_text":"\#(escaped)","short_text":"\#(escaped)","markup":"pango"}"#)
    #expect(
      try line("i3blocks", Self.wide, ["--format", "{{status}}"])
        == #"{"full_text":"Paused","short_text":"\#(BarFixture.wide)","markup":"pango"}"#)
  }

  @Test func i3statusRustOutputHasIconAndState() throws {
    let escaped = #"Q&amp;A &lt;&quot;50%&quot;&gt; \\ %{F#f00}"#
    #expect(
      try line("i3status-rs", Self.hostile)
        == #"{"icon":"music_play","state":"Idle","text":"\#(escaped)","short_text":"\#(escaped)"}"#)
    #expect(
      try line("i3status-rs", Self.wide)
        == #"{"icon":"music_pause","state":"Idle","text":"\#(BarFixture.wide)","short_text":"\#(BarFixture.wide)"}"#)
  }

  @Test func yambarOutputHasTags() throws {
    for (status, title, state) in [
      (Self.hostile, BarFixture.hostile, "playing"), (Self.wide, BarFixture.wide, "paused"),
    ] {
      #expect(
        try BarFixture.output(status, ["--output", "yambar", "--format", "{{title}}\n|"]) == """
          text|string|\(title) |
          state|string|\(state)
          title|string|\(title)
          artist|string|
          album|string|Live
          volume|range:0-100|80
          muted|bool|false


          """)
    }
  }

  @Test func ewwOutputIsJSONWithoutMarkup() throws {
    for (status, title) in [(Self.hostile, BarFixture.hostile), (Self.wide, BarFixture.wide)] {
      let json = try JSON(parsing: Array(try line("eww", status).utf8))
      #expect(json["text"]?.string == title && json["title"]?.string == title)
      #expect(json["album"]?.string == "Live" && json["artist"]?.string == "")
      #expect(json["volume"]?.int == 80 && json["muted"]?.bool == false && json["art"]?.string == "")
    }
  }

  @Test func tmuxOutputEscapesHashSigns() throws {
    #expect(try line("tmux", Self.hostile) == #"Q&A <"50%"> \ %{F##f00}"#)
    #expect(try line("tmux", Self.wide) == BarFixture.wide)
    #expect(try line("tmux", Self.wide, ["--format", "#[bold]{{title}}"]) == "#[bold]" + BarFixture.wide)
  }

  /// Without a daemon, each format has its own representation of an empty text.
  @Test(arguments: [
    ("plain", ""), ("polybar", ""), ("tmux", ""), ("json", #"{"text":"","status":null}"#),
    ("waybar", #"{"text":"","alt":"offline","tooltip":"","class":["offline"],"percentage":0}"#),
    ("i3blocks", #"{"full_text":"","short_text":"","markup":"pango"}"#),
    ("i3status-rs", #"{"icon":"","state":"Idle","text":"","short_text":""}"#),
    ("eww", #"{"text":"","state":"offline","title":"","artist":"","album":"","art":"","volume":0,"muted":false}"#),
    (
      "yambar",
      "text|string|\nstate|string|offline\ntitle|string|\nartist|string|\nalbum|string|\nvolume|range:0-100|0\n"
        + "muted|bool|false\n"
    ),
  ])
  func outputWithoutADaemonIsEmpty(output: String, text: String) throws {
    let client = try ClientProcess(
      ["status", "--follow", "--output", output, "--format", "♪ {{status}} {{title}}"],
      environment: ["SEGUE_SOCKET": "/nonexistent/socket"])
    #expect(try client.read(upTo: text + "\n") == text + "\n")
    // Without `--follow`, a missing daemon is an error.
    #expect(
      try ClientProcess.run(["status", "--output", output], environment: ["SEGUE_SOCKET": "/nonexistent/socket"]).code
        == 3)
  }

  @Test func unknownOutputFormatIsAUsageError() throws {
    let outcome = try ClientProcess.run(["status", "--output", "waybr"])
    #expect(outcome.code == 2)
    #expect(outcome.errorText.contains("“waybr”") && outcome.errorText.contains("did you mean waybar?"))
    #expect(try ClientProcess.run(["status", "--follow", "--json"]).errorText.contains("--output json"))
    #expect(try ClientProcess.run(["play", "--follow"]).code == 2)
  }
}
