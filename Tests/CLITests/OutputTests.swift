import SegueCLI
import SegueSystem
import SegueTestKit
import SegueUnicode
import SegueWire
import Testing

/// Tests of the output on terminals and in pipes.
@Suite struct OutputTests {
  /// Runs the client against a daemon whose state is `status`.
  private func run(
    _ words: [String], _ status: Status = RecordedResponses.status(), on place: ClientProcess.Place = .pipe,
    environment: [String: String] = [:]
  ) throws -> ClientProcess.Outcome {
    let answer = RecordedResponses.json(status)
    let daemon = try StubDaemon { method, parameters in
      if words.first == "status", method == "chapters" {
        return [.result(#"{"uri":"file:///music/2.flac","chapters":[],"current":null}"#)]
      }
      return ["status", "next", "pause", "sleep"].contains(method)
        ? [.result(answer)] : RecordedResponses.standard(method, parameters)
    }
    return try ClientProcess.run(words, environment: daemon.environment.merging(environment) { $1 }, on: place)
  }

  @Test func statusInAPipeAlwaysHasTheSameLines() throws {
    let status = RecordedResponses.status { status in
      status.track?.metadata.album = "Kind\nof: Blue"
      status.sleep = .after(.album)
      status.durationKind = .estimated
    }
    let outcome = try run(["status"], status)
    #expect(
      outcome.lines == [
        "state: playing", "position: 83.000", "duration: 201.000", "duration-kind: estimated", "title: So What",
        "artist: Miles Davis", "album: Kind^Jof: Blue", "uri: file:///music/2.flac", "number: 3", "length: 5",
        "volume: 80", "muted: no", "repeat: all", "shuffle: off", "consume: off", "sleep: album", "output: open",
        "device: null", "error:", "stream:", "buffered:", "station:", "next-title:", "next-artist:",
        "speed: 1", "chapter:", "chapter-number:", "chapters:",
      ])
    let empty = try run(["status"], RecordedResponses.status(.stopped, track: nil, length: 0))
    let keys = { (outcome: ClientProcess.Outcome) in outcome.lines.map { $0.prefix { $0 != ":" } } }
    #expect(keys(empty) == keys(outcome))
  }

  @Test func statusOnATerminalHasAProgressBarThatFillsTheLine() throws {
    let status = RecordedResponses.status(position: 100.5) {
      $0.next = RecordedResponses.track(3, "Freddie Freeloader", artist: "Miles Davis")
    }
    let wide = try run(["status"], status, on: .terminal(columns: 80), environment: ["NO_COLOR": "1"]).lines
    #expect(
      wide == [
        "▶ playing  3 of 5", "  So What", "  Miles Davis",
        "  1:40 / 3:21 (50%)  " + String(repeating: "━", count: 29) + String(repeating: "─", count: 30),
        "  Next: Freddie Freeloader — Miles Davis",
        "  volume 80%   repeat all   shuffle off   consume off", "  output null",
      ])
    let narrow = try run(["status"], status, on: .terminal(columns: 40), environment: ["NO_COLOR": "1"]).lines
    #expect(narrow[3] == "  1:40 / 3:21 (50%)  " + String(repeating: "━", count: 9) + String(repeating: "─", count: 10))
    #expect(narrow[5...] == ["  volume 80%   repeat all   shuffle off", "  consume off", "  output null"])
  }

