import Glibc
import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of files that other programs change while they are decoded: editors of tags, recorders and downloads.
@Suite struct ChangedFileTests {
  private let folder: TemporaryFolder
  /// A file whose audio fills the ring, so that the next one is certainly still being decoded.
  private let filler: FilePath

  init() throws {
    folder = try TemporaryFolder()
    filler = try folder.write("filler.wav", WaveFile.large)
  }

  /// Returns what is decoded of a file with the bytes `old` that is overwritten with `new` when its first frames are
  /// decoded.
  private func decode(
    _ name: String, _ old: [UInt8], thenOverwrittenWith new: [UInt8]
  ) throws -> (decoded: WorkerProcess.DecodedGeneration, worker: WorkerProcess) {
    let path = try folder.write(name, old)
    let worker = try WorkerProcess()
    try worker.open(1, filler)
    _ = try worker.bufferedBytesWhenIdle()
    try worker.open(2, path)
    try worker.wait(for: "the track to be opened", draining: false) { $0.info(of: 2) != nil }
    try worker.waitUntilIdle()
    try folder.write(name, new)
    return (try worker.decodedGeneration(2), worker)
  }

  private func decode(_ path: FilePath) throws -> WorkerProcess.DecodedGeneration {
    let worker = try WorkerProcess()
    try worker.open(1, path)
    return try worker.decodedGeneration(1)
  }

  /// Returns "fragments.m4a" or another file with its index in front, after a free box of `size` bytes that precedes
  /// the audio.
  private static func inserted(_ size: Int, into file: [UInt8], at position: Int) -> [UInt8] {
    let head = withUnsafeBytes(of: UInt32(size).bigEndian, Array.init) + Array("free".utf8)
    return joined(file[..<position], head, [UInt8](repeating: 0xA5, count: size - 8), file[position...])
  }

  /// A FLAC file with noise, whose comment block has `size` bytes.
  private static func flac(padding size: Int) -> [UInt8] {
    var file = FLACFile(FLACFile.Format(), total: 300 * FLACFile.blockSize)
    file.append(FLACFile.Format(), blocks: 300) { index, channel in
      (index &* 7919 &+ channel &* 104_729 &+ index / 3 &* 31) & 0x7FFF
    }
    let block = [0x81, UInt8(size >> 16), UInt8(size >> 8 & 0xFF), UInt8(size & 0xFF)] as [UInt8]
    // The header of STREAMINFO no longer says that it is the last block.
    return joined(
      file.bytes[..<4], [0], file.bytes[5..<42], block, [UInt8](repeating: 0, count: size), file.bytes[42...])
  }

  @Test func flacFile_continuesAfterItsTagHasGrown() throws {
    let (old, new) = (Self.flac(padding: 40), Self.flac(padding: 150_000))
    let whole = try decode(try folder.write("whole.flac", old))
    let (decoded, worker) = try decode("a.flac", old, thenOverwrittenWith: new)
    let isEqual = decoded.bytes == whole.bytes
    #expect(isEqual)
    #expect(decoded.end == whole.end)
    #expect(decoded.parts.count == 1)
    #expect(worker.interruption(of: 2) == nil)
  }

  @Test func mp3File_continuesAfterItsTagHasGrown() throws {
    let frames = (0..<12).flatMap { _ in (try? Fixture.bytes("long.untagged.mp3")) ?? [] }
    let tag = joined("ID3".utf8, [4, 0, 0, 0, 0, 0x10, 0], [UInt8](repeating: 0, count: 2_048))
    let large = joined("ID3".utf8, [4, 0, 0, 0, 7, 0x20, 0], [UInt8](repeating: 0, count: 7 << 14 | 0x20 << 7))
    let whole = try decode(try folder.write("whole.mp3", tag + frames))
    let (decoded, _) = try decode("a.mp3", tag + frames, thenOverwrittenWith: large + frames)
    #expect(decoded.end == whole.end)
    let samples = whole.parts.flatMap(\.samples)
    #expect(MaximumDifference.of(decoded.parts, to: samples[...]) < 0.0005)
  }

  @Test func mp4File_continuesAfterItsAudioWasMoved() throws {
    let old = try Fixture.bytes("fragments.m4a")
    let type = Array("moof".utf8)
    let at = try #require(old.indices.dropLast(4).first { old[$0..<$0 + 4].elementsEqual(type) }) - 4
    let whole = try decode(try folder.write("whole.m4a", old))
    let (decoded, _) = try decode("a.m4a", old, thenOverwrittenWith: Self.inserted(60_000, into: old, at: at))
    let isEqual = decoded.bytes == whole.bytes
    #expect(isEqual)
    #expect(decoded.end == whole.end)
  }

  /// The file has another format and length now.
  @Test func fileWithOtherContents_continuesAtTheSamePosition() throws {
    let old = WaveFile.bytes(seconds: 3)
    let new = Self.flac(padding: 40)
    let whole = try decode(try folder.write("whole.flac", new))
    let (decoded, worker) = try decode("a.wav", old, thenOverwrittenWith: new)
    let part = try #require(decoded.parts.first)
    #expect(decoded.end == whole.end)
    // What was decoded before is a little of the old file.
    let tail = part.bytes.count / 2
    let isEqual = part.bytes.suffix(tail).elementsEqual(whole.bytes.suffix(tail))
    #expect(isEqual)
    #expect(worker.duration(of: 2) == SampleRate.cd.time(of: whole.end ?? .zero))
  }

