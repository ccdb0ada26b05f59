import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// The client's verbs for the queue and for playing, asked of a real daemon with a real sound server.
@Suite struct ClientPlaybackTests {
  let stage: Stage

  init() throws { stage = try Stage(.null("test")) }

  private func segue(_ words: [String], on place: ClientProcess.Place = .pipe) throws -> ClientProcess.Outcome {
    try ClientProcess.run(
      words, environment: ["SEGUE_SOCKET": "\(stage.daemon.socket)", "NO_COLOR": "1"], on: place, folder: stage.folder)
  }

  @discardableResult
  private func long(_ name: String) throws -> FilePath { try stage.track(name, 0..<(60 * Signal.rate)) }

  @Test func outputsMarksWhereTheSoundGoesOrWould() throws {
    try stage.server.control("load-module", "module-null-sink", "sink_name=other")
    func current(_ words: [String]) throws -> [String] {
      try segue(words).lines.filter { $0.contains("current") }.map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(try current(["outputs"]) == ["test"], "nothing plays, and it would go to the default")
    #expect(try current(["outputs", "other"]) == ["other"], "nothing plays, and it would go to the chosen one")
    try stage.add([try long("long")], play: true)
    try stage.wait { $0.rate == 1 && $0.output.device == "other" }
    #expect(try current(["outputs", "test"]) == ["test"])
    #expect(try current(["outputs", "2"]) == ["other"])
    #expect(try current(["outputs", "default"]) == ["test"])
    #expect(try current(["outputs"]) == ["test"])
    // Somebody moves the stream at the server: the same choice again brings it back.
    try stage.wait { $0.output.device == "test" }
    let inputs = try stage.server.control("list", "short", "sink-inputs")
    try stage.server.control("move-sink-input", String(inputs.prefix { $0.isNumber }), "other")
    try stage.wait { $0.output.device == "other" }
    #expect(try current(["outputs"]) == ["other"])
    #expect(try current(["outputs", "default"]) == ["test"])
    try stage.wait { $0.output.device == "test" }
  }
}
