import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// The server's side: that it goes and comes back, its sinks, the stream's volume there.
@Suite(.serialized) struct ServerTests {
  private func opened(_ event: SinkEvent) -> StreamInfo? {
    if case .opened(let info) = event { info } else { nil }
  }

  @Test func aKilledServerIsReportedAndFoundAgain() throws {
    let server = try PulseServer()
    let probe = SinkFixture(server)
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(noise(88_200, .cd))
    try #require(probe.audible(atLeast: 1000) != nil)
    server.kill()
    probe.expect(.closed)
    probe.expect("loss") { if case .lost = $0 { true } else { nil } }
    #expect(probe.sink.clock.position(at: .now) == nil)
    let index = probe.count
    try server.start()
    probe.expect(.connected, from: index)
    probe.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, noise(4410, .cd))
    probe.expect(.finished(Generation(2)), from: index)
    let losses = probe.journal.all.filter { if case .lost = $0.event { true } else { false } }
    #expect(losses.count == 1)
  }

  @Test func withoutAServerThereIsOneLossAndNoHurry() throws {
    let server = try PulseServer()
    server.kill()
    let probe = SinkFixture(server)
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    probe.expect("loss") { if case .lost = $0 { true } else { nil } }
    probe.sink.send(.listSinks(token: 7))
    probe.expect("refusal of the list") { if case .sinksUnavailable(7, _) = $0 { true } else { nil } }
    try server.start()
    probe.expect(.connected)
    probe.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, noise(4410, .cd))
    probe.expect(.finished(Generation(2)))
  }

  /// Killed in the midst of everything: no crash, no hang, and it plays again.
  @Test func aServerMayDieAtAnyMoment() throws {
    let server = try PulseServer()
    let probe = SinkFixture(server)
    for round in UInt32(1)...12 {
      var worker = try Worker()
      let index = probe.count
      probe.sink.send(.play(Generation(round), worker.ring, paused: false))
      worker.begin(Generation(round), .cd)
      worker.write(noise(22_050, .cd))
      switch round % 6 {
      case 0: break
      case 1: probe.sink.send(.pause)
      case 2: probe.expect(from: index, "stream", opened)
      case 3: worker.end(Generation(round), .cd)
      case 4: probe.sink.send(.listSinks(token: 1))
      default: probe.sink.send(.stop)
      }
      server.kill()
      probe.sink.send(.volume(percent: Int(round)))
      probe.sink.send(.resume)
      try server.start()
    }
    var worker = try Worker()
    let index = probe.count
    probe.sink.send(.play(Generation(100), worker.ring, paused: false))
    worker.play(Generation(100), .cd, noise(4410, .cd))
    if !probe.journal.all.dropFirst(index).contains(where: { $0.event == .finished(Generation(100)) }) {
      // The loss of the last server may have been noticed only after the order; what is dropped then is played again.
      let end = probe.expect(from: index, "an end") { event -> Bool? in
        switch event {
        case .finished(Generation(100)): true
        case .connected: false
        default: nil
        }
      }
      if end == false {
        probe.sink.send(.play(Generation(101), worker.ring, paused: false))
        worker.play(Generation(101), .cd, noise(4410, .cd))
        probe.expect("an end") { event -> Bool? in
          event == .finished(Generation(100)) || event == .finished(Generation(101)) ? true : nil
        }
      }
    }
  }

  @Test func shutdownEndsAPlayingSinkAndIgnoresWhatComesLater() throws {
    let server = try PulseServer()
    let probe = SinkFixture(server)
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(noise(88_200, .cd))
    try #require(probe.audible(atLeast: 1000) != nil)
    probe.sink.shutdown()
    let count = probe.count
    probe.sink.send(.resume)
    probe.sink.shutdown()
    #expect(probe.count == count)
    #expect(probe.sink.clock.position(at: .now) == nil)
    #expect(try !server.control("list", "sink-inputs").contains("Segue test"))
  }

  @Test func volumeAndMuteGoToTheStreamAndComeBackFromIt() throws {
    let server = try PulseServer()
    let probe = SinkFixture(server)
    var worker = try Worker()
    probe.sink.send(.volume(percent: 40))
    probe.expect(.volume(percent: 40, muted: false))
    probe.sink.send(.play(Generation(1), worker.ring, paused: true))
    worker.begin(Generation(1), .cd)
    worker.write(noise(22_050, .cd))
    probe.expect("stream", opened)
    #expect(try server.control("list", "sink-inputs").contains(" 40% "))
    probe.sink.send(.volume(percent: 55))
    probe.expect(.volume(percent: 55, muted: false))
    #expect(try server.control("list", "sink-inputs").contains(" 55% "))
    probe.sink.send(.mute(true))
    probe.expect(.volume(percent: 55, muted: true))
    let number = try server.control("list", "short", "sink-inputs").prefix { $0 != "\t" }
    try server.control("set-sink-input-volume", String(number), "70%")
    probe.expect(.volume(percent: 70, muted: true))
    // The next stream begins as this one was.
    probe.sink.send(.release)
    let mono = AudioFormat(sample: .float32, rate: SampleRate(48_000), channels: .mono)
    let index = probe.count
    probe.sink.send(.play(Generation(2), worker.ring, paused: true))
    worker.begin(Generation(2), mono)
    worker.write(noise(48_000, mono))
    probe.expect(from: index, "stream", opened)
    let inputs = try server.control("list", "sink-inputs")
    #expect(inputs.contains(" 70% "))
    #expect(inputs.contains("Mute: yes"))
    #expect(inputs.contains("float32le 1ch 48000Hz"))
  }

  @Test func sinksAreListedAndMovedBetween() throws {
    let server = try PulseServer([.null("test"), .null("other", rate: 48_000, format: "s32le")])
    let probe = SinkFixture(server)
    var worker = try Worker()
    probe.sink.send(.listSinks(token: 1))
    let sinks = try #require(probe.expect { if case .sinks(1, let sinks) = $0 { sinks } else { nil } })
    #expect(sinks.map(\.name).sorted() == ["other", "test"])
    #expect(sinks.count { $0.isDefault } == 1)
    #expect(sinks.filter(\.isCurrent).map(\.name) == sinks.filter(\.isDefault).map(\.name))
    probe.sink.send(.device("test"))
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(noise(88_200, .cd))
    let first = try #require(probe.expect("stream", opened))
    #expect(first.device == "test")
    probe.sink.send(.device("other"))
    let moved = try #require(probe.expect { if case .moved(let info) = $0 { info } else { nil } })
    #expect(moved.device == "other")
    #expect(moved.sampleRate == 48_000)
    #expect(moved.format == "s32le")
    probe.sink.send(.listSinks(token: 2))
    let after = try #require(probe.expect { if case .sinks(2, let sinks) = $0 { sinks } else { nil } })
    #expect(after.first { $0.isCurrent }?.name == "other")
    probe.sink.send(.device("nowhere"))
    probe.expect("refusal") { if case .deviceUnavailable = $0 { true } else { nil } }
    #expect(probe.audible(atLeast: 66_150) != nil)
  }

  @Test func aMissingDeviceIsRefusedAndAnImpossibleFormatIsCorruption() throws {
    let server = try PulseServer()
    let probe = SinkFixture(server)
    var worker = try Worker()
    probe.sink.send(.device("nowhere"))
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, noise(4410, .cd))
    probe.expect("refusal") { if case .deviceUnavailable = $0 { true } else { nil } }
    // The server's default takes its place, and nothing is lost.
    #expect(probe.expect("stream", opened)?.device == "test")
    probe.expect(.finished(Generation(1)))
    probe.sink.send(.device(nil))
    let absurd = AudioFormat(sample: .signed16, rate: SampleRate(900_000), channels: .stereo)
    var index = probe.count
    probe.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), absurd, noise(4410, absurd))
    probe.expect(from: index, "corruption") { if case .ringCorrupted = $0 { true } else { nil } }
    index = probe.count
    worker = try Worker()
    probe.sink.send(.play(Generation(3), worker.ring, paused: false))
    worker.play(Generation(3), .cd, noise(4410, .cd))
    probe.expect(.finished(Generation(3)), from: index)
  }

  @Test func aStreamSomebodyKilledIsALossThatIsOver() throws {
    let server = try PulseServer()
    let probe = SinkFixture(server)
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(noise(88_200, .cd))
    probe.expect("stream", opened)
    let index = probe.count
    // The last sink goes, and the stream with it.
    try server.control("unload-module", "module-null-sink")
    probe.expect(from: index, "loss") { if case .lost = $0 { true } else { nil } }
    probe.expect(.connected, from: index)
  }

  @Test func othersSeeWhatPlays() throws {
    let server = try PulseServer()
    let probe = SinkFixture(server)
    var worker = try Worker()
    probe.sink.send(.properties(title: "Зима", artist: "Вивальди", file: "a.flac"))
    probe.sink.send(.play(Generation(1), worker.ring, paused: true))
    worker.begin(Generation(1), .cd)
    worker.write(noise(22_050, .cd))
    probe.expect("stream", opened)
    let inputs = try server.control("list", "sink-inputs")
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
    // A position PulseAudio has no name for, and more channels than it has an order for.
    (ChannelLayout(count: 2, mask: 1 << 40 | 1), "aux0,aux1"),
    (ChannelLayout(count: 19, mask: 0), "aux0,aux1"),
  ])
  func channelsHaveTheirPlaces(_ layout: ChannelLayout, _ map: String) throws {
    let server = try PulseServer()
    let probe = SinkFixture(server)
    var worker = try Worker()
    let format = AudioFormat(sample: .signed16, rate: .cd, channels: layout)
    probe.sink.send(.play(Generation(1), worker.ring, paused: true))
    worker.play(Generation(1), format, noise(22_050, format))
    probe.expect("stream", opened)
    #expect(try server.control("list", "sink-inputs").contains("Channel Map: \(map)"))
  }
}
