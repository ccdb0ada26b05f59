import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests with a malicious worker inside the sandbox (Tests/MaliciousWorker). Whatever it does, only its track is
/// affected, and the tracks before and after are played completely.
@Suite(.timeLimit(.minutes(3))) struct HostileWorkerTests {
  private let replaceable: ReplaceableWorkerFixture
  private var fixture: DaemonFixture { replaceable.fixture }
  private static let frames = 4_000

  init() throws {
    replaceable = try ReplaceableWorkerFixture()
    try replaceable.installWorker(program: "malicious-worker")
  }

  /// Makes a silent track that triggers a fault of the worker.
  private func faultyTrack(_ name: String, on fixture: DaemonFixture) throws -> FilePath {
    try fixture.write("\(name).wav", AudioFile.wave([UInt8](repeating: 0, count: 16_000)))
  }

  /// Makes a queue of `faults` with an intact track of `frames` before and after each.
  private func queue(_ faults: [String], of frames: Int = frames, on fixture: DaemonFixture) throws -> [FilePath] {
    var paths = [try fixture.track("intact0", 0..<frames)]
    for (index, name) in faults.enumerated() {
      let first = (index + 1) * frames
      paths.append(try faultyTrack(name, on: fixture))
      paths.append(try fixture.track("intact\(index + 1)", first..<(first + frames)))
    }
    return paths
  }

  private func expectAllPlayed(_ count: Int, on fixture: DaemonFixture, at location: SourceLocation = #_sourceLocation)
    throws
  {
    try fixture.recording.wait(for: "the last track", seconds: 60, at: location) { recordedFrames in
      recordedFrames.sound.last?.end == (count + 1) * Self.frames && recordedFrames.silence > 0
    }
    #expect(fixture.recording.recordedFrames.joined == [0..<((count + 1) * Self.frames)], sourceLocation: location)
  }

  @Test func aMaliciousWorkerAffectsOnlyItsTrack() throws {
    let failingFaults = [
      "crash", "crashMidway", "closeSocket", "exhaustMemory", "garbage", "hugeEvent", "nestedEvent", "eventFlood",
      "followerFailsEarly", "writeCursor", "markerCursor",
      "impossibleRate", "markerFarAhead", "markerBehind", "changingWords",
    ]
    let toleratedFaults = [
      "unknownGeneration", "endWithoutPCM", "extremeNumbers", "manyDescriptors", "counters", "readCursor",
    ]
    let faults = failingFaults + toleratedFaults
    let pid = try #require(fixture.daemon.pid)
    let before = Processes.descriptors(of: pid)
    try fixture.add(try queue(faults, on: fixture), play: true)
    try expectAllPlayed(faults.count, on: fixture)
    try fixture.waitForStop()
    #expect(fixture.daemon.pid == pid)
    let errors = try fixture.errors()
    for (index, fault) in faults.enumerated() {
      #expect(
        (errors[index * 2 + 1] != nil) == failingFaults.contains(fault),
        "\(fault): \(errors[index * 2 + 1] ?? "no error")")
      #expect(errors[index * 2 + 2] == nil, "after \(fault)")
    }
    #expect(Processes.descriptors(of: pid) < before + 24)
    for track in try fixture.client.call("list")["tracks"]?.elements ?? [] {
      #expect((track["duration"]?.double ?? 0) >= 0)
    }
  }

  @Test func aTruncatedTrackIsCurrentWhileItIsAudible() throws {
    // Events carry the present state, so each of the three tracks plays for a second, which exceeds any delay.
    try fixture.add(try queue(["crashMidway"], of: 44_100, on: fixture))
    try fixture.call("play")
    var audible: [Int] = []
    while true {
      let status = Status(try fixture.watcher.event(of: "player"))
      if status.state == .stopped, !audible.isEmpty { break }
      if status.rate == 1, let index = status.index, index != audible.last { audible.append(index) }
    }
    #expect(audible == [0, 1, 2])
  }

  /// The ring buffer also holds frames of the previous track, which may be cut off but is not marked.
  @Test func aWorkerThatCorruptsTheRingIsReplaced() throws {
    try fixture.add(try queue(["writeCursorDuringPreviousTrack"], on: fixture), play: true)
    try fixture.recording.wait(for: "the last track") { $0.sound.last?.end == 2 * Self.frames }
    #expect(fixture.recording.recordedFrames.joined.last.map { $0.lowerBound <= Self.frames } == true)
    let errors = try fixture.errors()
    #expect(errors[0] == nil && errors[1] != nil && errors[2] == nil, "\(errors)")
  }

  /// At another speed than the original one, the end of a track is not in the ring when the following file is opened.
  @Test func aCrashAfterATrackIsDecodedIsAttributedToTheFollowingOne() throws {
    var paths = try queue(["followerCrashes"], on: fixture)
    paths.append(try fixture.track("intact2", (2 * Self.frames)..<(3 * Self.frames)))
    try fixture.add(paths, play: true)
    try fixture.waitForStop()
    let errors = try fixture.errors()
    #expect(errors.map { $0 == nil } == [true, true, false, true], "\(errors)")
    try expectPlayed([0..<Self.frames, (2 * Self.frames)..<(3 * Self.frames)])
  }

  @Test func aFailedProbeAffectsOnlyItsFile() throws {
    let faults = ["probe-crash", "probe-garbage", "probe-exhaustMemory", "probe-unknownTicket"]
    let paths = try queue(faults, on: fixture)
    let response = try fixture.client.call("queue.add", #"{"uris":\#(fixture.list(paths.map(FileURI.encode)))}"#)
    #expect(
      response["added"]?.count == paths.count - 3, "\(response["failed"]?.elements?.map { $0["uri"]?.string } ?? [])")
    #expect(
      response["failed"]?.elements?.compactMap { $0["kind"]?.string } == ["unplayable", "unplayable", "unplayable"])
  }

  /// The length of a track that starts to play although its worker does not report its end.
  private static let second = 44_100

  /// Plays a track with a fault that a seek triggers, and seeks in it.
  private func seek(inTrack name: String) throws {
    try fixture.add([try fixture.track(name, 0..<Self.second)], play: true)
    try fixture.recording.wait(forFrame: Self.second - 1)
    try fixture.call("seek", #"{"position":0.5}"#)
    try fixture.waitForStop()
  }

  /// Expects that exactly `ranges` of frames have been played.
  private func expectPlayed(_ ranges: [Range<Int>], at location: SourceLocation = #_sourceLocation) throws {
    try fixture.recording.wait(for: "\(ranges)", at: location) { $0.joined.count >= ranges.count && $0.silence > 0 }
    #expect(fixture.recording.recordedFrames.joined == ranges, sourceLocation: location)
  }

  /// The worker asks twice for the source of a seek, and gets it once, or asks for one that it has, and does not get
  /// it.
  @Test(arguments: ["restart-twice", "restart-opened"])
  func aWorkerThatNeedsASource_doesNotGetItAgain(_ name: String) throws {
    try seek(inTrack: name)
    try expectPlayed([0..<Self.second, 0..<Self.second])
    #expect(try fixture.errors() == [nil])
    #expect(try fixture.client.call("daemon.stats")["workersLost"]?.int == 0)
  }

  @Test func aWorkerThatCrashesDuringASeek_affectsOnlyItsTrack() throws {
    try seek(inTrack: "restart-crash")
    try fixture.add([try fixture.track("intact", 500_000..<(500_000 + Self.frames))], play: true)
    try fixture.waitForStop()
    try expectPlayed([0..<Self.second, 500_000..<(500_000 + Self.frames)])
    let errors = try fixture.errors()
    #expect(errors[0]?.contains("the decoder ") == true && errors[1] == nil, "\(errors)")
  }

  @Test(arguments: [
    ("garbage", "it sent an invalid event"), ("hugeEvent", "its socket failed"),
    ("eventFlood", "it sent too many events"),
  ])
  func aTrackStatesWhyItsWorkerWasKilled(_ fault: String, _ reason: String) throws {
    try fixture.add(try queue([fault], on: fixture), play: true)
    try fixture.waitForStop()
    let error = try #require(try fixture.errors()[1])
    #expect(error.hasPrefix("the decoder was terminated: \(reason)"), "\(error)")
  }

  /// Two workers probe three files each. Together these take longer than the timeout of one.
  @Test func aSlowWorkerDoesNotShortenTheTimeoutOfTheNextFile() throws {
    let paths = try (0..<6).map { try faultyTrack("probe-slow.\($0)", on: fixture) }
    try fixture.add(paths)
  }

  /// All faults run at the same time, because each takes as long as a disk may need to spin up.
  @Test func anUnresponsiveWorkerIsKilled() throws {
    let others = try (0..<3).map { _ in try ReplaceableWorkerFixture() }
    for other in others { try other.installWorker(program: "malicious-worker") }
    let all = Array(zip([replaceable] + others, ["busyLoop", "newerGeneration", "endlessMarkers", "endMarkerOnly"]))
    for (replaceable, fault) in all {
      try replaceable.fixture.add(try queue([fault], on: replaceable.fixture), play: true)
    }
    let probed = [try faultyTrack("probe-busyLoop", on: fixture), try fixture.track("probed", 0..<100)]
    let response = try fixture.client.call("queue.add", #"{"uris":\#(fixture.list(probed.map(FileURI.encode)))}"#)
    #expect(response["added"]?.count == 1)
    let failed = response["failed"]?.elements?.first
    #expect(failed?["uri"]?.string == FileURI.encode(probed[0]))
    #expect(failed?["message"]?.string == "the decoder did not respond for 5 s")
    for (replaceable, fault) in all {
      try replaceable.fixture.recording.wait(for: "the track after \(fault)", seconds: 60) {
        $0.sound.contains { $0.end == 2 * Self.frames }
      }
      let errors = try replaceable.fixture.errors()
      #expect(errors[0] == nil && errors[2] == nil)
      // Endless markers are detected earlier if the sink reads enough of them at once.
      #expect(errors[1]?.contains(fault == "endlessMarkers" ? "" : "hung") == true, "\(fault): \(errors)")
    }
  }
}
