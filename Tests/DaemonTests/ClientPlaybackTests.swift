import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the client's verbs for queue and playback with a real daemon and sound server.
@Suite struct ClientPlaybackTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture(.null("test")) }

  private func segue(_ words: [String], on place: ClientProcess.Place = .pipe) throws -> ClientProcess.Outcome {
    try ClientProcess.run(
      words, environment: ["SEGUE_SOCKET": "\(fixture.daemon.socket)", "NO_COLOR": "1"], on: place,
      folder: fixture.folder)
  }

  @discardableResult
  private func long(_ name: String) throws -> FilePath { try fixture.track(name, 0..<(60 * Signal.rate)) }

  @Test func playReportsAMissingSoundServer() throws {
    try long("long")
    fixture.server.kill()
    let outcome = try segue(["play", "long.wav"])
    #expect(outcome.code == 1)
    #expect(outcome.errorText.contains("no sound server"), "\(outcome.errorText)")
    // Playback continues without a request.
    try fixture.server.start()
    try fixture.wait { $0.rate == 1 }
  }

  @Test func outputsMarksTheCurrentOrNextOutput() throws {
    try fixture.server.pactl("load-module", "module-null-sink", "sink_name=other")
    func current(_ words: [String]) throws -> [String] {
      try segue(words).lines.filter { $0.contains("current") }.map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(try current(["outputs"]) == ["test"], "while nothing plays, the default output is marked")
    #expect(try current(["outputs", "other"]) == ["other"], "while nothing plays, the chosen output is marked")
    try fixture.add([try long("long")], play: true)
    try fixture.wait { $0.rate == 1 && $0.output.device == "other" }
    #expect(try current(["outputs", "test"]) == ["test"])
    #expect(try current(["outputs", "2"]) == ["other"])
    #expect(try current(["outputs", "default"]) == ["test"])
    #expect(try current(["outputs"]) == ["test"])
    // The stream is moved at the server. Choosing the same output again moves it back.
    try fixture.wait { $0.output.device == "test" }
    let inputs = try fixture.server.pactl("list", "short", "sink-inputs")
    try fixture.server.pactl("move-sink-input", String(inputs.prefix { $0.isNumber }), "other")
    try fixture.wait { $0.output.device == "other" }
    #expect(try current(["outputs"]) == ["other"])
    #expect(try current(["outputs", "default"]) == ["test"])
    try fixture.wait { $0.output.device == "test" }
  }
}