  @Test func statusShowsTheChapterThatPlays() throws {
    func run(_ chapters: String?, on place: ClientProcess.Place) throws -> [String] {
      let answer = RecordedResponses.json(RecordedResponses.status())
      let daemon = try StubDaemon { method, _ in
        if method == "status" { return [.result(answer)] }
        return chapters.map { [.result($0)] } ?? []
      }
      return try ClientProcess.run(
        ["status"], environment: daemon.environment.merging(["NO_COLOR": "1"]) { $1 }, on: place
      ).lines
    }
    func list(_ uri: String, _ current: String = "1") -> String {
      #"{"uri":"\#(uri)","chapters":[{"title":"","start":0},{"title":"The Storm","start":9}],"current":\#(current)}"#
    }
    let own = "file:///music/2.flac"
    #expect(try run(list(own), on: .terminal(columns: 80))[3] == "  Chapter 2 of 2: The Storm")
    #expect(try run(list(own, "0"), on: .terminal(columns: 80))[3] == "  Chapter 1 of 2")
    #expect(
      try run(list(own), on: .pipe).suffix(3) == ["chapter: The Storm", "chapter-number: 2", "chapters: 2"])
    // The track has changed, none of the chapters plays, or the daemon says nothing.
    for other in [list("file:///other"), list(own, "null"), list(own, "7"), nil] {
      #expect(try run(other, on: .pipe).suffix(3) == ["chapter:", "chapter-number:", "chapters:"])
      #expect(try !run(other, on: .terminal(columns: 80)).joined().contains("Chapter"))
    }
  }

  @Test func statusShowsASpeedOtherThanTheOriginalOne() throws {
    let status = RecordedResponses.status(rate: 1.5) { $0.speed = PlaybackSpeed(clamping: 1.5) }
    let lines = try run(["status"], status, on: .terminal(columns: 80), environment: ["NO_COLOR": "1"]).lines
    #expect(lines.contains("  volume 80%   repeat all   shuffle off   consume off   speed 1.5"))
    #expect(try run(["status"], status).lines.contains("speed: 1.5"))
  }

  @Test func statusIsASCIIWithoutAUTF8Locale() throws {
    let lines = try run(["status"], on: .terminal(columns: 60), environment: ["LANG": "C", "NO_COLOR": "1"]).lines
    #expect(lines.first == "> playing  3 of 5")
    #expect(lines[3] == "  1:23 / 3:21 (41%)  [===============----------------------]")
    #expect(lines.joined().utf8.allSatisfy { $0 < 0x80 })
    let line = try run(["next"], environment: ["LC_ALL": "POSIX"]).lines
    #expect(line == ["playing So What - Miles Davis  1:23 / 3:21"])
  }

  @Test func statusShowsErrorsOfOutputAndTrack() throws {
    let status = RecordedResponses.status { status in
      status.output.state = .lost
      status.output.error = "connection refused"
      status.track?.error = "no audio\u{1B}[2J"
      status.muted = true
    }
    let text = try run(["status"], status, on: .terminal(columns: 100), environment: ["NO_COLOR": "1"]).text
    #expect(text.contains("! no sound server"))
    #expect(text.contains("! output: connection refused"))
    #expect(text.contains("! track: no audio^[[2J"))
    #expect(text.contains("volume 80% (muted)"))
    #expect(try run(["next"], status).lines == ["playing So What — Miles Davis  1:23 / 3:21  (no sound server)"])
  }

  @Test func statusDistinguishesAMissingDeviceFromAMissingSoundServer() throws {
    let status = RecordedResponses.status { status in
      (status.output.state, status.output.errorKind) = (.lost, .noSink)
      status.output.error = "the sound server has no output device (sink)"
    }
    let text = try run(["status"], status, on: .terminal(columns: 100), environment: ["NO_COLOR": "1"]).text
    #expect(text.contains("! output: the sound server has no output device"))
    #expect(!text.contains("no sound server"))
    #expect(try run(["next"], status).lines == ["playing So What — Miles Davis  1:23 / 3:21  (no output device)"])
  }

  @Test func statusOfAnEmptyQueueSuggestsCommands() throws {
    let status = RecordedResponses.status(.stopped, track: nil, length: 0)
    let text = try run(["status"], status, on: .terminal(columns: 80)).text
    #expect(text.contains("The queue is empty."))
    #expect(text.contains("segue add ~/Music"))
  }

  @Test func durationShowsWhetherItIsEstimatedOrUnbounded() throws {
    let cases: [(Double?, DurationKind?, String)] = [
      (201, .exact, "1:23 / 3:21"), (201, .estimated, "1:23 / ~3:21"), (nil, .unbounded, "1:23 (live)"),
      (nil, nil, "1:23"), (7384, .exact, "1:23 / 2:03:04"),
    ]
    for (seconds, kind, expected) in cases {
      let status = RecordedResponses.status(track: RecordedResponses.track(2, "T", seconds: seconds, kind: kind))
      #expect(try run(["pause"], status).lines == ["playing T  " + expected])
    }
  }

  @Test func positionIsExtrapolatedFromItsTimestamp() throws {
    // The state is 40 s old, and the track is playing.
    let moving = RecordedResponses.status(rate: 1) {
      $0.monotonic = MonotonicTime(nanoseconds: MonotonicTime.now.nanoseconds - 40_000_000_000)
    }
    let line = try run(["status"], moving).lines[1]
    let position = try #require(Double(line.dropFirst("position: ".count)))
    #expect((123...201).contains(position))
    // The position never exceeds an exact duration.
    var late = moving
    late.monotonic = MonotonicTime(nanoseconds: 1)
    #expect(try run(["status"], late).lines[1] == "position: 201.000")
    late.rate = 0
    #expect(try run(["status"], late).lines[1] == "position: 83.000")
  }

  @Test func sleepTimerShowsTheRemainingTime() throws {
    let status = RecordedResponses.status {
      $0.sleep = .seconds(MediaTime.seconds(3))
      $0.monotonic = MonotonicTime(nanoseconds: MonotonicTime.now.nanoseconds - 3_000_000_000)
    }
    #expect(try run(["sleep"], status).lines == ["sleep in 0:00"])
    #expect(
      try run(["sleep"], RecordedResponses.status { $0.sleep = .after(.track) }).lines == ["sleep after this track"])
    #expect(try run(["sleep"]).lines == ["sleep off"])
  }

  @Test func transportLineFitsTheTerminal() throws {
    let status = RecordedResponses.status(
      track: RecordedResponses.track(2, String(repeating: "長い", count: 40), artist: "X"))
    for columns in [40, 80, 200] {
      let line = try run(
        ["next"], status, on: .terminal(columns: UInt16(columns)), environment: ["NO_COLOR": "1"]
      ).lines
      #expect(line.count == 1)
      #expect(line[0].hasPrefix("▶ 長い") && line[0].hasSuffix("  1:23 / 3:21"))
      #expect(DisplayWidth.of(line[0]) <= columns)
      #expect(line[0].contains("…") == (columns < 200))
    }
  }

  @Test func colorIsUsedOnTerminalsAndCanBeDisabled() throws {
    let terminal = ClientProcess.Place.terminal(columns: 80)
    #expect(try run(["next"], on: terminal).text.contains("\u{1B}["))
    #expect(try !run(["next"]).text.contains("\u{1B}"))
    #expect(try !run(["next"], on: terminal, environment: ["NO_COLOR": "1"]).text.contains("\u{1B}"))
    #expect(try !run(["next"], on: terminal, environment: ["TERM": "dumb"]).text.contains("\u{1B}"))
    #expect(try !run(["--color", "never", "next"], on: terminal).text.contains("\u{1B}"))
    #expect(try run(["next", "--color=always"], environment: ["NO_COLOR": "1"]).text.contains("\u{1B}["))
  }

  @Test func jsonOptionPrintsTheResultInOneLine() throws {
    let status = RecordedResponses.status()
    #expect(try run(["status", "--json"], status).lines == [RecordedResponses.json(status)])
    #expect(try run(["--json", "next"], status, on: .terminal(columns: 40)).lines == [RecordedResponses.json(status)])
    #expect(try run(["--json", "list"]).lines == [RecordedResponses.page(RecordedResponses.tracks, total: 5)])
    #expect(
      try run(["list", "2-3", "--json"]).lines == [
        RecordedResponses.page(Array(RecordedResponses.tracks[1...2]), total: 5, offset: 1)
      ])
    #expect(try run(["rpc", "volume"]).lines == [#"{"volume":80,"muted":false}"#])
    #expect(try run(["outputs", "--json"]).lines == [RecordedResponses.outputs])
    #expect(try run(["shutdown", "--json"]).lines == ["null"])
  }

  @Test func settingsAreCompleteAtAnyWidth() throws {
    func lines(_ columns: UInt16) throws -> [String] {
      try run(["settings"], on: .terminal(columns: columns), environment: ["NO_COLOR": "1"]).lines
    }
    #expect(
      try lines(60) == [
        "library.musicFolder     /srv/a  b, /m  (segue.conf)", "    folders to scan",
        "output.device           none  (default)", "    output device [NAME]",
        "player.preamp           -2.5 dB  (chosen)", "    added to every gain [-30..30 dB]",
        "player.restore          paused  (default)", "    what to do at startup [paused, resume, stopped]",
        "player.preventClipping  yes  (segue.conf)", "    limit the gain to avoid clipping [yes, no]",
      ])
    let wide = try lines(120)
    for columns: UInt16 in [20, 30, 40, 80] {
      let lines = try lines(columns)
      #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns })
      // Lines are broken at a single space or within a word. A name and its value are separated by several spaces.
      var rest = wide.map { $0.drop { $0 == " " } }.joined(separator: " ")[...]
      for line in lines {
        let text = line.drop { $0 == " " }
        if line.first != " " { rest = rest.drop { $0 == " " } }
        #expect(rest.hasPrefix(text), "at \(columns) columns “\(text)” is followed by “\(rest)”")
        rest = rest.dropFirst(text.count)
        if line.first != " " { rest = rest.drop { $0 == " " } } else if rest.first == " " { rest = rest.dropFirst() }
      }
      #expect(rest.isEmpty, "nothing is missing at \(columns) columns")
    }
  }

  @Test func quietOptionSuppressesOutput() throws {
    for words in [["next"], ["status"], ["list"], ["add", "/"], ["--json", "volume"]] {
      let outcome = try run(words + ["-q"])
      #expect(outcome.code == 0)
      #expect(outcome.output == [] && outcome.errors == [])
    }
  }

  @Test(arguments: [
    (QueueStep.Action.clear, PlayState.paused, "playback is paused;   segue play   resumes it"),
    (.replace, .stopped, "playback is stopped;   segue play   starts it"), (.remove, .playing, ""),
    (.add, .paused, ""),
  ])
  func undoSaysHowPlaybackContinues(_ action: QueueStep.Action, _ state: PlayState, _ line: String) throws {
    let daemon = try StubDaemon { method, parameters in
      switch method {
      case "queue.undo":
        let queue = QueueSummary(version: 8, length: 3)
        return [
          .result(RecordedResponses.json(QueueStepResult(step: QueueStep(action: action, tracks: 3), queue: queue)))
        ]
      case "status": return [.result(RecordedResponses.json(RecordedResponses.status(state)))]
      default: return RecordedResponses.standard(method, parameters)
      }
    }
    let environment = daemon.environment.merging(["NO_COLOR": "1"]) { $1 }
    let outcome = try ClientProcess.run(["undo"], environment: environment, on: .terminal(columns: 80))
    #expect(Array(outcome.lines.dropFirst()) == [line].filter { !$0.isEmpty })
    #expect(try ClientProcess.run(["undo"], environment: environment).lines.count == 1)
  }

  @Test func verbsPrintTheNewState() throws {
    #expect(try run(["volume", "30"]).lines == ["volume 80%"])
    #expect(try run(["repeat"]).lines == ["repeat all"])
    #expect(try run(["shuffle"]).lines == ["shuffle off"])
    #expect(try run(["consume"]).lines == ["consume off"])
    #expect(try run(["speed"]).lines == ["speed 1"])
    #expect(try run(["add", "/"]).lines == ["added 2 tracks"])
    #expect(try run(["remove", "1"]).lines == ["removed 1 track; 3 in the queue"])
    #expect(try run(["clear"]).lines == ["the queue is empty"])
    #expect(try run(["undo"]).lines == ["undid the removal of 2 tracks; 3 in the queue"])
    #expect(try run(["redo"]).lines == ["redid the replacement of the queue by 1 track; 3 in the queue"])
    #expect(try run(["stats"]).lines == ["clients: 1", "requests: 12"])
    #expect(try run(["version"]).lines == ["segue \(Version.program)", "segued 9.8.7, protocol 1"])
    #expect(
      try run(["outputs"]).lines == [
        "alsa.analog\tBuilt-in Audio\ts16le 2 ch 44100 Hz\tcurrent,default",
        "alsa.hdmi\tMonitor (HDMI)\ts16le 2 ch 48000 Hz\t",
      ])
    #expect(try run(["settings", "get", "preamp"]).lines == ["-2.5"])
    #expect(try run(["settings", "set", "preamp", "-2.5"]).lines == ["player.preamp -2.5 dB (chosen)"])
    #expect(
      try run(["settings"]).lines == [
        "library.musicFolder\t/srv/a  b, /m\tsegue.conf\t\tfolders to scan",
        "output.device\t\tdefault\tNAME\toutput device",
        "player.preamp\t-2.5\tchosen\t-30..30 dB\tadded to every gain",
        "player.restore\tpaused\tdefault\tpaused|resume|stopped\twhat to do at startup",
        "player.preventClipping\tyes\tsegue.conf\tyes|no\tlimit the gain to avoid clipping",
      ])
    let table = try run(["outputs"], on: .terminal(columns: 30), environment: ["NO_COLOR": "1"]).lines
    #expect(table.prefix(2) == ["▶ 1  Built-in Audio  (default)", "     alsa.analog  44100 Hz, 2…"])
    #expect(table.allSatisfy { DisplayWidth.of($0) <= 30 })
  }
}
