import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of streams and files over HTTP.
@Suite struct QueueStreamTests {
  let stage: Stage

  init() throws { stage = try Stage() }

  @Test func aFileOverHTTPIsHeardExactlyAndSought() throws {
    let web = try WebServer(.file(AudioFile.wave(Signal.pcm(0..<400_000))))
    try stage.add(uris: [web.url("some%20song.wav")], play: true)
    try stage.ear.listen(toFrame: 8_000)
    let status = try stage.status()
    #expect(status.durationKind == .exact)
    #expect(abs((status.duration ?? .zero).seconds - 400_000.0 / 44_100) < 0.000_001)
    try stage.ask("seek", #"{"position":7}"#)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound.first?.first == 0)
    #expect(stage.ear.score.sound.last == Score.Run(first: 308_700, count: 91_300))
  }

  /// Files and streams have different workers, and no frame is lost at the boundaries.
  @Test func filesAndStreamsFollowOneAnother() throws {
    let web = try WebServer(.file(AudioFile.wave(Signal.pcm(40_000..<80_000))))
    let files = try [0, 80_000].map { FileURI.encode(try stage.track("\($0)", $0..<($0 + 40_000))) }
    try stage.add(uris: [files[0], web.url("middle.wav"), files[1]], play: true)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.joined == [0..<120_000], "\(stage.ear.score)")
    let counters = try stage.client.call("daemon.stats")
    #expect(counters["sandboxLacks"]?.count == 0 && counters["sandboxLacks"]?.isNull == false)
    #expect(counters["workersLost"]?.int == 0)
  }

  @Test func aStreamWithoutEndPlaysAndIsNotSought() throws {
    let web = try WebServer(.radio(burst: 88_200))
    try stage.add(uris: [web.url("radio")], play: true)
    try stage.ear.listen(toFrame: 60_000)
    let status = try stage.status()
    #expect(status.durationKind == .unbounded)
    #expect(status.duration == nil)
    #expect((status.position ?? .zero) > .seconds(1))
    #expect(try stage.client.refusal(of: "seek", #"{"position":1}"#).kind == "not_seekable")
    #expect(try stage.client.refusal(of: "seek", #"{"fraction":0.5}"#).kind == "not_seekable")
    #expect(stage.ear.score.sound.count == 1, "\(stage.ear.score)")
    // `next` stops the stream at once.
    try stage.add([try stage.track("file", 1_000_000..<1_020_000)])
    try stage.ask("next")
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound.last == Score.Run(first: 1_000_000, count: 20_000))
    withExtendedLifetime(web) {}
  }

  @Test func aServerThatRefusesCostsASkip() throws {
    let web = try WebServer(.refusal(404))
    let closed: String
    do {
      let gone = try WebServer(.refusal(500))
      closed = gone.url("closed.mp3")
    }
    try stage.add(uris: [web.url("a.mp3"), closed, FileURI.encode(try stage.track("file", 0..<20_000))], play: true)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 0, count: 20_000)])
    let errors = try stage.client.call("list")["tracks"]?.elements?.map { $0["error"]?.string } ?? []
    #expect(errors.count == 3)
    #expect(errors[0] != nil && errors[1] != nil && errors[2] == nil, "\(errors)")
    withExtendedLifetime(web) {}
  }

  /// The first two thirds of a second arrive at once. Playback that starts with them would stop again.
  @Test func aSourceThatHesitatesIsWaitedForBeforeTheSound() throws {
    let stage = try Stage()
    let web = try WebServer(.hesitant(AudioFile.wave(Signal.pcm(0..<132_300)), after: 120_000))
    try stage.add(uris: [web.url("late.wav")], play: true)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 0, count: 132_300)])
    #expect(try stage.waitForStop().output.underruns == 0)
  }

  @Test func aRadioWithoutABurstLosesNothing() throws {
    let web = try WebServer(.radio(burst: 0))
    try stage.add(uris: [web.url("radio")], play: true)
    try stage.ear.listen(toFrame: 150_000)
    #expect(stage.ear.score.joined.count == 1 && stage.ear.score.joined.first?.lowerBound == 0, "\(stage.ear.score)")
    #expect(try stage.status().state == .playing)
    withExtendedLifetime(web) {}
  }
}
