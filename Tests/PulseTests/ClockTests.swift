import Glibc
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// The clock against what is heard: every frame of the PCM says which it is.
@Suite(.serialized) struct ClockTests {
  /// Frame n holds the samples n & 0x7FFF and n >> 15, plus one: none is silent.
  private func numbered(_ frames: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frames * 4)
    for frame in 0..<frames {
      withUnsafeBytes(of: Int16(frame & 0x7FFF)) { bytes += $0 }
      withUnsafeBytes(of: Int16(frame >> 15 + 1)) { bytes += $0 }
    }
    return bytes
  }

  /// The last frame of a piece, as it numbered itself; nil if that is silence.
  private func number(endOf bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    let low = Int(bytes[bytes.count - 4]) | Int(bytes[bytes.count - 3]) << 8
    let high = Int(bytes[bytes.count - 2]) | Int(bytes[bytes.count - 1]) << 8
    return high == 0 ? nil : (high - 1) << 15 | low
  }

  @Test func theClockShowsWhatIsHeard() throws {
    let server = try PulseServer()
    let recorder = try server.record()
    let probe = SinkFixture(server)
    // The monitor of a new null sink begins to speak after two seconds.
    try #require(recorder.pieces.wait { $0.bytes.isEmpty ? nil : true } != nil)
    var worker = try Worker()
    let media = 1_000_000
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd, at: Frames(media))
    worker.write(numbered(88_200))
    try #require(probe.audible(atLeast: media + 22_050) != nil)
    probe.sink.send(.pause)
    let stood = try #require(probe.standing())
    probe.sink.send(.resume)
    try #require(probe.audible(atLeast: Int(stood.count) + 11_025) != nil)
    let clock = probe.sink.clock
    let now = MonotonicTime.now
    // How far the clock was ahead of each piece of the last 200 ms when it came. A piece comes late, never early: the
    // smallest lead is the true one, and the recorder's own 5 ms are in it.
    let leads = recorder.pieces.all.compactMap { piece -> Int? in
      guard piece.time < now, (now - piece.time).seconds < 0.2, let heard = number(endOf: piece.bytes),
        let shown = clock.position(at: piece.time)
      else { return nil }
      return Int(shown.frame.count) - media - heard
    }
    let lead = try #require(leads.min())
    #expect((-440...880).contains(lead), "frames of 44.1 kHz")
    // Standing, it showed the frame that was heard first afterwards.
    let heardAgain = recorder.pieces.all.map(\.bytes).compactMap(number)
    #expect(heardAgain.contains { abs($0 - (Int(stood.count) - media)) < 882 })
  }

  @Test func theClockNeverStepsBackWhileItPlays() throws {
    let server = try PulseServer()
    let probe = SinkFixture(server)
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, noise(88_200, .cd))
    var last = Frames.zero
    var steps = 0
    var paused = false
    while let position = probe.sink.clock.position(at: .now)
      ?? (last == .zero ? (Generation(1), .zero, .cd, true) : nil)
    {
      // A pause may come between this thread's look at the clock and its look at the time: the sound then stands a
      // moment earlier than it was told.
      #expect(position.frame + Frames(88) >= last)
      #expect(position.frame <= Frames(88_200))
      last = max(last, position.frame)
      steps += 1
      if steps % 500 == 0 {
        paused.toggle()
        probe.sink.send(paused ? .pause : .resume)
      }
      // Waits for nothing: as often as this it is looked at.
      usleep(200)
    }
    probe.expect(.finished(Generation(1)))
    #expect(last > Frames(80_000))
  }

  /// A server calls a stream drained whose rest its sink has taken already, though half of it is yet to be heard.
  @Test func aTrackWhoseEndIsLearntLateIsHeardOut() throws {
    let server = try PulseServer()
    let probe = SinkFixture(server)
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(noise(44_100, .cd))
    try #require(probe.audible(atLeast: 22_050) != nil)
    probe.sink.send(.endOfInput(Generation(1)))
    probe.expect(.finished(Generation(1)))
    let journal = probe.journal.all
    let start = journal.compactMap { heard -> MonotonicTime? in
      if case .scheduled(_, _, _, let time) = heard.event { time } else { nil }
    }.last
    let end = journal.last { $0.event == .finished(Generation(1)) }?.time
    #expect(try (#require(end) - #require(start)).seconds >= 0.999)
  }
}
