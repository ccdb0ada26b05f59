import Glibc
import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of commands that the worker receives while it decodes.
@Suite struct WorkerCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a long plain WAV file that contains the number of each frame.
  private func longWave(_ name: String, seconds: Int) throws -> FilePath {
    let frames = 44_100 * seconds
    var bytes = Array(try Fixture.bytes("a.wav")[..<40])
    withUnsafeBytes(of: UInt32(frames * 4).littleEndian) { bytes += $0 }
    // A plain loop is used because anything generic takes a second in a debug build.
    bytes += [UInt8](unsafeUninitializedCapacity: frames * 4) { buffer, count in
      let numbers = UnsafeMutableRawBufferPointer(buffer).bindMemory(to: UInt32.self)
      for index in 0..<frames { numbers[index] = UInt32(index).littleEndian }
      count = frames * 4
    }
    return try folder.write(name, bytes)
  }

  @Test func ring_holdsTenSecondsAtMost() throws {
    let worker = try WorkerProcess()
    let path = try longWave("lasting.wav", seconds: 24)
    try worker.open(1, path)
    try worker.wait(for: "opened", draining: false) { $0.info(of: 1) != nil }
    let unread = try worker.bufferedBytesWhenIdle()
    #expect(unread >= 10 * 176_400)
    #expect(unread < 10 * 176_400 + 65_536)
    #expect(worker.duration(of: 1) == nil)
    let decoded = try worker.decodedGeneration(1)
    #expect(decoded.bytes.count == 24 * 176_400)
    #expect(decoded.end == Frames(24 * 44_100))
  }

  /// Whether the file system of temporary files states that a file is in the page cache that was just written.
  private static let statesCache: Bool = {
    guard let folder = try? TemporaryFolder(), let path = try? folder.write("file", [1]) else { return false }
    return Descriptor(owning: open(path.description, O_RDONLY | O_CLOEXEC)).isCached(at: 0)
  }()

  @Test(
    .enabled(if: statesCache, "the file system does not support RWF_NOWAIT, see preadv2(2)"),
    arguments: [nil, 96_000] as [UInt32?])
  func theWorkerStatesWhetherTheSourceIsInMemory(rate: UInt32?) throws {
    let path = try longWave("cached.wav", seconds: 24)
    let worker = try WorkerProcess()
    try worker.open(1, path, start: .seconds(5), rate: rate)
    #expect(try worker.decodedGeneration(1).parts.first?.isSourceCached == true)
  }

  /// The track that follows may be slow.
  @Test func theLastSecondOfAFileIsNotStatedToBeInMemory() throws {
    let path = try longWave("end.wav", seconds: 24)
    let worker = try WorkerProcess()
    try worker.open(1, path, start: .seconds(23))
    #expect(try worker.decodedGeneration(1).parts.first?.isSourceCached == false)
  }

  /// The ring holds less than the whole track, which is therefore still being decoded.
  @Test(arguments: [nil, 96_000] as [UInt32?])
  func aRestart_decodesFromAnotherPosition(rate: UInt32?) throws {
    let worker = try WorkerProcess()
    let path = try longWave("restarted.wav", seconds: 48)
    try worker.open(1, path, rate: rate)
    try worker.wait(for: "opened", draining: false) { $0.info(of: 1) != nil }
    for (generation, start) in [(UInt32(2), MediaTime.seconds(30)), (3, .seconds(20)), (4, .seconds(40))] {
      try worker.restart(generation, of: generation - 1, path, start: start, rate: rate)
    }
    let decoded = try worker.decodedGeneration(4)
    let hertz = rate ?? 44_100
    #expect(decoded.parts.map(\.format.rate) == [SampleRate(hertz)])
    #expect(decoded.parts.first?.mediaFrame == Frames(Int64(40 * hertz)))
    #expect(decoded.end == Frames(Int64(48 * hertz)))
    #expect(worker.duration(of: 4) == .seconds(48))
    #expect(!worker.events.contains { if case .decoding(_, .sourceNeeded) = $0 { true } else { false } })
  }

  @Test func aRestartOfAnotherGeneration_needsTheSource() throws {
    let worker = try WorkerProcess()
    let path = try longWave("other.wav", seconds: 48)
    try worker.open(2, path)
    try worker.restart(3, of: 1, path, start: .seconds(30))
    try worker.wait(for: "the request for the source") { $0.needsSource(of: 3) }
    try worker.open(3, path, start: .seconds(30))
    #expect(try worker.decodedGeneration(3).end == Frames(48 * 44_100))
    #expect(worker.info(of: 2) == nil || worker.duration(of: 2) == nil)
  }

  /// Another file may have its name.
  @Test func aRestartOfAFileWithoutAName_needsTheSource() throws {
    let worker = try WorkerProcess()
    let path = try longWave("deleted.wav", seconds: 48)
    try worker.open(1, path)
    try worker.wait(for: "opened", draining: false) { $0.info(of: 1) != nil }
    unlink(path.description)
    try worker.restart(2, of: 1, path, start: .seconds(20))
    try worker.wait(for: "the request for the source") { $0.needsSource(of: 2) }
  }

  @Test func aRestartOfAFileThatHasChanged_needsTheSource() throws {
    let worker = try WorkerProcess()
    let path = try longWave("changed.wav", seconds: 48)
    try worker.open(1, path)
    try worker.wait(for: "opened", draining: false) { $0.info(of: 1) != nil }
    _ = try longWave("changed.wav", seconds: 24)
    try worker.restart(2, of: 1, path, start: .seconds(20))
    try worker.wait(for: "the request for the source") { $0.needsSource(of: 2) }
  }

  /// The second track is already being decoded when it is replaced.
  @Test func followerBeingDecoded_canBeReplaced() throws {
    let worker = try WorkerProcess()
    try worker.open(1, Fixture.path("a.flac"))
    try worker.follow(2, try longWave("lasting2.wav", seconds: 24), after: 1)
    try worker.wait(for: "the follower", draining: false) { $0.info(of: 2) != nil }
    _ = try worker.bufferedBytesWhenIdle()
    try worker.follow(3, Fixture.path("b.flac"), after: 1)
    let last = try worker.decodedGeneration(3)
    #expect(worker.decodedGenerations.map(\.generation) == [Generation(1), Generation(2), Generation(3)])
    #expect(worker.decodedGenerations[0].end == Frames(Signal.cut))
    #expect(worker.decodedGenerations[1].end == nil)
    let wanted = try Fixture.samples(ofWave: "b.wav")
    #expect(last.bytes == wanted)
    #expect(worker.duration(of: 2) == nil)
  }

  @Test func waitingFollower_canBeReplaced() throws {
    let worker = try WorkerProcess()
    try worker.open(1, try longWave("lasting3.wav", seconds: 24))
    try worker.follow(2, Fixture.path("a.wav"), after: 1)
    try worker.follow(3, Fixture.path("b.wav"), after: 1)
    _ = try worker.decodedGeneration(3)
    #expect(worker.decodedGenerations.map(\.generation) == [Generation(1), Generation(3)])
    #expect(worker.decodedGenerations[0].end == Frames(24 * 44_100))
  }

  @Test func open_discardsAllTracks() throws {
    let worker = try WorkerProcess()
    try worker.open(1, try longWave("lasting4.wav", seconds: 24))
    try worker.follow(2, Fixture.path("a.wav"), after: 1)
    _ = try worker.bufferedBytesWhenIdle()
    try worker.open(3, Fixture.path("b.wav"))
    let decoded = try worker.decodedGeneration(3)
    let wanted = try Fixture.samples(ofWave: "b.wav")
    #expect(decoded.bytes == wanted)
    #expect(worker.decodedGenerations.map(\.generation) == [Generation(1), Generation(3)])
    #expect(worker.decodedGenerations[0].end == nil)
  }

  /// The old PCM nearly fills the ring. The new track must fit beside it.
  @Test func stalePCM_doesNotBlockANewTrack() throws {
    let worker = try WorkerProcess()
    let path = try longWave("lasting5.wav", seconds: 24)
    try worker.open(1, path)
    _ = try worker.bufferedBytesWhenIdle()
    try worker.open(2, path, start: .seconds(12))
    try worker.wait(for: "opened", draining: false) { $0.info(of: 2) != nil }
    let unread = try worker.bufferedBytesWhenIdle()
    #expect(unread > 15 * 176_400)
    let decoded = try worker.decodedGeneration(2)
    #expect(decoded.bytes.count == 12 * 176_400)
    #expect(decoded.bytes.prefix(4).elementsEqual(withUnsafeBytes(of: UInt32(12 * 44_100).littleEndian, Array.init)))
  }

  @Test func halt_discardsAllTracks() throws {
    let worker = try WorkerProcess()
    try worker.open(1, try longWave("lasting6.wav", seconds: 24))
    try worker.wait(for: "opened", draining: false) { $0.info(of: 1) != nil }
    try worker.send(.halt)
    // Commands are executed in order. The response to the probe shows that the halt was executed.
    try worker.probe(7, Fixture.path("a.wav"))
    try worker.wait(for: "the answer", draining: false) {
      $0.events.contains { if case .response(_, .probed) = $0 { true } else { false } }
    }
    try worker.open(2, Fixture.path("a.wav"))
    _ = try worker.decodedGeneration(2)
    #expect(worker.decodedGenerations.first { $0.generation == Generation(1) }?.end == nil)
  }

  @Test func worker_endsWithItsSocket() throws {
    var worker: WorkerProcess? = try WorkerProcess()
    try worker?.open(1, try longWave("lasting7.wav", seconds: 24))
    try worker?.wait(for: "opened", draining: false) { $0.info(of: 1) != nil }
    let pid = try #require(worker?.release())
    worker = nil
    var status: Int32 = -1
    #expect(waitpid(pid, &status, 0) == pid)
    #expect(status == 0, "it ended by itself, and in order")
  }

  /// The ring is full of end marks and has no PCM. The worker sleeps until there is room for the next mark.
  @Test func ringFullOfMarks_isWaitedFor() throws {
    let worker = try WorkerProcess()
    let marks: UInt32 = 256
    for generation in 1...marks {
      try worker.open(generation, Fixture.path("a.wav"), start: .seconds(5000))
      try worker.wait(for: "the end", draining: false) { $0.duration(of: generation) != nil }
    }
    try worker.open(marks + 1, Fixture.path("a.wav"), start: .seconds(5000))
    try worker.wait(for: "opened", draining: false) { $0.info(of: marks + 1) != nil }
    try worker.waitUntilIdle()
    #expect(worker.duration(of: marks + 1) == nil)
    #expect(try worker.decodedGeneration(marks + 1).bytes.isEmpty)
    #expect(worker.decodedGenerations.count == Int(marks) + 1)
  }
}
