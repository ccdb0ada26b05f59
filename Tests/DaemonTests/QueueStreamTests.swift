import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of streams and files over HTTP.
@Suite struct QueueStreamTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture() }

  @Test func aFileOverHTTPIsExactAndSeekable() throws {
    let web = try WebServer(.file(AudioFile.wave(Signal.pcm(0..<400_000))))
    try fixture.add(uris: [web.url("some%20song.wav")], play: true)
    try fixture.recording.wait(forFrame: 8_000)
    let status = try fixture.status()
    #expect(status.durationKind == .exact)
    #expect(abs((status.duration ?? .zero).seconds - 400_000.0 / 44_100) < 0.000_001)
    try fixture.call("seek", #"{"position":7}"#)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound.first?.first == 0)
    #expect(fixture.recording.recordedFrames.sound.last == RecordedFrames.Run(first: 308_700, count: 91_300))
  }

  /// Files and streams have different workers, and no frame is lost at the boundaries.
  @Test func filesAndStreamsPlayInSequence() throws {
    let web = try WebServer(.file(AudioFile.wave(Signal.pcm(40_000..<80_000))))
    let files = try [0, 80_000].map { FileURI.encode(try fixture.track("\($0)", $0..<($0 + 40_000))) }
    try fixture.add(uris: [files[0], web.url("middle.wav"), files[1]], play: true)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.joined == [0..<120_000], "\(fixture.recording.recordedFrames)")
    let counters = try fixture.client.call("daemon.stats")
    #expect(counters["sandboxLacks"]?.count == 0 && counters["sandboxLacks"]?.isNull == false)
    #expect(counters["workersLost"]?.int == 0)
  }

  @Test func anEndlessStreamPlaysAndIsNotSeekable() throws {
    let web = try WebServer(.radio(burst: 88_200))
    try fixture.add(uris: [web.url("radio")], play: true)
    try fixture.recording.wait(forFrame: 60_000)
    let status = try fixture.status()
    #expect(status.durationKind == .unbounded)
    #expect(status.duration == nil)
    #expect((status.position ?? .zero) > .seconds(1))
    #expect(try fixture.client.errorResponse(to: "seek", #"{"position":1}"#).kind == "not_seekable")
    #expect(try fixture.client.errorResponse(to: "seek", #"{"fraction":0.5}"#).kind == "not_seekable")
    #expect(fixture.recording.recordedFrames.sound.count == 1, "\(fixture.recording.recordedFrames)")
    // `next` stops the stream at once.
    try fixture.add([try fixture.track("file", 1_000_000..<1_020_000)])
    try fixture.call("next")
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound.last == RecordedFrames.Run(first: 1_000_000, count: 20_000))
    withExtendedLifetime(web) {}
  }

  @Test func aStreamOfARefusingServerIsSkipped() throws {
    let web = try WebServer(.error(404))
    let closed: String
    do {
      let gone = try WebServer(.error(500))
      closed = gone.url("closed.mp3")
    }
    try fixture.add(
      uris: [web.url("a.mp3"), closed, FileURI.encode(try fixture.track("file", 0..<20_000))], play: true)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 20_000)])
    let errors = try fixture.client.call("list")["tracks"]?.elements?.map { $0["error"]?.string } ?? []
    #expect(errors.count == 3)
    #expect(errors[0] != nil && errors[1] != nil && errors[2] == nil, "\(errors)")
    withExtendedLifetime(web) {}
  }

  /// The first two thirds of a second arrive at once, and the rest after a second of output. Playback that starts with
  /// them would stop again.
  @Test func playbackWaitsForASlowSource() throws {
    let fixture = try DaemonFixture()
    let arrival = TestEvent()
    let file = AudioFile.wave(Signal.pcm(0..<132_300))
    let web = try WebServer(.hesitant(file, after: 120_000, until: arrival))
    try fixture.add(uris: [web.url("late.wav")], play: true)
    _ = try fixture.wait { $0.stream?.state == .buffering && $0.stream?.buffered ?? .zero > .zero }
    let silence = fixture.recording.recordedFrames.silence
    try fixture.recording.wait(for: "a second of output") { !$0.sound.isEmpty || $0.silence > silence + 44_100 }
    arrival.happen()
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 132_300)])
    #expect(try fixture.waitForStop().output.underruns == 0)
  }

  @Test func aRadioStreamWithoutABurstLosesNoFrames() throws {
    let web = try WebServer(.radio(burst: 0))
    try fixture.add(uris: [web.url("radio")], play: true)
    try fixture.recording.wait(forFrame: 150_000)
    #expect(
      fixture.recording.recordedFrames.joined.count == 1
        && fixture.recording.recordedFrames.joined.first?.lowerBound == 0, "\(fixture.recording.recordedFrames)")
    #expect(try fixture.status().state == .playing)
    withExtendedLifetime(web) {}
  }
}
