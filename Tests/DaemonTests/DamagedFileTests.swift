import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of playback and reports of files that cannot be decoded to their end, or whose format changes.
@Suite struct DamagedFileTests {
  private let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture() }

  /// Returns numbered frames as FLAC, `blocks` blocks from block `first` on.
  private func append(_ blocks: Range<Int>, to file: inout FLACFile) {
    file.append(.init(), blocks: blocks.count) { frame, channel in
      let number = blocks.lowerBound * FLACFile.blockSize + frame + 1
      return channel == 0 ? number & 0xFFFF : number >> 16
    }
  }

  @Test func aTruncatedFilePlaysToItsEndAndReportsTheReason() throws {
    var file = FLACFile(.init(), total: 200 * FLACFile.blockSize)
    append(0..<100, to: &file)
    let path = try fixture.write("cut.flac", Array(file.bytes.dropLast(1000)))
    let next = 99 * FLACFile.blockSize
    try fixture.add([path, try fixture.track("next", next..<(next + 20_000))], play: true)
    let status = try fixture.wait { $0.track?.errorKind != nil }
    let message = "decoding stopped at 0:02 of 0:04: the file is truncated or damaged there"
    #expect(status.track?.errorKind == .decodingStopped)
    #expect(status.track?.error?.text == message)
    #expect(try fixture.client.call("list")["tracks"]?.elements?[0]["errorKind"]?.string == "decoding_stopped")
    #expect(fixture.daemon.errors.contains("cut.flac: \(message)"))
    // No frame is missing at the boundary.
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: next + 20_000)])
    // A part of the track is playable, so it is not skipped in the next round.
    try fixture.call("repeat", #"{"mode":"all"}"#)
    try fixture.call("play", #"{"index":1}"#)
    #expect(try fixture.call("next").index == 0)
  }

  /// The stream is not reopened, so there is no silence.
  @Test func aChangeOfTheRateWithinATrackIsGapless() throws {
    var file = FLACFile(.init(), total: 80 * FLACFile.blockSize)
    append(0..<30, to: &file)
    file.append(.init(rate: 22_050), blocks: 10) { _, _ in 0x2121 }
    append(50..<80, to: &file)
    try fixture.add([try fixture.write("changing.flac", file.bytes)], play: true)
    try fixture.recording.waitForSilence()
    let block = FLACFile.blockSize
    let runs = fixture.recording.recordedFrames.runs.drop { $0.first == nil }.dropLast()
    #expect(runs.first == RecordedFrames.Run(first: 0, count: 30 * block))
    #expect(runs.last == RecordedFrames.Run(first: 50 * block, count: 30 * block))
    #expect(runs.allSatisfy { $0.first != nil }, "\(fixture.recording.recordedFrames)")
    #expect(abs(runs.reduce(0) { $0 + $1.count } - 80 * block) <= 2)
    #expect(try fixture.errors() == [nil])
  }
}
