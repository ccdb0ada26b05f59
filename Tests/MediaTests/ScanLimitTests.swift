import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of the limits of the library's scan: huge tags affect neither other files nor the daemon.
@Suite struct ScanLimitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns a size as in ID3v2.4, with seven bits per byte.
  private func size(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) } }

  private func text(_ id: String, _ text: String) -> [UInt8] {
    joined(id.utf8, size(text.utf8.count + 1), [0, 0, 3], text.utf8)
  }

  /// A command has sixteen files with the maximum size of texts, which together exceed a packet.
  @Test func manyLongTexts_fitTheirPackets() throws {
    let long = String(repeating: "\"\\", count: 600)
    let frames = ["TSOT", "TSOP", "TSOA", "TSO2", "TDOR"].flatMap { text($0, long) }
    let music = try Fixture.bytes("a.mp3")
    var paths: [FilePath] = []
    for index in 0..<WorkerRequest.maximumScanFiles {
      paths.append(
        try folder.write("\(index).mp3", joined("ID3".utf8, [4, 0, 0], size(frames.count), frames, music)))
    }
    let worker = try WorkerProcess(ring: false)
    let results = try worker.scan(paths)
    #expect(results.count == paths.count)
    for case .facts(let facts) in results { #expect(facts.details.titleSort?.utf8.count == Metadata.maximumTextSize) }
    #expect(worker.events.count > 1)
  }

  /// TagLib makes a second copy of an unsynchronised tag, for which a worker does not have enough memory.
  @Test(.disabled(if: Sanitizer.isOn, "a sanitizer ends whoever asks for too much"))
  func tagThatExceedsTheMemoryLimit_doesNotEndTheWorker() throws {
    let count = 1 << 28 - 1
    let path = try folder.write(
      "huge.mp3", joined("ID3".utf8, [3, 0, 0x80], size(count), "TIT2".utf8, [0, 0, 0, 2, 0, 0, 0, 0x41]))
    let file = try #require(path.withCString { fopen($0, "r+b") })
    fseek(file, 10 + count, SEEK_SET)
    let music = try Fixture.bytes("a.mp3")
    fwrite(music, 1, music.count, file)
    fclose(file)
    let worker = try WorkerProcess(ring: false)
    let results = try worker.scan([path, Fixture.path("a.flac")])
    #expect(results.count == 2)
    guard case .facts(let facts) = results.last else {
      Issue.record("\(results)")
      return
    }
    #expect(facts.info.audio.codec == "flac")
  }
}
