import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Shared helpers for tests of `status` with bars.
enum BarFixture {
  /// A title with characters that each of the bars interprets.
  static let hostile = #"Q&A <"50%"> \ %{F#f00}"#
  static let wide = "千と千尋の神隠し"

  static func track(_ title: String?, artist: String? = "Nina", change: (inout QueueEntry) -> Void = { _ in })
    -> QueueEntry
  {
    var track = RecordedResponses.track(2, title, artist: artist)
    track.metadata.album = "Live"
    change(&track)
    return track
  }

  /// Creates a daemon that responds to every request with this status.
  static func daemon(_ status: Status) throws -> StubDaemon {
    let response = RecordedResponses.json(status)
    return try StubDaemon { method, _ in
      [.result(method == "subscribe" ? #"{"seq":0,"status":\#(response)}"# : response)]
    }
  }

  /// Returns an event with this status.
  static func event(_ status: Status) -> String {
    #"{"jsonrpc":"2.0","method":"event","params":{"topic":"player","seq":1,"data":\#(RecordedResponses.json(status))}}"#
  }

  /// Returns the output of `segue status` with these options.
  static func output(_ status: Status, _ options: [String], environment: [String: String] = [:]) throws -> String {
    let daemon = try daemon(status)
    let outcome = try ClientProcess.run(
      ["status"] + options, environment: daemon.environment.merging(environment) { $1 })
    #expect(outcome.code == 0 && outcome.errors == [], "\(outcome.errorText)")
    #expect(daemon.requests == ["status"])
    return outcome.text
  }

  /// The folder contrib/bars.
  static let snippets = Repository.root.appending("contrib/bars")

  /// Returns the content of a file.
  static func text(_ path: FilePath) throws -> String {
    let file = try #require(path.withCString { fopen($0, "re") }, "\(path)")
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
  }

  /// Starts the program of a bar with `segue` on its `PATH`: from `programs`, or from the build folder by default.
  static func start(
    _ command: [String], _ daemon: StubDaemon, in folder: TemporaryFolder, programs: FilePath? = nil,
    environment: [String: String] = [:], output: Int32? = nil
  ) throws -> ChildProcess {
    let path = "\(programs ?? WorkerProcess.product("segue").parent):/usr/local/bin:/usr/bin:/bin"
    return try ChildProcess(
      command,
      environment: daemon.environment.merging([
        "PATH": path, "LC_ALL": "C.UTF-8", "TERM": "xterm", "HOME": "\(folder.path)", "SHELL": "/bin/sh",
      ]) { $1 }.merging(environment) { $1 }, output: output)
  }
}
