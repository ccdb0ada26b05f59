import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// What the tests of `segue status` for bars have in common.
enum BarStage {
  /// Holds what each of the readers obeys.
  static let hostile = #"Q&A <"50%"> \ %{F#f00}"#
  static let wide = "千と千尋の神隠し"

  static func track(_ title: String?, artist: String? = "Nina", change: (inout Track) -> Void = { _ in }) -> Track {
    var track = Recordings.track(2, title, artist: artist)
    track.metadata.album = "Live"
    change(&track)
    return track
  }

  /// Answers every request with this status.
  static func daemon(_ status: Status) throws -> StubDaemon {
    let answer = Recordings.json(status)
    return try StubDaemon { method, _ in
      [.result(method == "subscribe" ? #"{"seq":0,"status":\#(answer)}"# : answer)]
    }
  }

  static func event(_ status: Status) -> String {
    #"{"jsonrpc":"2.0","method":"event","params":{"topic":"player","seq":1,"data":\#(Recordings.json(status))}}"#
  }

  /// What `segue status` prints with these options.
  static func output(_ status: Status, _ options: [String], environment: [String: String] = [:]) throws -> String {
    let daemon = try daemon(status)
    let outcome = try ClientProcess.run(
      ["status"] + options, environment: daemon.environment.merging(environment) { $1 })
    #expect(outcome.code == 0 && outcome.errors == [], "\(outcome.errorText)")
    #expect(daemon.requests == ["status"])
    return outcome.text
  }
}
