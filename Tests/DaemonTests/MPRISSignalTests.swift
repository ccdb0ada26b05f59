import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of signals on the session bus.
@Suite struct MPRISSignalTests {
  let fixture: DaemonFixture
  let desktop: DesktopSession

  init() throws {
    fixture = try DaemonFixture(.null("test"))
    desktop = try DesktopSession(fixture.daemon)
  }

  private func track(_ name: String, seconds: Int) throws -> FilePath {
    try fixture.track(name, 0..<(seconds * Signal.rate))
  }

  private func status(_ signal: SignalReader.Signal) -> String? { signal.changes?["PlaybackStatus"]?["data"]?.string }

  private func title(_ signal: SignalReader.Signal) -> String? {
    signal.changes?["Metadata"]?["data"]?["xesam:title"]?["data"]?.string
  }

  /// Returns the position in seconds; nil if the signal is not `Seeked`.
  private func seeked(_ signal: SignalReader.Signal) -> Double? {
    signal.member == "Seeked" ? signal.arguments.first?.double.map { $0 / 1e6 } : nil
  }

  @Test func playerctlFollowsTheTracks() throws {
    let follower = try desktop.bus.follow(
      ["playerctl", "-F", "metadata", "--format", "{{status}} {{title}} {{mpris:length}}"])
    try fixture.add(
      [try track("one", seconds: 2), try track("two", seconds: 1), try track("three", seconds: 2)], play: true)
    try follower.line { $0 == "Playing one 2000000" }
    try follower.line { $0 == "Playing two 1000000" }
    try follower.line { $0 == "Playing three 2000000" }
    // playerctl prints an empty line without a track.
    try follower.line { $0.isEmpty }
  }

  /// A listener computes the position from the last known track, so both are announced together.
  @Test func trackAndPlaybackStatusAreAnnouncedTogether() throws {
    let signals = try desktop.monitorSignals()
    try fixture.add([try track("one", seconds: 60), try track("two", seconds: 60)], play: true)
    let started = try signals.signal { status($0) == "Playing" }
    #expect(title(started) == "one")
    try fixture.wait { $0.rate == 1 }
    try fixture.call("next")
    try fixture.wait { $0.rate == 1 }
    try fixture.call("pause")
    let rest = try signals.signals { status($0) == "Paused" }
    #expect(rest.compactMap(title).last == "two")
    // A track that begins at its start is not announced as seeked.
    let all = [started] + rest
    #expect(!all.contains { $0.member == "Seeked" })
    #expect(!all.contains { $0.changes?["Position"] != nil })
  }

