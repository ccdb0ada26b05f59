import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of files whose headers are wrong or far too large. The tracks before and after them are played completely.
@Suite struct MisleadingFileTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture() }

  /// Returns an MPEG file with another frame count in its Xing header.
  private func lyingMP3() throws -> [UInt8] {
    var bytes = try AudioFile.read(Repository.fixture("a.mp3"))
    let tag = try #require(bytes.indices.dropLast(8).first { bytes[$0..<$0 + 4].elementsEqual("Info".utf8) })
    // One hour of frames with 1,152 samples at 44.1 kHz.
    bytes.replaceSubrange(tag + 8..<tag + 12, with: [0, 0x02, 0x1B, 0x47])
    return bytes
  }

  private func id3(_ frame: String, claiming size: Int, _ body: [UInt8]) -> [UInt8] {
    let total = size + 10
    let shifts = [21, 14, 7, 0]
    return joined(
      "ID3\u{3}\0\0".utf8, shifts.map { UInt8(total >> $0 & 0x7F) }, frame.utf8,
      [24, 16, 8, 0].map { UInt8(size >> $0 & 0xFF) }, [0, 0], body)
  }

  @Test func aFileThatClaimsAnHourEndsAfterItsAudio() throws {
    try fixture.write("b.mp3", try lyingMP3())
    let good = try fixture.album([20_000, 20_000])
    try fixture.add([good[0], fixture.folder.appending("b.mp3"), good[1]])
    let second = try fixture.client.call("list")["tracks"]?.elements?[1]["duration"]?.double ?? 0
    #expect(second < 1, "the number of frames is compared with the size of the file")
    try fixture.call("play")
    try fixture.recording.wait(for: "the last track") { $0.sound.last?.end == 40_000 }
    #expect(fixture.recording.recordedFrames.sound.first == RecordedFrames.Run(first: 0, count: 20_000))
    #expect(fixture.recording.recordedFrames.sound.last == RecordedFrames.Run(first: 20_000, count: 20_000))
    let track = try #require(try fixture.client.call("list")["tracks"]?.elements?[1])
    #expect(track["error"]?.isNull == true)
    #expect(track["durationKind"]?.string == "exact" && (track["duration"]?.double ?? 0) < 1)
  }

  /// The file claims an hour and contains a minute, and its end has not been played yet.
  @Test func aSeekBeyondTheAudioPlaysTheNextTrack() throws {
    let bytes = try lyingMP3()
    let music = try AudioFile.read(Repository.fixture("b.mp3"))
    try fixture.write("c.mp3", bytes + [[UInt8]](repeating: music, count: 60).joined())
    let ids = try fixture.add([fixture.folder.appending("c.mp3"), try fixture.track("next", 0..<20_000)], play: true)
    try fixture.call("pause")
    try fixture.call("seek", #"{"position":1800}"#)
    try fixture.call("play")
    try fixture.wait { $0.track?.id == UInt64(ids[1]) }
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound.last == RecordedFrames.Run(first: 0, count: 20_000))
  }

  @Test func headersOfHundredsOfMegabytesAreHarmless() throws {
    let music = try AudioFile.read(Repository.fixture("a.mp3"))
    // A large header with its data, one without, and a cover of 60 MB.
    let claimed = try fixture.write("claimed.mp3", id3("TIT2", claiming: 200 << 20, music))
    let cover = [UInt8](repeating: 7, count: 60 << 20)
    let large = try fixture.write("large.mp3", id3("APIC", claiming: cover.count, cover) + music)
    let sparse = try fixture.write("sparse.mp3", id3("TIT2", claiming: 200 << 20, []))
    _ = sparse.withCString { truncate($0, 200 << 20 + 20) }
    try AudioFile.append(music, to: sparse)
    let good = try fixture.album([20_000, 20_000])
    let uris = [good[0], claimed, large, sparse, good[1]].map(FileURI.encode)
    let response = try fixture.client.call("queue.add", #"{"uris":\#(fixture.list(uris)),"play":true}"#)
    let refused = response["failed"]?.elements ?? []
    #expect(refused.allSatisfy { $0["message"]?.string?.isEmpty == false })
    #expect((response["added"]?.count ?? 0) + refused.count == 5)
    try fixture.recording.wait(for: "the last track") { $0.sound.last?.end == 40_000 }
    #expect(fixture.recording.recordedFrames.sound.first == RecordedFrames.Run(first: 0, count: 20_000))
    #expect(fixture.recording.recordedFrames.sound.last == RecordedFrames.Run(first: 20_000, count: 20_000))
    for track in try fixture.client.call("list")["tracks"]?.elements ?? [] {
      #expect(track["error"]?.string?.isEmpty != true)
      #expect(track["metadata"]?["title"]?.string?.utf8.count ?? 0 <= Metadata.maximumTextSize)
    }
  }

  @Test func aFileNameOf255BytesThatAreNotUTF8IsPlayed() throws {
    let path = fixture.folder.appending([UInt8](repeating: 0xFE, count: 251) + Array(".wav".utf8))
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<20_000)), to: path)
    try fixture.add([path], play: true)
    #expect(try fixture.status().track?.uri == FileURI.encode(path))
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 20_000)])
  }
}
