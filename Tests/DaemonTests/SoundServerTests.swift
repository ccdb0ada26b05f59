import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// The sound server dies, hangs, and comes back; its recordings say where the music went on.
@Suite struct SoundServerTests {
  /// So much may be heard twice, or be lost with what the server had in its hands.
  static let seam = Signal.rate * 2 / 5

  private func frame(_ position: MediaTime?) -> Int {
    Int(((position ?? .zero).seconds * Double(Signal.rate)).rounded())
  }

  private func play(_ stage: Stage, seconds: Int = 120) throws {
    try stage.add([try stage.track("long", 0..<(seconds * Signal.rate))], play: true)
  }

  /// Waits for the loss, which must stand still; the frame where it stands.
  private func standing(_ stage: Stage, at location: SourceLocation = #_sourceLocation) throws -> Int {
    let lost = try stage.wait { $0.output.state == .lost }
    #expect(lost.state == .playing, sourceLocation: location)
    #expect(lost.rate == 0, sourceLocation: location)
    #expect(lost.output.error != nil, sourceLocation: location)
    #expect(try stage.status().position == lost.position, "it stands", sourceLocation: location)
    return frame(lost.position)
  }

  /// Starts the server again; what it plays from its first frame on, and how long the first sound took.
  private func restart(_ stage: Stage) throws -> (ear: Ear, after: MediaTime) {
    try stage.server.start()
    let started = MonotonicTime.now
    let ear = Ear(try stage.server.readFIFO("test"))
    try ear.listen(for: "the music to go on") { ($0.sound.last?.count ?? 0) > 2_000 }
    return (ear, (ear.marks.last?.time ?? .now) - started)
  }

  @Test func itMayDieTwentyTimesOver() throws {
    let stage = try Stage()
    try play(stage)
    var random = SystemRandomNumberGenerator()
    var ear = stage.ear
    var slowest = MediaTime.zero
    try ear.listen(toFrame: 8_000)
    for round in 1...20 {
      // Also in the midst of starting, of handing over, of the first answers.
      usleep(UInt32.random(in: 0..<300_000, using: &random))
      stage.server.kill(round % 2 == 0 ? SIGKILL : SIGTERM)
      let stood = try standing(stage)
      try ear.listenUntilItDies()
      let end = try #require(ear.score.sound.last).end
      #expect(abs(stood - end) < Self.seam, "round \(round): lost at \(stood), heard to \(end)")
      let (next, after) = try restart(stage)
      slowest = max(slowest, after)
      let first = try #require(next.score.sound.first?.first)
      #expect(abs(first - stood) <= 1, "round \(round): lost at \(stood), went on at \(first)")
      ear = next
    }
    print("slowest return of the sound after the server's: \(slowest.seconds) s")
    let status = try stage.wait { $0.rate == 1 }
    #expect(status.output.state == .open)
    #expect(status.output.reconnects == 20)
    #expect(status.output.error == nil)
  }
}
