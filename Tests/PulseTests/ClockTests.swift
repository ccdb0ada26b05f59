import Glibc
import SegueOutput
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// Tests of the clock against recorded sound, in which every frame contains its number.
@Suite(.serialized) struct ClockTests {
  /// Returns PCM whose frame n has the samples n & 0x7FFF and (n >> 15) + 1: no frame is silent.
  private func numbered(_ frames: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frames * 4)
    for frame in 0..<frames {
      withUnsafeBytes(of: Int16(frame & 0x7FFF)) { bytes += $0 }
      withUnsafeBytes(of: Int16(frame >> 15 + 1)) { bytes += $0 }
    }
    return bytes
  }

  /// Returns the number of the last frame of a piece; nil if the frame is silent.
  private func number(endOf bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    let low = Int(bytes[bytes.count - 4]) | Int(bytes[bytes.count - 3]) << 8
    let high = Int(bytes[bytes.count - 2]) | Int(bytes[bytes.count - 1]) << 8
    return high == 0 ? nil : (high - 1) << 15 | low
  }

  @Test func theClockShowsTheFrameThatPlays() throws {
    let server = try PulseServer()
    let recorder = try server.record()
    let fixture = SinkFixture(server)
    // The monitor of a new null sink delivers nothing for two seconds.
    try #require(recorder.pieces.wait { $0.bytes.isEmpty ? nil : true } != nil)
    var worker = try StubWorker()
    let media = 1_000_000
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd, at: Frames(media))
    worker.write(numbered(88_200))
    try #require(fixture.audible(atLeast: media + 22_050) != nil)
    fixture.sink.send(.pause)
    let stood = try #require(fixture.standing())
    fixture.sink.send(.resume)
    try #require(fixture.audible(atLeast: Int(stood.count) + 11_025) != nil)
    let clock = fixture.sink.clock
    let now = MonotonicTime.now
    // The lead of the clock over each recorded piece of the last 200 ms, at the time of the piece. A piece comes late,
    // but never early: the smallest lead is the right one. It includes the recorder's own 5 ms.
    let leads = recorder.pieces.all.compactMap { piece -> Int? in
      guard piece.time < now, (now - piece.time).seconds < 0.2, let played = number(endOf: piece.bytes),
        let shown = clock.position(at: piece.time)
      else { return nil }
      return Int(shown.frame.count) - media - played
    }
    let lead = try #require(leads.min())
    #expect((-440...880).contains(lead), "frames of 44.1 kHz")
    // During the pause, the clock showed the frame that played first after it.
    let playedAfterPause = recorder.pieces.all.map(\.bytes).compactMap(number)
    #expect(playedAfterPause.contains { abs($0 - (Int(stood.count) - media)) < 882 })
  }

  @Test func theClockNeverStepsBackDuringPlayback() throws {
    let server = try PulseServer()
    let fixture = SinkFixture(server)
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, noise(88_200, .cd))
    var last = Frames.zero
    var steps = 0
    var paused = false
    try waitUntil("the track is over", every: .microseconds(200)) {
      guard let position = fixture.sink.clock.position(at: .now) else { return last > .zero }
      // A pause may come after this thread has read the clock and before it reads the time: the sound then stops a
      // moment earlier than the clock predicted.
      #expect(position.frame + Frames(88) >= last)
      #expect(position.frame <= Frames(88_200))
      last = max(last, position.frame)
      steps += 1
      if steps % 500 == 0 {
        paused.toggle()
        fixture.sink.send(paused ? .pause : .resume)
      }
      return false
    }
    fixture.expect(.finished(Generation(1)))
    #expect(last > Frames(80_000))
  }

  /// A server reports a stream as drained once its sink has read the rest, of which half has not been played.
  @Test func aTrackWhoseEndIsReportedLatePlaysToItsEnd() throws {
    let server = try PulseServer()
    let fixture = SinkFixture(server)
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(noise(44_100, .cd))
    try #require(fixture.audible(atLeast: 22_050) != nil)
    fixture.sink.send(.endOfInput(Generation(1)))
    fixture.expect(.finished(Generation(1)))
    let events = fixture.events.all
    let start = events.compactMap { record -> MonotonicTime? in
      if case .scheduled(_, let time) = record.event { time } else { nil }
    }.last
    let end = events.last { $0.event == .finished(Generation(1)) }?.time
    #expect(try (#require(end) - #require(start)).seconds >= 0.999)
  }
}