  @Test func fileThatIsReplacedByAnother_playsOn() throws {
    let (old, new) = (WaveFile.bytes(seconds: 3), WaveFile.bytes(seconds: 3, seed: 9))
    let path = try folder.write("a.wav", old)
    let worker = try WorkerProcess()
    try worker.open(1, filler)
    _ = try worker.bufferedBytesWhenIdle()
    try worker.open(2, path)
    try worker.wait(for: "the track to be opened", draining: false) { $0.info(of: 2) != nil }
    let other = try folder.write("b.wav", new)
    #expect(path.withCString { target in other.withCString { rename($0, target) } } == 0)
    let isEqual = try worker.decodedGeneration(2).bytes == Array(old[44...])
    #expect(isEqual)
  }

  private func append(_ bytes: [UInt8], to path: FilePath) throws {
    let file = try #require(path.withCString { fopen($0, "ae") })
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
  }

  /// All of the file is decoded when more is appended, but its end is not played yet.
  @Test(arguments: ["a.wav", "a.mp3"]) func growingFile_isPlayedToItsNewEnd(_ name: String) throws {
    var whole = WaveFile.bytes(seconds: 8)
    var half = 44 + 4 * 44_100 * 4
    if name == "a.mp3" {
      whole = (0..<3).flatMap { _ in (try? Fixture.bytes("long.untagged.mp3")) ?? [] }
      half = whole.count / 2
    } else {
      // A recorder does not know the size before it ends.
      for range in [4..<8, 40..<44] { whole.replaceSubrange(range, with: [0xFF, 0xFF, 0xFF, 0xFF]) }
    }
    let expected = try decode(try folder.write("whole-" + name, whole))
    let path = try folder.write(name, Array(whole[..<half]))
    let worker = try WorkerProcess()
    try worker.open(1, path)
    _ = try worker.bufferedBytesWhenIdle()
    try append(Array(whole[half...]), to: path)
    let decoded = try worker.decodedGeneration(1)
    #expect(decoded.end == expected.end)
    #expect(decoded.parts.count == 1)
    #expect(MaximumDifference.of(decoded.parts, to: expected.parts.flatMap(\.samples)[...]) < 0.0005)
    #expect(
      worker.events.contains {
        if case .decoding(_, .opened(let info)) = $0 { info.duration == worker.duration(of: 1) } else { false }
      })
  }

  // MARK: Requests that do not concern playback

  /// Lets `worker` carry out `command`, which reads the file at `path`. Meanwhile the file at `changed` is overwritten.
  private func overwrite(
    _ changed: FilePath, with bytes: [UInt8], while worker: WorkerProcess, executes command: WorkerCommand,
    _ paths: [FilePath]
  ) throws {
    try worker.waitUntilIdle()
    let before = try worker.bytesRead
    try worker.send(command, files: paths)
    while try worker.bytesRead - before < 1 << 20 {}
    kill(worker.pid, SIGSTOP)
    try folder.write(String(decoding: changed.lastComponent, as: UTF8.self), bytes)
    kill(worker.pid, SIGCONT)
  }

  @Test func loudnessOfAFileThatIsRewritten_isThatOfItsNewBytes() throws {
    func source(_ path: FilePath) -> MediaSource { MediaSource(name: "loud.wav") }
    let new = WaveFile.bytes(seconds: 3)
    let path = try folder.write("loud.wav", WaveFile.bytes(seconds: 240))
    let worker = try WorkerProcess(ring: false)
    let command = WorkerCommand.request(ticket: 1, .measure(source(path), isFirst: true))
    try overwrite(path, with: new, while: worker, executes: command, [path])
    guard case .response(1, .measured(let gain)) = try worker.nextEvent() else { throw Unexpected("\(worker.events)") }
    try worker.send(.request(ticket: 2, .measure(source(path), isFirst: true)), file: path)
    #expect(try worker.nextEvent() == .response(ticket: 2, .measured(gain)))
  }

  /// The first file of the command takes long enough.
  @Test func scanOfAFileThatIsRewritten_findsItsNewBytes() throws {
    let link = try Fixture.bytes("long.opus")
    let pair = link + OggFile.withSerial(link, 77)
    let large = try folder.write(
      "large.opus", [[UInt8]](repeating: pair, count: (30 << 20) / pair.count).flatMap { $0 })
    let path = try folder.write("tagged.mka", try Fixture.bytes("long.vorbis.mka"))
    let worker = try WorkerProcess(ring: false)
    let new = Array(try Fixture.bytes("long.vorbis.mka").dropLast(1000))
    let command = WorkerCommand.request(ticket: 1, .scan(names: ["large.opus", "tagged.mka"]))
    try overwrite(path, with: new, while: worker, executes: command, [large, path])
    var results: [ScanResult] = []
    while results.count < 2 {
      if case .response(_, .scanned(let some)) = try worker.nextEvent() { results += some }
    }
    guard case .facts(let facts) = results[1] else { throw Unexpected("\(results[1])") }
    #expect(facts.info.audio.codec == "vorbis")
  }
}
