import SegueOutput
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// Tests of the server: its loss and return, its sinks, and the stream's volume.
@Suite(.serialized) struct ServerTests {
  private func opened(_ event: SinkEvent) -> StreamSink? {
    if case .opened(let info) = event { info } else { nil }
  }

  @Test func aKilledServerIsReportedAndConnectedAgain() throws {
    let server = try PulseServer()
    let fixture = SinkFixture(server)
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(noise(88_200, .cd))
    try #require(fixture.audible(atLeast: 1000) != nil)
    server.kill()
    let position = fixture.expect("loss") { if case .lost(_, _, let position) = $0 { position } else { nil } }
    #expect(fixture.sink.clock.position(at: .now) == nil)
    let latest = try #require(fixture.sink.clock.latestPosition(at: .now))
    #expect(latest.frame == position?.frame && latest.generation == Generation(1) && !latest.advancing)
    #expect(!fixture.events.all.contains { $0.event == .closed }, "the loss is the end of the stream")
    let index = fixture.count
    try server.start()
    fixture.expect(.connected, from: index)
    fixture.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, noise(4410, .cd))
    fixture.expect(.finished(Generation(2)), from: index)
    let losses = fixture.events.all.filter { if case .lost = $0.event { true } else { false } }
    #expect(losses.count == 1)
  }

  @Test func aClosedSinkRefusesToPlayAndToListSinks() throws {
    let fixture = SinkFixture(try PulseServer())
    let worker = try StubWorker()
    fixture.sink.shutdown()
    fixture.sink.send(.listSinks(token: 7))
    fixture.expect("error of the list") { if case .sinksUnavailable(7, _) = $0 { true } else { nil } }
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    fixture.expect("refusal") { if case .streamRefused = $0 { true } else { nil } }
  }

  @Test func aMissingServerIsReportedOnceAndConnectedWhenItStarts() throws {
    let server = try PulseServer()
    server.kill()
    let fixture = SinkFixture(server)
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    fixture.expect("loss") { if case .lost = $0 { true } else { nil } }
    fixture.sink.send(.listSinks(token: 7))
    fixture.expect("error of the list") { if case .sinksUnavailable(7, _) = $0 { true } else { nil } }
    try server.start()
    fixture.expect(.connected)
    fixture.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, noise(4410, .cd))
    fixture.expect(.finished(Generation(2)))
  }

  /// The sink survives the server's death in any state, and plays again.
  @Test func aServerCanDieAtAnyMoment() throws {
    let server = try PulseServer()
    let fixture = SinkFixture(server)
    for round in UInt32(1)...12 {
      var worker = try StubWorker()
      let index = fixture.count
      fixture.sink.send(.play(Generation(round), worker.ring, paused: false))
      worker.begin(Generation(round), .cd)
      worker.write(noise(22_050, .cd))
      switch round % 6 {
      case 0: break
      case 1: fixture.sink.send(.pause)
      case 2: fixture.expect(from: index, "stream", opened)
      case 3: worker.end(Generation(round), .cd)
      case 4: fixture.sink.send(.listSinks(token: 1))
      default: fixture.sink.send(.stop)
      }
      server.kill()
      fixture.sink.send(.volume(percent: Int(round)))
      fixture.sink.send(.resume)
      try server.start()
    }
    var worker = try StubWorker()
    let index = fixture.count
    fixture.sink.send(.play(Generation(100), worker.ring, paused: false))
    worker.play(Generation(100), .cd, noise(4410, .cd))
    if !fixture.events.all.dropFirst(index).contains(where: { $0.event == .finished(Generation(100)) }) {
      // The loss of the last server may be noticed only after the command; the generation is dropped then and played
      // again.
      let end = fixture.expect(from: index, "an end") { event -> Bool? in
        switch event {
        case .finished(Generation(100)): true
        case .connected: false
        default: nil
        }
      }
      if end == false {
        fixture.sink.send(.play(Generation(101), worker.ring, paused: false))
        worker.play(Generation(101), .cd, noise(4410, .cd))
        fixture.expect("an end") { event -> Bool? in
          event == .finished(Generation(100)) || event == .finished(Generation(101)) ? true : nil
        }
      }
    }
  }

  @Test func aShutdownEndsPlaybackAndLaterCommandsAreIgnored() throws {
    let server = try PulseServer()
    let fixture = SinkFixture(server)
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(noise(88_200, .cd))
    try #require(fixture.audible(atLeast: 1000) != nil)
    fixture.sink.shutdown()
    let count = fixture.count
    fixture.sink.send(.resume)
    fixture.sink.shutdown()
    #expect(fixture.count == count)
    #expect(fixture.sink.clock.position(at: .now) == nil)
    #expect(try !server.pactl("list", "sink-inputs").contains("Segue test"))
  }

  @Test func volumeAndMuteAreSetOnTheStreamAndReadFromIt() throws {
    let server = try PulseServer()
    let fixture = SinkFixture(server)
    var worker = try StubWorker()
    fixture.sink.send(.volume(percent: 40))
    fixture.expect(.volume(percent: 40, muted: false))
    fixture.sink.send(.play(Generation(1), worker.ring, paused: true))
    worker.begin(Generation(1), .cd)
    worker.write(noise(22_050, .cd))
    fixture.expect("stream", opened)
    #expect(try server.pactl("list", "sink-inputs").contains(" 40% "))
    fixture.sink.send(.volume(percent: 55))
    fixture.expect(.volume(percent: 55, muted: false))
    #expect(try server.pactl("list", "sink-inputs").contains(" 55% "))
    fixture.sink.send(.mute(true))
    fixture.expect(.volume(percent: 55, muted: true))
    let number = try server.pactl("list", "short", "sink-inputs").prefix { $0 != "\t" }
    try server.pactl("set-sink-input-volume", String(number), "70%")
    fixture.expect(.volume(percent: 70, muted: true))
    // The next stream starts with the values of this one.
    fixture.sink.send(.release)
    let mono = AudioFormat(sample: .float32, rate: SampleRate(48_000), channels: .mono)
    let index = fixture.count
    fixture.sink.send(.play(Generation(2), worker.ring, paused: true))
    worker.begin(Generation(2), mono)
    worker.write(noise(48_000, mono))
    fixture.expect(from: index, "stream", opened)
    let inputs = try server.pactl("list", "sink-inputs")
    #expect(inputs.contains(" 70% "))
    #expect(inputs.contains("Mute: yes"))
    #expect(inputs.contains("float32le 1ch 48000Hz"))
  }

  @Test func sinksAreListedAndTheStreamMovesBetweenThem() throws {
    let server = try PulseServer([.null("test"), .null("other", rate: 48_000, format: "s32le")])
    let fixture = SinkFixture(server)
    var worker = try StubWorker()
    fixture.sink.send(.listSinks(token: 1))
    let sinks = try #require(fixture.expect { if case .sinks(1, let sinks) = $0 { sinks } else { nil } })
    #expect(sinks.map(\.name).sorted() == ["other", "test"])
    #expect(sinks.count { $0.isDefault } == 1)
    #expect(sinks.filter(\.isCurrent).map(\.name) == sinks.filter(\.isDefault).map(\.name))
    fixture.sink.send(.device("test"))
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(noise(88_200, .cd))
    let first = try #require(fixture.expect("stream", opened))
    #expect(first.device == "test")
    fixture.sink.send(.device("other"))
    let moved = try #require(fixture.expect { if case .moved(let info) = $0 { info } else { nil } })
    #expect(moved.device == "other")
    #expect(moved.sampleRate == 48_000)
    #expect(moved.format == "s32le")
    fixture.sink.send(.listSinks(token: 2))
    let after = try #require(fixture.expect { if case .sinks(2, let sinks) = $0 { sinks } else { nil } })
    #expect(after.first { $0.isCurrent }?.name == "other")
    fixture.sink.send(.device("nowhere"))
    fixture.expect("error") { if case .deviceUnavailable = $0 { true } else { nil } }
    #expect(fixture.audible(atLeast: 66_150) != nil)
  }

  @Test func aMissingDeviceIsReportedAndAnInvalidFormatIsCorruption() throws {
    let server = try PulseServer()
    let fixture = SinkFixture(server)
    var worker = try StubWorker()
    fixture.sink.send(.device("nowhere"))
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, noise(4410, .cd))
    fixture.expect("error") { if case .deviceUnavailable = $0 { true } else { nil } }
    // The server's default sink is used, and no sound is lost.
    #expect(fixture.expect("stream", opened)?.device == "test")
    fixture.expect(.finished(Generation(1)))
    fixture.sink.send(.device(nil))
    let absurd = AudioFormat(sample: .signed16, rate: SampleRate(900_000), channels: .stereo)
    var index = fixture.count
    fixture.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), absurd, noise(4410, absurd))
    fixture.expect(from: index, "corruption") { if case .ringCorrupted = $0 { true } else { nil } }
    index = fixture.count
    worker = try StubWorker()
    fixture.sink.send(.play(Generation(3), worker.ring, paused: false))
    worker.play(Generation(3), .cd, noise(4410, .cd))
    fixture.expect(.finished(Generation(3)), from: index)
  }

  @Test func aStreamThatTheServerEndsIsLostAndCanBePlayedAgain() throws {
    let server = try PulseServer()
    let fixture = SinkFixture(server)
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(noise(88_200, .cd))
    fixture.expect("stream", opened)
    let index = fixture.count
    // The last sink is removed, and the stream with it.
    try server.pactl("unload-module", "module-null-sink")
    fixture.expect(from: index, "loss") { if case .lost = $0 { true } else { nil } }
    fixture.expect(.connected, from: index)
  }

  @Test func otherProgramsSeeThePropertiesOfTheTrack() throws {
    let server = try PulseServer()
    let fixture = SinkFixture(server)
    var worker = try StubWorker()
    fixture.sink.send(.properties(title: "Зима", artist: "Вивальди", file: "a.flac"))
    fixture.sink.send(.play(Generation(1), worker.ring, paused: true))
    worker.begin(Generation(1), .cd)
    worker.write(noise(22_050, .cd))
    fixture.expect("stream", opened)
    let inputs = try server.pactl("list", "sink-inputs")
    #expect(inputs.contains("media.title = \"Зима\""))
    #expect(inputs.contains("media.artist = \"Вивальди\""))
    #expect(inputs.contains("media.role = \"music\""))
    #expect(inputs.contains("application.name = \"Segue test\""))
  }

  @Test(arguments: [
    (ChannelLayout.mono, "mono"),
    (ChannelLayout(count: 6, mask: 0x3F), "front-left,front-right,front-center,lfe,rear-left,rear-right"),
    (ChannelLayout(count: 6, mask: 0x60F), "front-left,front-right,front-center,lfe,side-left,side-right"),
    (ChannelLayout(count: 2, mask: 0), "front-left,front-right"),
    // A position for which PulseAudio has no name, and more channels than its default maps support.
    (ChannelLayout(count: 2, mask: 1 << 40 | 1), "aux0,aux1"),
    (ChannelLayout(count: 19, mask: 0), "aux0,aux1"),
  ])
  func channelsHaveTheirPositions(_ layout: ChannelLayout, _ map: String) throws {
    let server = try PulseServer()
    let fixture = SinkFixture(server)
    var worker = try StubWorker()
    let format = AudioFormat(sample: .signed16, rate: .cd, channels: layout)
    fixture.sink.send(.play(Generation(1), worker.ring, paused: true))
    worker.play(Generation(1), format, noise(22_050, format))
    fixture.expect("stream", opened)
    #expect(try server.pactl("list", "sink-inputs").contains("Channel Map: \(map)"))
  }
}
