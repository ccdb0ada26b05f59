import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of `watch`, which prints events until the daemon or standard output is closed.
@Suite struct WatchTests {
  private func event(_ seq: Int) -> String {
    #"{"jsonrpc":"2.0","method":"event","params":{"topic":"queue","seq":\#(seq),"data":{"version":\#(seq),"length":3}}}"#
  }

  private func line(_ seq: Int) -> String { #"{"topic":"queue","seq":\#(seq),"data":{"version":\#(seq),"length":3}}"# }

  private let script: StubDaemon.Script = { _, _ in [.result(#"{"seq":0,"status":{"state":"stopped"}}"#)] }

  @Test func watchPrintsTheStateAndThenEveryEventImmediately() throws {
    let daemon = try StubDaemon(script)
    let client = try ClientProcess(["watch", "player", "queue"], environment: daemon.environment)
    #expect(try client.readLine() == #"{"seq":0,"status":{"state":"stopped"}}"#)
    daemon.send(event(1))
    #expect(try client.readLine() == line(1))
    daemon.send(event(2) + "\n" + #"{"jsonrpc":"2.0","id":9,"result":null}"# + "\n" + event(4))
    #expect(try client.readLine() == line(2))
    #expect(try client.readLine() == line(4))
    #expect(daemon.requests == [#"subscribe {"topics":["player","queue"]}"#])
    daemon.disconnect()
    let outcome = try client.finish()
    #expect(outcome.code == 3)
    #expect(outcome.errorText.contains("the daemon"))
  }

  @Test func watchWithoutTopicsSubscribesToAllTopics() throws {
    let daemon = try StubDaemon(script)
    let client = try ClientProcess(["watch"], environment: daemon.environment)
    _ = try client.readLine()
    #expect(daemon.requests == ["subscribe"])
  }

  @Test func watchEndsWhenStandardOutputIsClosedEvenWithoutEvents() throws {
    let daemon = try StubDaemon(script)
    let client = try ClientProcess(["watch"], environment: daemon.environment)
    _ = try client.readLine()
    client.closeOutput()
    let outcome = try client.finish()
    #expect(outcome.code == 0 && outcome.errors == [])
  }

  @Test func watchEndsOnSIGTERM() throws {
    let daemon = try StubDaemon(script)
    let client = try ClientProcess(["watch"], environment: daemon.environment)
    _ = try client.readLine()
    client.send(signal: SIGTERM)
    #expect(try client.finish().code == -SIGTERM)
  }

  @Test func unknownTopicIsAUsageError() throws {
    let daemon = try StubDaemon(script)
    let outcome = try ClientProcess.run(["watch", "playr"], environment: daemon.environment)
    #expect(outcome.code == 2 && daemon.requests == [])
    #expect(outcome.errorText.contains("did you mean   segue watch player   ?"))
  }

  @Test func watchTrackPrintsEachTrackOnceWhenItsPlaybackStarts() throws {
    func track(_ index: Int) -> QueueEntry { RecordedResponses.track(index, "Title \(index)") }
    func event(_ status: Status) -> String {
      #"{"jsonrpc":"2.0","method":"event","params":{"topic":"player","seq":1,"data":\#(RecordedResponses.json(status))}}"#
    }
    let first = RecordedResponses.status(track: track(1), rate: 1)
    let daemon = try StubDaemon { _, _ in [.result(#"{"seq":0,"status":\#(RecordedResponses.json(first))}"#)] }
    let client = try ClientProcess(["watch", "--track"], environment: daemon.environment)
    #expect(try client.readLine() == RecordedResponses.json(track(1)))
    let states = [
      first, RecordedResponses.status(.paused, track: track(1)), first,
      // Track 2 has not started yet.
      RecordedResponses.status(track: track(2)), RecordedResponses.status(track: track(2), rate: 1),
      // Track 2 is played again after a stop.
      RecordedResponses.status(.stopped, track: track(2)), RecordedResponses.status(track: track(2), rate: 1),
      RecordedResponses.status(track: track(3), rate: 1),
    ]
    for state in states { daemon.send(event(state)) }
    for index in [2, 2, 3] { #expect(try client.readLine() == RecordedResponses.json(track(index))) }
    #expect(daemon.requests == [#"subscribe {"topics":["player"]}"#])
  }
}
