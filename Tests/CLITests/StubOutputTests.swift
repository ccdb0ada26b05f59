import SegueTestKit

/// Tests of the output of the client. Each run has a stub of the daemon.
protocol StubOutputTests {
  /// The responses of the stub, unless a test states others.
  var responses: StubDaemon.Script { get }
}

extension StubOutputTests {
  /// Runs the client. `script` has the responses of the stub; nil for `responses`.
  func run(
    _ words: [String], on place: ClientProcess.Place = .pipe, environment: [String: String] = ["NO_COLOR": "1"],
    _ script: StubDaemon.Script? = nil
  ) throws -> ClientProcess.Outcome {
    let daemon = try StubDaemon(script ?? responses)
    return try ClientProcess.run(words, environment: daemon.environment.merging(environment) { $1 }, on: place)
  }
}
