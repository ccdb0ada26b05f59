import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of seeks in tracks that are crossfaded. Frames that are mixed have other numbers than all others.
@Suite(.timeLimit(.minutes(2))) struct PlaybackRestartFadeTests {
  private let fixture: DaemonFixture
  private static let second = 5_000_000

  /// Plays a track of five seconds, and one of 30.
  init() throws {
    fixture = try DaemonFixture(configuration: "[Player]\nCrossfade=2\n")
    let first = try fixture.track("first", 0..<5 * Signal.rate)
    let second = try fixture.track("second", Self.second..<(Self.second + 30 * Signal.rate))
    try fixture.add([first, second], play: true)
    try fixture.recording.wait(forFrame: 4_000)
  }

  /// The worker decodes the second track.
  @Test func aSeekBeforeTheCrossfade_isExact() throws {
    try fixture.call("seek", #"{"position":1}"#)
    try fixture.recording.wait(for: "the frame of the seek") { $0.sound.contains { $0.first == Signal.rate } }
    // The crossfade into the second track takes place again.
    try fixture.recording.wait(forFrame: Self.second + 3 * Signal.rate)
    #expect(!fixture.recording.recordedFrames.sound.contains { $0.first == Self.second })
  }

  @Test func aSeekDuringTheCrossfade_isExact() throws {
    try fixture.wait { $0.track?.duration == .seconds(30) }
    try fixture.call("seek", #"{"position":20}"#)
    let target = Self.second + 20 * Signal.rate
    try fixture.recording.wait(forFrame: target + 4_000)
    #expect(fixture.recording.recordedFrames.sound.last?.first == target)
  }

  /// The worker decodes the second track when it gets the seek.
  @Test func aSeekAfterTheCrossfadeIsSwitchedOff_isExact() throws {
    try fixture.call("next")
    try fixture.wait { $0.track?.duration == .seconds(30) && $0.rate == 1 }
    try fixture.call("settings.set", #"["player.crossfade",0]"#)
    try fixture.call("seek", #"{"position":20}"#)
    let target = Self.second + 20 * Signal.rate
    try fixture.recording.wait(forFrame: target + Signal.rate)
    let sound = fixture.recording.recordedFrames.sound.last
    #expect(sound?.first == target && sound.map { $0.end > target + Signal.rate / 2 } == true)
  }
}
