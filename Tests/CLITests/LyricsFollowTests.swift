import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of lyrics with timestamps: `lyrics --follow`, and the mark of `lyrics` on a terminal.
@Suite struct LyricsFollowTests {
  /// The state of a track that is at `position`, playing or not.
  private static func status(_ index: Int, at position: MediaTime, isPlaying: Bool = false) -> Status {
    var status = RecordedResponses.status(track: RecordedResponses.track(index, "Title \(index)"))
    (status.position, status.duration, status.monotonic) = (position, .seconds(600), .now)
    (status.state, status.rate) = isPlaying ? (.playing, 1) : (.paused, 0)
    return status
  }

  private static let lines = [
    Lyrics.Line(time: .seconds(10), text: "one"), Lyrics.Line(time: .seconds(20), text: "two"),
    Lyrics.Line(time: .seconds(30), text: "three\u{1B}"),
  ]

  private static func script(_ first: Status) -> StubDaemon.Script {
    { method, parameters in
      let status = RecordedResponses.json(first)
      return switch method {
      case "subscribe": [.result(#"{"seq":0,"status":\#(status)}"#)]
      case "lyrics" where parameters.contains("/2.flac"):
        [.result(RecordedResponses.json(Lyrics(uri: "", source: .file, text: "one\ntwo", lines: lines)))]
      case "lyrics" where parameters.contains("/3.flac"):
        [.result(RecordedResponses.json(Lyrics(uri: "", source: .embedded, text: "first\nlast", lines: nil)))]
      case "lyrics": [.error(code: 3, kind: "not_found", message: "no lyrics")]
      default: [.result(status)]
      }
    }
  }

  private func event(_ status: Status) -> String {
    #"{"jsonrpc":"2.0","method":"event","params":{"topic":"player","seq":1,"data":\#(RecordedResponses.json(status))}}"#
  }

  @Test func lineOfThePositionIsMarkedOnATerminal() throws {
    let daemon = try StubDaemon(Self.script(Self.status(2, at: .seconds(21))))
    let environment = daemon.environment.merging(["NO_COLOR": "1"]) { $1 }
    func lines(_ words: String..., on place: ClientProcess.Place = .terminal(columns: 60)) throws -> [String] {
      try ClientProcess.run(["lyrics"] + words, environment: environment, on: place).lines
    }
    #expect(try lines() == ["  one", "⏸ two", "  three^["])
    #expect(try lines("http://host/2.flac") == ["one", "two"], "another track")
    #expect(try lines(on: .pipe) == ["one", "two"])
    let early = try StubDaemon(Self.script(Self.status(2, at: .seconds(9))))
    let outcome = try ClientProcess.run(["lyrics"], environment: early.environment, on: .terminal(columns: 60))
    #expect(outcome.lines == ["  one", "  two", "  three^["])
  }

  @Test func lineOfThePositionIsPrintedWhenItChanges() throws {
    let daemon = try StubDaemon(Self.script(Self.status(2, at: .seconds(12))))
    let client = try ClientProcess(["lyrics", "--follow"], environment: daemon.environment)
    #expect(try client.readLine() == "one")
    // The line is the same, so nothing is printed.
    daemon.send(event(Self.status(2, at: .seconds(19))))
    daemon.send(event(Self.status(2, at: .seconds(35))))
    #expect(try client.readLine() == "three^[")
    daemon.send(event(Self.status(2, at: .seconds(21))))
    #expect(try client.readLine() == "two")
    daemon.disconnect()
    #expect(try client.finish().code == 3)
  }

  @Test func nextLineIsPrintedAtItsTimeWhilePlaying() throws {
    let daemon = try StubDaemon(Self.script(Self.status(2, at: .seconds(12))))
    let client = try ClientProcess(["lyrics", "--follow", "--json"], environment: daemon.environment)
    #expect(try client.readLine() == #"{"time":10,"text":"one"}"#)
    daemon.send(event(Self.status(2, at: .milliseconds(19_900), isPlaying: true)))
    #expect(try client.readLine() == #"{"time":20,"text":"two"}"#)
  }

  @Test func nextTrackHasItsOwnLyrics() throws {
    let daemon = try StubDaemon { method, parameters in
      // After the event, the state of the daemon is that of track 3.
      method == "status"
        ? [.result(RecordedResponses.json(Self.status(3, at: .zero)))]
        : Self.script(Self.status(3, at: .zero))(method, parameters)
    }
    let client = try ClientProcess(["lyrics", "--follow"], environment: daemon.environment)
    #expect(try client.readLine() == "first")
    #expect(try client.readLine() == "last")
    daemon.disconnect()
    let rest = try client.finish()
    #expect(rest.errorText.contains("these lyrics have no timestamps; all lines follow"))
  }

  @Test func trackWithoutLyricsIsReportedAndTheNextOneFollowed() throws {
    let daemon = try StubDaemon(Self.script(Self.status(7, at: .zero)))
    let client = try ClientProcess(
      ["lyrics", "--follow"], environment: daemon.environment.merging(["NO_COLOR": "1"]) { $1 },
      on: .terminalWithErrors(columns: 60))
    #expect(try client.read(upTo: "no lyrics\n")?.hasPrefix("Title 7") == true)
    client.send(signal: 15)
    _ = try client.finish()
  }
}
