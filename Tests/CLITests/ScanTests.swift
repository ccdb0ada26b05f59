import SegueCLI
import SegueSystem
import SegueTestKit
import SegueUnicode
import SegueWire
import Testing

/// Tests of `scan --watch`.
@Suite struct ScanTests {
  private static func scanning(_ done: Int, of total: Int) -> LibraryStatus {
    RecordedLibraryResponses.status { ($0.scanning, $0.done, $0.total) = (true, done, total) }
  }

  private let script: StubDaemon.Script = { method, _ in
    method == "subscribe"
      ? [.result(#"{"seq":0}"#)] : [.result(RecordedResponses.json(Self.scanning(0, of: 0)))]
  }

  private func event(_ status: LibraryStatus) -> String {
    #"{"jsonrpc":"2.0","method":"event","params":{"topic":"library","seq":1,"data":\#(RecordedResponses.json(status))}}"#
  }

  @Test func scanWatchInAPipePrintsProgressAndResult() throws {
    let daemon = try StubDaemon(script)
    let client = try ClientProcess(["scan", "--watch"], environment: daemon.environment)
    #expect(try client.readLine() == "searching for changes")
    daemon.send(event(Self.scanning(120, of: 340)))
    #expect(try client.readLine() == "scanned 120 of 340")
    // Repeated states and events of other topics are not printed.
    daemon.send(event(Self.scanning(120, of: 340)))
    daemon.send(#"{"jsonrpc":"2.0","method":"event","params":{"topic":"queue","seq":2,"data":{"scanning":false}}}"#)
    daemon.send(event(RecordedLibraryResponses.status()))
    let outcome = try client.finish()
    #expect(outcome.code == 0 && outcome.errors == [])
    #expect(outcome.lines == ["6 tracks, 3 albums, 1 artist; 2 files could not be read"])
    #expect(daemon.requests == [#"subscribe {"topics":["library"]}"#, "library.scan"])
  }

  @Test(arguments: [
    (10, 2, "measured 8 tracks; 2 failed"), (7, 0, "measured about 7 of 10 tracks"),
  ])
  func watchedMeasurementEndsWithItsResult(_ done: Int, _ failed: Int, _ line: String) throws {
    let daemon = try StubDaemon(script)
    let client = try ClientProcess(["scan", "--loudness", "--watch"], environment: daemon.environment)
    #expect(try client.readLine() == "searching for changes")
    daemon.send(
      event(
        RecordedLibraryResponses.status { $0.measuring = .init(done: done, total: 10, failed: failed, remaining: nil) })
    )
    #expect(try client.readLine() == "measured \(done) of 10")
    daemon.send(event(RecordedLibraryResponses.status()))
    #expect(try client.finish().lines == ["6 tracks, 3 albums, 1 artist; 2 files could not be read", line])
  }

  @Test func scanWatchOnATerminalRedrawsOneLine() throws {
    let daemon = try StubDaemon(script)
    let client = try ClientProcess(
      ["scan", "--watch"], environment: daemon.environment.merging(["NO_COLOR": "1"]) { $1 },
      on: .terminal(columns: 40))
    _ = try client.read(upTo: "changes…")
    daemon.send(event(Self.scanning(120, of: 240)))
    daemon.send(event(RecordedLibraryResponses.status()))
    let rest = try client.finish()
    #expect(rest.code == 0)
    let parts = rest.text.split(separator: "\r\u{1B}[K").map(String.init)
    #expect(parts == ["scanned 120 of 240 (50%)  ━━━━━━───────", "6 tracks, 3 albums, 1 artist; 2 files c…\n"])
    #expect(parts.allSatisfy { DisplayWidth.of($0.filter { $0 != "\n" }) <= 40 })
  }

  @Test func scanWatchWithJSONPrintsEveryStatus() throws {
    let daemon = try StubDaemon(script)
    let client = try ClientProcess(["scan", "--watch", "--json"], environment: daemon.environment)
    #expect(try client.readLine() == RecordedResponses.json(Self.scanning(0, of: 0)))
    daemon.send(event(RecordedLibraryResponses.status()))
    #expect(try client.finish().lines == [RecordedResponses.json(RecordedLibraryResponses.status())])
  }

  @Test func scanWatchEndsWithTheDaemonOrStandardOutput() throws {
    let daemon = try StubDaemon(script)
    let closed = try ClientProcess(["scan", "--watch"], environment: daemon.environment)
    _ = try closed.readLine()
    closed.closeOutput()
    let outcome = try closed.finish()
    #expect(outcome.code == 0 && outcome.errors == [])
    let alone = try ClientProcess(["scan", "--watch"], environment: daemon.environment)
    _ = try alone.readLine()
    daemon.disconnect()
    #expect(try alone.finish().code == 3)
  }
}
