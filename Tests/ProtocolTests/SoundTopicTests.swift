import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the topic `sound`, which has samples of what is audible.
@Suite struct SoundTopicTests {
  private let fixture: DaemonFixture
  private let listener: SocketClient

  init() throws {
    fixture = try DaemonFixture()
    listener = try fixture.daemon.connect()
  }

  private func subscribe(_ client: SocketClient) throws { try client.call("subscribe", #"{"topics":["sound"]}"#) }

  private func next(_ client: SocketClient) throws -> SoundSamples {
    SoundSamples(try client.event(of: "sound"))
  }

  /// Plays a minute of numbered frames.
  private func playLong() throws {
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
  }

  @Test func onlyClientsThatNameTheTopicSubscribeToIt() throws {
    let all = try listener.call("subscribe")["topics"]?.elements?.compactMap(\.string) ?? []
    #expect(all.contains("player") && !all.contains("sound"))
    let topics = try listener.call("subscribe", #"{"topics":["sound"]}"#)["topics"]?.elements?.compactMap(\.string)
    #expect(topics == (all + ["sound"]).sorted())
    #expect(try listener.call("unsubscribe")["topics"]?.count == 0)
  }

  @Test func eventsMatchTheDocument() throws {
    let document = try fixture.client.call("rpc.discover")
    let described = try #require(document["x-events"]?.elements?.first { $0["topic"]?.string == "sound" })
    try subscribe(listener)
    try playLong()
    let event = try listener.event()
    let violation = SchemaValidator(document).violation(event, of: try #require(described["params"]), at: "sound")
    #expect(violation == nil)
  }

  @Test(arguments: ["control", "listen"]) func onlyOwnersHearThroughGateways(_ role: String) throws {
    try subscribe(listener)
    try listener.call("rpc.restrict", "[\"\(role)\"]")
    #expect(try listener.errorResponse(to: "subscribe", #"{"topics":["sound"]}"#).kind == "denied")
    #expect(try listener.call("subscribe")["topics"]?.elements?.contains { $0.string == "sound" } == false)
  }

  /// The maximum number of samples of an event.
  private static let maximumSamples = 2_048

  /// Returns whether no sample is missing between two events. If the daemon was late, for example because the machine
  /// is busy, the second one is full, and what did not fit is left out before it: no sample comes twice, and the
  /// numbers of the samples are still those of the frames.
  private func follow(_ first: SoundSamples, _ second: SoundSamples) throws -> Bool {
    let last = try #require(first.frames.last)
    let samples = Int(second.sound.first) - Int(first.next)
    #expect(try #require(second.frames.first) - last - 1 == samples)
    #expect(samples == 0 || samples > 0 && second.frames.count == Self.maximumSamples)
    return samples == 0
  }

  @Test func samplesFollowEachOtherAndBelongToThePosition() throws {
    try subscribe(listener)
    try playLong()
    var (before, joints): (SoundSamples?, Int) = (nil, 0)
    while joints < 20 {
      let samples = try next(listener)
      let frames = samples.frames
      let (first, last) = (try #require(frames.first), try #require(frames.last))
      if let before, try follow(before, samples) { joints += 1 }
      #expect(frames == Array(first...last))
      #expect(samples.sound.sampleRate == Signal.rate && frames.count <= Self.maximumSamples)
      let position = Double(last + 1) / Double(Signal.rate)
      #expect(abs(samples.sound.position.seconds - position) < 0.000_1)
      before = samples
    }
  }

  @Test func samplesGoOnFromTrackToTrack() throws {
    try subscribe(listener)
    try fixture.add(try fixture.album([30_000, 30_000]), play: true)
    var before = try next(listener)
    while try #require(before.frames.last) < 45_000 {
      let samples = try next(listener)
      _ = try follow(before, samples)
      before = samples
    }
  }

  @Test func afterAPause_samplesContinueWhereTheyStopped() throws {
    try subscribe(listener)
    try playLong()
    var last = try next(listener)
    try fixture.client.call("pause")
    let position = try #require(try fixture.wait { $0.state == .paused && $0.rate == 0 }.position)
    // What was copied before the pause may still arrive.
    while last.sound.position + .milliseconds(50) < position { last = try next(listener) }
    try fixture.client.call("play")
    var samples = try next(listener)
    // An event may have come between the last one that was awaited and the pause.
    if samples.sound.position <= position { (last, samples) = (samples, try next(listener)) }
    _ = try follow(last, samples)
  }

  @Test func afterASeek_samplesAreThoseOfTheNewPosition() throws {
    try subscribe(listener)
    try playLong()
    _ = try next(listener)
    try fixture.client.call("seek", #"{"position":40}"#)
    let samples = try listener.event(of: "sound") { Sound($0).position >= .seconds(40) }
    let last = try #require(SoundSamples(samples).frames.last)
    #expect(abs(Double(last) / Double(Signal.rate) - Sound(samples).position.seconds) < 0.000_1)
  }

  @Test func subscribersGetTheSameSamples() throws {
    let second = try fixture.daemon.connect()
    try subscribe(listener)
    try subscribe(second)
    try playLong()
    for _ in 0..<5 {
      let sound = try next(listener).sound
      #expect(try next(second).sound == sound)
    }
    try second.call("unsubscribe", #"{"topics":["sound"]}"#)
    let before = try next(listener)
    // The other subscriber is not affected.
    _ = try follow(before, try next(listener))
  }

  /// The socket of a client holds about a second of samples.
  @Test func aSubscriberThatDoesNotReadMissesSamples() throws {
    let idle = try fixture.daemon.connect()
    try subscribe(idle)
    try subscribe(listener)
    try playLong()
    var newest = try next(listener)
    let start = newest.sound.first
    while newest.sound.first < start + UInt64(5 * Signal.rate) { newest = try next(listener) }
    var received = 0
    var samples = try next(idle)
    while samples.sound.first < newest.sound.first {
      received += 1
      samples = try next(idle)
    }
    #expect(received < 100, "nothing but the newest samples waits for the client")
    #expect(try idle.call("status")["state"]?.string == "playing")
  }

  @Test func highSampleRatesAreHalved() throws {
    try subscribe(listener)
    // A ramp, whose frame n has the value n in both channels.
    let frames = (0..<96_000).flatMap { frame -> [UInt8] in
      let value = UInt16(truncatingIfNeeded: frame % 30_000)
      return [UInt8(value & 0xFF), UInt8(value >> 8), UInt8(value & 0xFF), UInt8(value >> 8)]
    }
    try fixture.add([try fixture.write("high.wav", AudioFile.wave(frames, rate: 96_000))], play: true)
    let samples = try next(listener)
    #expect(samples.sound.sampleRate == 48_000)
    let steps = zip(samples.left, samples.left.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { $0 == 2 }, "each sample is the mean of two frames")
    #expect(samples.left == samples.right)
  }

  @Test func monoSoundIsTheSameInBothChannels() throws {
    try subscribe(listener)
    let wave = SineWave.wave(0..<Signal.rate, channels: 1)
    try fixture.add([try fixture.write("mono.wav", wave)], play: true)
    let samples = try next(listener)
    #expect(samples.left == samples.right)
    #expect(samples.left.map(\.magnitude).max() ?? 0 > 16_000, "half of full scale")
  }
}
