import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the snippets in contrib/bars, and of bars that need no display.
@Suite struct BarProgramTests {
  /// Every `segue` command of a snippet is executed.
  @Test(arguments: [
    "waybar.jsonc", "polybar.ini", "i3blocks.conf", "i3status-rs.toml", "eww.yuck", "tmux.conf",
  ])
  func snippetsUseValidCommands(name: String) throws {
    let text = try BarFixture.text(BarFixture.snippets.appending(name))
    let follow = try #require(text.firstMatch(of: /segue status --follow --output ([a-z0-9-]+) --format '([^']+)'/))
    #expect(name.hasPrefix(follow.1))
    let status = RecordedResponses.status(track: BarFixture.track("One", artist: nil))
    let line = try BarFixture.output(status, ["--output", String(follow.1), "--format", String(follow.2)])
    #expect(line.contains("One"))
    let actions = Set(text.matches(of: /segue -q ([a-z]+( [+-]5)?)/).map { String($0.1) })
    #expect(actions == ["toggle", "prev", "next", "volume +5", "volume -5"])
    for action in actions {
      let daemon = try StubDaemon(RecordedResponses.standard)
      let outcome = try ClientProcess.run(
        ["-q"] + action.split(separator: " ").map(String.init), environment: daemon.environment)
      #expect(outcome.code == 0 && outcome.output == [] && !daemon.requests.isEmpty)
    }
  }

  /// The transcripts of contrib/bars/README.md are compared with the output.
  @Test(arguments: ["waybar", "polybar", "i3blocks", "i3status-rs", "yambar", "eww", "tmux"])
  func transcriptsInTheReadmeAreAccurate(output: String) throws {
    let text = try BarFixture.text(BarFixture.snippets.appending("README.md"))
    let start = try #require(text.firstRange(of: "### \(output)\n\n```\n")).upperBound
    let end = try #require(text[start...].firstRange(of: "```")).lowerBound
    let lines = text[start..<end].split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { $0 + "\n" }
    #expect(lines.count >= 3 && lines.count % 3 == 0)
    let size = lines.count / 3
    let expected = (0..<3).map { lines[$0 * size..<($0 + 1) * size].joined() }

    let daemon = try BarFixture.daemon(RecordedResponses.status(track: BarFixture.track(BarFixture.hostile)))
    let saysState = !["polybar", "i3blocks", "tmux"].contains(output)
    let format = saysState ? "{{ heading }}" : "{{ emoji(status) }} {{ heading }}"
    let client = try ClientProcess(
      ["status", "--follow", "--output", output, "--format", format], environment: daemon.environment)
    #expect(try client.read(upTo: expected[0]) == expected[0])
    daemon.send(BarFixture.event(RecordedResponses.status(.paused, track: BarFixture.track(BarFixture.hostile))))
    #expect(try client.read(upTo: expected[1]) == expected[1])
    daemon.disconnect()
    #expect(try client.read(upTo: expected[2]) == expected[2])
  }

  @Test func yambarSnippetUsesAValidCommand() throws {
    let text = try BarFixture.text(BarFixture.snippets.appending("yambar.yml"))
    let words = try #require(text.firstMatch(of: /args: \[(.*)\]/)).1.replacing("\"", with: "")
    // Only the comma in the template does not separate arguments.
    let arguments = words.split(separator: ", ", maxSplits: 6).map(String.init)
    // The program is found on the `PATH`.
    #expect(text.contains("path: /usr/bin/env\n") && arguments.first == "segue")
    let status = RecordedResponses.status(track: BarFixture.track("One", artist: nil))
    #expect(
      try BarFixture.output(status, arguments.dropFirst(2).filter { $0 != "--follow" }).contains("text|string|One\n"))
  }

  @Test(arguments: [BarFixture.hostile, BarFixture.wide, "a ## b #[fg=red] c ##[x] #{d} #(echo e) %H f#"])
  func tmuxDisplaysTheTitle(title: String) throws {
    let status = RecordedResponses.status(track: BarFixture.track(title, artist: nil))
    let daemon = try BarFixture.daemon(status)
    let folder = try TemporaryFolder()
    let (outer, inner) = ("\(folder.path)/outer", "\(folder.path)/inner")
    // The outer tmux displays the inner one, so that its status line can be captured.
    let start = try BarFixture.start(
      [
        "tmux", "-S", outer, "-f", "/dev/null", "new-session", "-d", "-x", "150", "-y", "6",
        "env -u TMUX tmux -u -S '\(inner)' -f '\(BarFixture.snippets)/tmux.conf' new-session 'sleep 600'",
      ], daemon, in: folder)
    #expect(start.end(0) == 0)
    defer {
      for socket in [inner, outer] {
        _ = try? BarFixture.start(["tmux", "-S", socket, "kill-server"], daemon, in: folder).end(0)
      }
    }
    var shown = ""
    try waitUntil("the status line has “\(title)”; it shows \(shown)", every: .milliseconds(200)) {
      let path = try folder.write("screen")
      let file = Descriptor(owning: try checked("open") { path.withCString { open($0, O_WRONLY | O_CLOEXEC) } })
      _ = try BarFixture.start(["tmux", "-u", "-S", outer, "capture-pane", "-p"], daemon, in: folder, output: file.raw)
        .end(0)
      shown = try BarFixture.text(path)
      // The title is at the right end of the line.
      let line = shown.split(separator: "\n").last.map { $0.reversed().drop { $0 == " " }.reversed() } ?? []
      return String(line).hasSuffix(" \(title)")
    }
  }

  @Test(arguments: [BarFixture.hostile, BarFixture.wide])
  func i3blocksForwardsTheTitle(title: String) throws {
    let status = RecordedResponses.status(track: BarFixture.track(title, artist: nil))
    let daemon = try BarFixture.daemon(status)
    let folder = try TemporaryFolder()
    let path = try folder.write("output")
    let file = Descriptor(owning: try checked("open") { path.withCString { open($0, O_WRONLY | O_CLOEXEC) } })
    let bar = try BarFixture.start(
      ["i3blocks", "-c", "\(BarFixture.snippets)/i3blocks.conf"], daemon, in: folder, output: file.raw)
    // i3blocks 1.4 waits for its blocks when it is terminated, so the test kills it.
    defer { bar.end(SIGKILL) }
    let escaped =
      title == BarFixture.hostile ? #"Q&amp;A &lt;&quot;50%&quot;&gt; &#92; %{F#f00}"# : title
    var shown = ""
    try waitUntil("the bar receives “\(escaped)”; it received \(shown)", every: .milliseconds(100)) {
      shown = try BarFixture.text(path)
      // In i3bar's protocol, `[` is followed by arrays, each after a comma.
      return shown.split(separator: "\n").contains { line in
        let array = line.drop { $0 == "," }
        guard let blocks = (try? JSON(parsing: Array(array.utf8)))?.elements else { return false }
        return blocks.contains { $0["full_text"]?.string == "▶️ \(escaped)" && $0["markup"]?.string == "pango" }
      }
    }
  }
}
