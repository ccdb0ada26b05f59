import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the volume of the stream, which requests and mixers change.
@Suite struct MixerTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture(.null("test"), configuration: "[Player]\nGracePeriod=1\n") }

  /// Adds two tracks that need different streams.
  private func addTracks() throws {
    try fixture.add(
      [
        try fixture.track("narrow", 0..<(60 * Signal.rate)),
        try fixture.write("wide.wav", AudioFile.wave(Signal.widePCM(0..<(60 * Signal.rate)), bytes: 4)),
      ], play: true)
    try fixture.call("repeat", #"{"mode":"all"}"#)
    try fixture.wait { $0.rate == 1 && $0.output.device != nil }
  }

  /// Returns the server's number of the daemon's stream.
  private func input() throws -> String {
    let inputs = try fixture.server.pactl("list", "short", "sink-inputs")
    return String(try #require(inputs.split(separator: "\n").last?.prefix { $0.isNumber }))
  }

  /// Returns the volumes of the stream's channels in percent, in the order of the channels.
  private func volumes() throws -> [Int] {
    let lines = try fixture.server.pactl("list", "sink-inputs").split(separator: "\n")
    let line = lines.last { $0.contains("Volume: ") } ?? ""
    return line.split(separator: " ").compactMap { $0.last == "%" ? Int($0.dropLast()) : nil }
  }

  /// Waits until the sink has carried out all commands, and the daemon has handled what it reports.
  private func settle() throws {
    try fixture.wait { $0.rate == 1 && $0.output.state == .open }
    for _ in 0..<3 { try fixture.client.call("output.list") }
  }

  /// Reports about a stream that are on the way when a command comes must not revert it.
  @Test func theLastMuteIsKeptByANewStream() throws {
    try addTracks()
    for round in 0..<40 {
      try fixture.client.call("volume", #"{"muted":true}"#)
      try fixture.call("next")
      try fixture.client.call("volume", #"{"muted":false}"#)
      try settle()
      #expect(try !fixture.status().muted, "round \(round)")
      #expect(try fixture.server.pactl("list", "sink-inputs").contains("Mute: no"), "round \(round)")
    }
  }

  @Test func theLastVolumeIsKeptByANewStream() throws {
    try addTracks()
    for round in 0..<40 {
      let (first, last) = (30 + round, 90 - round)
      try fixture.client.call("volume", #"{"level":\#(first)}"#)
      try fixture.client.call("volume", #"{"level":\#(last)}"#)
      try fixture.call("next")
      try settle()
      #expect(try fixture.status().volume == last, "round \(round)")
      #expect(try volumes() == [last, last], "round \(round)")
    }
  }

  /// Mixers allow more than 100 %, which is shown as 100.
  @Test func aRaiseDoesNotLowerAVolumeAboveTheMaximum() throws {
    try addTracks()
    try fixture.server.pactl("set-sink-input-volume", try input(), "150%")
    try settle()
    #expect(try fixture.client.call("volume", #"{"delta":5}"#)["volume"]?.int == 100)
    try settle()
    #expect(try volumes() == [150, 150])
    #expect(try fixture.client.call("volume", #"{"delta":-5}"#)["volume"]?.int == 95)
    try settle()
    #expect(try volumes() == [95, 95])
  }

  @Test func theBalanceOfAMixerStays() throws {
    try addTracks()
    try fixture.server.pactl("set-sink-input-volume", try input(), "80%", "40%")
    try fixture.wait { $0.volume == 80 }
    // A new stream.
    try fixture.call("next")
    try settle()
    #expect(try volumes() == [80, 40])
    // A request keeps the relation, even after silence.
    try fixture.client.call("volume", #"{"level":50}"#)
    try settle()
    #expect(try volumes() == [50, 25])
    try fixture.client.call("volume", #"{"level":0}"#)
    try settle()
    #expect(try volumes() == [0, 0])
    try fixture.client.call("volume", #"{"level":60}"#)
    try settle()
    #expect(try volumes() == [60, 30])
    // A stream that is opened later, and by another daemon.
    try fixture.call("stop")
    try fixture.wait { $0.output.state == .idle }
    try fixture.client.call("volume", #"{"level":100}"#)
    fixture.daemon.kill()
    try fixture.daemon.start()
    try fixture.reconnect()
    try fixture.call("play")
    try settle()
    #expect(try volumes() == [100, 50])
    try fixture.server.pactl("set-sink-input-volume", try input(), "70%")
    try fixture.wait { $0.volume == 70 }
    try fixture.call("next")
    try settle()
    #expect(try volumes() == [70, 70])
  }

  @Test func theBalanceSurvivesATrackWithOtherChannels() throws {
    try addTracks()
    let pcm = Signal.pcm(0..<(30 * Signal.rate))
    try fixture.add(
      [
        try fixture.write("mono.wav", AudioFile.wave(pcm, channels: 1)),
        try fixture.write("quad.wav", AudioFile.wave(pcm, channels: 4)),
      ])
    try fixture.server.pactl("set-sink-input-volume", try input(), "80%", "40%")
    try fixture.wait { $0.volume == 80 }
    try fixture.call("play", #"{"index":2}"#)
    try settle()
    #expect(try volumes() == [80], "the volume of a mono stream is that of the loudest channel")
    try fixture.server.pactl("set-sink-input-volume", try input(), "60%")
    try fixture.wait { $0.volume == 60 }
    try fixture.call("play", #"{"index":3}"#)
    try settle()
    // The channels are left, right, center and rear center.
    #expect(try volumes() == [60, 30, 45, 45])
    try fixture.call("play", #"{"index":0}"#)
    try settle()
    #expect(try volumes() == [60, 30])
  }
}