  @Test func aSeekIsAnnouncedOnce() throws {
    try fixture.add([try track("one", seconds: 60), try track("two", seconds: 60)], play: true)
    try fixture.wait { $0.rate == 1 }
    let signals = try desktop.monitorSignals()
    try fixture.call("seek", #"{"position":20}"#)
    let far = try #require(seeked(try signals.signal { seeked($0) != nil }))
    #expect((20..<22).contains(far))
    // Any seek, during playback and while paused.
    try fixture.call("pause")
    let before = (try fixture.status().position ?? .zero).seconds
    try fixture.call("seek", #"{"offset":0.1}"#)
    let paused = try signals.signals { seeked($0) != nil }
    #expect(abs(try #require(paused.last.flatMap(seeked)) - before - 0.1) < 0.001)
    #expect(paused.filter { seeked($0) != nil }.count == 1)
    // A stop sets the position to the start.
    try fixture.call("stop")
    try fixture.call("play")
    let signalsAtStart = try signals.signals { status($0) == "Playing" }
    #expect(!signalsAtStart.contains { $0.member == "Seeked" })
    // Back to the start of the current track.
    try fixture.wait { $0.rate == 1 }
    try fixture.call("prev")
    #expect(try #require(seeked(try signals.signal { seeked($0) != nil })) < 2)
  }

  /// A repeated track is the same track, so only `Seeked` announces the restart.
  @Test func aRepeatedTrackIsAnnouncedAsSeeked() throws {
    try fixture.client.call("repeat", #"{"mode":"one"}"#)
    let signals = try desktop.monitorSignals()
    try fixture.add([try track("short", seconds: 3)], play: true)
    for _ in 0..<2 {
      #expect(try #require(seeked(try signals.signal { seeked($0) != nil })) < 1)
    }
  }

  /// The position of a resumed track is announced after the track. In this test, tracks of a minute are resumed.
  @Test func aTrackThatStartsAtABookmarkIsAnnouncedAsSeeked() throws {
    let fixture = try DaemonFixture(.null("test"), configuration: "[Player]\nBookmarkAfter=1\n")
    let desktop = try DesktopSession(fixture.daemon)
    let long = try fixture.write(
      "long.wav", AudioFile.wave([UInt8](repeating: 1, count: 70 * 16_000), rate: 8_000, channels: 1))
    try fixture.add([long, try fixture.track("two", 0..<(10 * Signal.rate))], play: true)
    try fixture.call("seek", #"{"position":30}"#)
    try fixture.wait { $0.rate == 1 }
    try fixture.call("next", #"{"by":"track"}"#)
    let signals = try desktop.monitorSignals()
    try fixture.call("prev", #"{"by":"track"}"#)
    let received = try signals.signals { seeked($0) != nil }
    #expect(received.compactMap(title).last == "long")
    #expect(try (30..<34).contains(#require(received.last.flatMap(seeked))))
  }

  /// During a stall, the position that clients assume has advanced, although the position has not.
  @Test func playbackAfterAStallIsAnnouncedAsSeeked() throws {
    try fixture.add([try track("one", seconds: 60)], play: true)
    try fixture.wait { $0.rate == 1 }
    try fixture.call("seek", #"{"position":30}"#)
    try fixture.wait { $0.rate == 1 }
    let signals = try desktop.monitorSignals()
    fixture.server.kill()
    let lost = try fixture.wait { $0.output.state == .lost }
    // The duration of the stall is the simulated fault. Shorter stalls than two seconds are not announced.
    let start = MonotonicTime.now
    try waitUntil("the stall has lasted three seconds") { MonotonicTime.now - start > .seconds(3) }
    try fixture.server.start()
    try fixture.wait { $0.rate == 1 }
    let position = try #require(seeked(try signals.signal { seeked($0) != nil }))
    #expect(abs(position - (lost.position ?? .zero).seconds) < 1)
  }

  /// Writes a track of a second with a cover of its own.
  private func trackWithCover(_ number: Int) throws -> FilePath {
    let cover = PictureFile.png(600, 600, [UInt8(10 * number), 30, 30])
    return try fixture.write("\(number).flac", PictureFile.flac([(3, cover)], [("TITLE", "\(number)")]))
  }

  /// The number of covers in the cache.
  private var cachedCovers: Int {
    let cache = fixture.daemon.directory.appending("home/.cache/segue/art")
    return TemporaryFolder.names(in: cache).reduce(0) { count, folder in
      count + TemporaryFolder.names(in: cache.appending(folder)).count
    }
  }

  /// Returns the titles of the announced tracks. Records an issue for each that is announced without a cover.
  private func announced(_ signals: [SignalReader.Signal]) -> [String] {
    signals.compactMap { signal in
      guard let title = title(signal) else { return nil }
      #expect(signal.changes?["Metadata"]?["data"]?["mpris:artUrl"] != nil, "\(title) has no cover")
      return title
    }
  }

  @Test func eachTrackIsAnnouncedOnceWithItsCover() throws {
    try fixture.add(try (1...4).map(trackWithCover))
    try fixture.call("play")
    try fixture.wait { $0.track?.metadata.art != nil }
    let signals = try desktop.monitorSignals()
    let received = try signals.signals { status($0) == "Stopped" }
    #expect(announced(received).filter { $0 != "1" } == ["2", "3", "4"])
  }

  @Test func aStepToATrackWhoseCoverIsKnownIsAnnouncedOnce() throws {
    let ids = try fixture.add(try (1...4).map(trackWithCover))
    try fixture.call("play")
    try fixture.call("pause")
    try waitUntil("two covers are found") { cachedCovers == 2 }
    let signals = try desktop.monitorSignals()
    try fixture.call("next")
    #expect(announced(try signals.signals { title($0) != nil }) == ["2"])
    try waitUntil("the cover of the next track is found") { cachedCovers == 3 }
    try fixture.call("prev", #"{"by":"track"}"#)
    #expect(announced(try signals.signals { title($0) != nil }) == ["1"])
    try fixture.call("next")
    try fixture.client.call("volume", #"{"level":31}"#)
    #expect(announced(try signals.signals { $0.changes?["Volume"] != nil }) == ["2"])
    // A cover that is not known in time is announced later.
    try fixture.call("play", #"{"id":\#(ids[3])}"#)
    _ = try signals.signal {
      title($0) == "4" && $0.changes?["Metadata"]?["data"]?["mpris:artUrl"] != nil
    }
  }

  /// Waits until a property is announced as true or false.
  private func wait(_ signals: SignalReader, for name: String, _ value: Bool) throws {
    _ = try signals.signal { $0.changes?[name]?["data"]?.bool == value }
  }

  private func expect(next: Bool, previous: Bool, _ comment: Comment) throws {
    #expect(try desktop.property("CanGoNext", "b").bool == next, comment)
    #expect(try desktop.property("CanGoPrevious", "b").bool == previous, comment)
  }

  /// The chapters of the second track begin at 0, 1 and 2 s.
  @Test func stepsAreAvailableWhileThereIsAnotherTrackOrChapter() throws {
    try fixture.add([try track("one", seconds: 60), Repository.fixture("Tags/chapters.m4a")])
    try fixture.call("play")
    try fixture.wait { $0.rate == 1 }
    try expect(next: true, previous: false, "on the first track")
    let signals = try desktop.monitorSignals()
    try fixture.call("next")
    try fixture.wait { $0.rate == 1 && $0.index == 1 }
    try wait(signals, for: "CanGoPrevious", true)
    // The last chapter begins while nothing else happens. The chapters may be unknown for a moment before.
    _ = try signals.signal {
      try $0.changes?["CanGoNext"]?["data"]?.bool == false && (fixture.status().position ?? .zero) >= .seconds(2)
    }
    try expect(next: false, previous: true, "in the last chapter")
    try fixture.call("pause")
    try fixture.call("seek", #"{"position":0.5}"#)
    try wait(signals, for: "CanGoNext", true)
    try fixture.call("seek", #"{"position":2.5}"#)
    try wait(signals, for: "CanGoNext", false)
    try fixture.call("repeat", #"{"mode":"all"}"#)
    try wait(signals, for: "CanGoNext", true)
    try fixture.call("repeat", #"{"mode":"off"}"#)
    try wait(signals, for: "CanGoNext", false)
    let added = try fixture.add([try track("three", seconds: 2)])
    try wait(signals, for: "CanGoNext", true)
    try fixture.client.call("queue.remove", #"{"ids":[\#(added[0])]}"#)
    try wait(signals, for: "CanGoNext", false)
    try fixture.client.call("queue.move", #"{"ids":[\#(try fixture.ids()[1])],"to":0}"#)
    try wait(signals, for: "CanGoNext", true)
    try expect(next: true, previous: true, "in the last chapter of the first track")
    try fixture.call("seek", #"{"position":0.5}"#)
    try wait(signals, for: "CanGoPrevious", false)
  }

  @Test func theChaptersOfARestoredTrackAreSteps() throws {
    try fixture.add([Repository.fixture("Tags/chapters.m4a")])
    try fixture.call("play")
    try fixture.wait { $0.audio != nil }
    try fixture.call("pause")
    try fixture.call("seek", #"{"position":1.5}"#)
    fixture.daemon.kill()
    try fixture.daemon.start()
    try fixture.reconnect()
    try desktop.waitForName()
    try waitUntil("the chapters are found", every: .milliseconds(20)) {
      try desktop.property("CanGoNext", "b").bool == true && desktop.property("CanGoPrevious", "b").bool == true
    }
  }

  @Test func noSignalsAreSentWithoutChanges() throws {
    try fixture.add([try track("one", seconds: 60)], play: true)
    try fixture.wait { $0.rate == 1 && $0.output.device != nil }
    let signals = try desktop.monitorSignals()
    // Playback for several seconds sends no signals.
    let position = try #require(try fixture.status().position)
    try fixture.recording.wait(forFrame: Int((position.seconds + 4) * Double(Signal.rate)))
    // Reading properties and setting equal values change nothing.
    _ = try desktop.playerctl("status")
    try fixture.client.call("volume", #"{"level":100}"#)
    try fixture.client.call("consume", #"{"on":true}"#)
    try fixture.client.call("volume", #"{"level":31}"#)
    let received = try signals.signals { $0.changes?["Volume"] != nil }
    #expect(received.count == 1, "\(received)")
    #expect(received.first?.changes?.names == ["Volume"])
  }

  @Test func replacingTheQueueReplacesTheTrackList() throws {
    try fixture.add([try track("one", seconds: 60)])
    let signals = try desktop.monitorSignals()
    let more = try fixture.add([try track("two", seconds: 60)])
    let received = try signals.signals { $0.member == "PropertiesChanged" && $0.arguments.last?.count == 1 }
    let replaced = try #require(received.first { $0.member == "TrackListReplaced" })
    #expect(replaced.arguments.first?.elements?.last?.string == "/org/segue/Track/\(more[0])")
    #expect(received.last?.arguments.last?.elements?.first?.string == "Tracks")
  }
}
