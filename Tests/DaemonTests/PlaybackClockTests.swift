import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Compares the position in `status` with the recording.
@Suite struct PlaybackClockTests {
  /// Expects that positions in `status` are monotonic and match the recording.
  private func compare(_ fixture: DaemonFixture, from start: Int, seconds: Double) throws {
    var responses: [Status] = []
    while (responses.last?.position ?? .zero).seconds < Double(start) / Double(Signal.rate) + seconds {
      responses.append(try fixture.status())
      try fixture.recording.wait(for: "sound") { _ in fixture.recording.arrivals.count > responses.count * 4 }
    }
    for (earlier, later) in zip(responses, responses.dropFirst()) {
      #expect((earlier.position ?? .zero) <= (later.position ?? .zero))
    }
    try fixture.recording.wait(forFrame: start + Int(seconds * Double(Signal.rate)))
    // The smallest difference is the error of the clock, because the recorder can only be late.
    var differences: [Double] = []
    for response in responses where response.rate == 1 {
      guard let mark = fixture.recording.arrivals.first(where: { $0.time >= response.monotonic && $0.frame >= start })
      else {
        continue
      }
      let audible = Double(mark.frame) / Double(Signal.rate) - (mark.time - response.monotonic).seconds
      differences.append((response.position ?? .zero).seconds - audible)
    }
    let sorted = differences.sorted()
    try #require(sorted.count > 5)
    let median = sorted[sorted.count / 2]
    #expect(abs(median) < OutputRecording.tolerance, "the position is \(median) s ahead of the recording (\(sorted))")
  }

  /// A subscriber receives an event when the position advances, which is some time after the server was asked to
  /// resume.
  @Test func subscribersReceiveAnEventAfterAStall() throws {
    let fixture = try DaemonFixture(.null("test"))
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    for seconds in 1...3 {
      try waitUntil("\(seconds) seconds were played", every: .milliseconds(50)) {
        (try fixture.status().position ?? .zero).seconds > Double(seconds)
      }
      try fixture.call("pause")
      _ = try fixture.watcher.event(of: "player") { $0["state"]?.string == "paused" }
      try fixture.call("play")
      let event = try fixture.watcher.event(of: "player") { $0["rate"]?.int == 1 }
      #expect(Status(event).state == .playing)
    }
  }

  @Test func thePositionMatchesTheMonitor() throws {
    let fixture = try DaemonFixture(.null("test"))
    try fixture.add([try fixture.track("long", 0..<(20 * Signal.rate))], play: true)
    try fixture.recording.wait(for: "sound") { !$0.sound.isEmpty }
    try compare(fixture, from: 0, seconds: 1.5)
    try fixture.call("seek", #"{"position":10}"#)
    try fixture.recording.wait(for: "the target") { ($0.lastFrame ?? 0) > 10 * Signal.rate }
    try compare(fixture, from: 10 * Signal.rate, seconds: 1.5)
    try fixture.call("pause")
    try fixture.recording.wait(for: "silence") { $0.silence > 3_000 }
    let paused = try fixture.status()
    let last = try #require(fixture.recording.recordedFrames.sound.last)
    #expect(
      abs((paused.position ?? .zero).seconds - Double(last.end) / Double(Signal.rate)) < OutputRecording.tolerance)
    try fixture.call("play")
    try compare(fixture, from: last.end, seconds: 1)
  }

  @Test func aTrackEventComesWhenTheTrackIsAudible() throws {
    let fixture = try DaemonFixture(.null("test"))
    let ids = try fixture.add(try fixture.album([66_150, 66_150, 44_100]), play: true)
    for (index, start) in [(1, 66_150), (2, 132_300)] {
      let change = Status(try fixture.watcher.event(of: "player") { Status($0).track?.id == UInt64(ids[index]) })
      let at = MonotonicTime.now
      try fixture.recording.wait(forFrame: start + 8_000)
      let mark = try #require(fixture.recording.arrivals.first { $0.frame >= start })
      let audible = mark.time.nanoseconds - Int64(Double(mark.frame - start) / Double(Signal.rate) * 1e9)
      #expect(
        abs(Double(at.nanoseconds - audible)) < OutputRecording.tolerance * 1e9,
        "the event is off by \(at.nanoseconds - audible) ns")
      #expect((change.position ?? .zero) < .milliseconds(100))
      #expect(change.durationKind == .exact)
      #expect(change.duration == MediaTime(seconds: index == 1 ? 1.5 : 1))
    }
  }

  /// The stream of the other format is opened when the last frame was played.
  @Test func thePositionStaysAtTheEndOfATrackUntilOneOfAnotherFormatIsAudible() throws {
    let fixture = try DaemonFixture(.null("test"))
    let tracks = try (0..<4).map { number in
      let frames = number * Signal.rate..<(number + 1) * Signal.rate
      return number.isMultiple(of: 2)
        ? try fixture.track("\(number)", frames)
        : try fixture.write("\(number).wav", AudioFile.wave(Signal.widePCM(frames), bytes: 4))
    }
    try fixture.add(tracks, play: true)
    var last = try fixture.status()
    while last.state != .stopped {
      let next = try fixture.status()
      if next.track?.id == last.track?.id, next.state == .playing {
        #expect(last.position ?? .zero <= next.position ?? .zero)
      }
      last = next
    }
  }

  @Test func anEventFollowsEverySeek() throws {
    let fixture = try DaemonFixture()
    try fixture.add([try fixture.track("long", 0..<(20 * Signal.rate))], play: true)
    try fixture.wait { $0.rate == 1 }
    try fixture.client.call("seek", #"{"position":11}"#)
    let event = Status(
      try fixture.watcher.event(of: "player") { (Status($0).position ?? .zero) >= .seconds(11) })
    #expect(event.state == .playing)
    // The position stands still until the first frame is audible, and then an event announces that it advances.
    let advancing = Status(try fixture.watcher.event(of: "player") { Status($0).rate == 1 })
    #expect((advancing.position ?? .zero) < .seconds(11.5))
  }

  /// Without a recorder, the server renders two seconds at once, and its reported latency jumps.
  @Test func thePositionIsSteadyWithAServerThatRendersAhead() throws {
    let server = try PulseServer([.null("test")])
    let daemon = try DaemonProcess(pulse: server)
    let client = try daemon.connect()
    let path = daemon.directory.appending("long.wav")
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<(30 * Signal.rate))), to: path)
    try client.call("queue.add", #"{"uris":[\#(quoted(FileURI.encode(path)))],"play":true}"#)
    for target in [0.0, 20, 5] {
      let start = MonotonicTime.now
      if target > 0 { try client.call("seek", #"{"position":\#(target)}"#) }
      var offsets: [Double] = []
      while true {
        let status = Status(try client.call("status"))
        let played = (status.position ?? .zero).seconds - target
        if target > 0 || status.rate == 1 {
          #expect(
            played <= (status.monotonic - start).seconds + OutputRecording.tolerance || target == 0,
            "the position advances faster than time")
        }
        if status.rate == 1 { offsets.append(played - (status.monotonic - start).seconds) }
        if played > 1.2 { break }
      }
      let (least, most) = (offsets.min() ?? 0, offsets.max() ?? 0)
      #expect(most - least < OutputRecording.tolerance, "the clock is irregular: \(least)…\(most) from \(target) s on")
    }
  }
}
