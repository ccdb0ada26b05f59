import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests that the samples of the topic `sound` are those at the loudspeaker of a sound server.
@Suite struct SoundTopicTests {
  /// Subscribes, plays a minute of numbered frames, and returns the samples of some events.
  private func play(on fixture: DaemonFixture, events: Int) throws -> [SoundSamples] {
    let listener = try fixture.daemon.connect()
    try listener.call("subscribe", #"{"topics":["sound"]}"#)
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    return try (0..<events).map { _ in SoundSamples(try listener.event(of: "sound")) }
  }

  @Test func theSamplesAreAudibleAtTheirTime() throws {
    let fixture = try DaemonFixture(.null("test"))
    let all = try play(on: fixture, events: 60)
    let last = try #require(all.last?.frames.last)
    try fixture.recording.wait(forFrame: last + 4_410)
    // The recorder can only be late. The first events precede the first exact timing.
    let differences = try all.dropFirst(15).map { samples -> Double in
      let frame = try #require(samples.frames.last)
      let mark = try #require(fixture.recording.arrivals.first { $0.frame >= frame })
      let late = Double(mark.frame - frame) / Double(Signal.rate)
      return (mark.time - samples.sound.monotonic).seconds - late
    }.sorted()
    let median = differences[differences.count / 2]
    #expect(abs(median) < OutputRecording.tolerance, "the sound comes \(median) s after its samples")
  }

  /// The sink renders two seconds ahead, which the clock of the output takes into account.
  @Test func theSamplesOfASinkThatReadsAhead_areThoseOfThePosition() throws {
    let fixture = try DaemonFixture(.null("test"), readAhead: .seconds(2))
    for samples in try play(on: fixture, events: 60) {
      let frame = try #require(samples.frames.last) + 1
      let position = Double(frame) / Double(Signal.rate)
      #expect(abs(samples.sound.position.seconds - position) < 0.000_1)
    }
    let status = try fixture.status()
    let latency = try #require(status.output.latency)
    #expect(latency > .seconds(1), "the samples are far behind those that were written")
  }
}
