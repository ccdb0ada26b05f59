import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of cue sheets in tags.
@Suite struct CueSheetTagTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func sheet(_ name: String, _ bytes: [UInt8]) throws -> String? {
    try Fixture.facts(of: folder.write(name, bytes)).cueSheet
  }

  private static let text = "TITLE \"Альбом\"\r\nTRACK 01 AUDIO\r\n  INDEX 01 00:00:00\r\n"
  private static let lines = "TITLE \"Альбом\"\nTRACK 01 AUDIO\n  INDEX 01 00:00:00"

  @Test func aSheetInAnAPETagIsRead() throws {
    let tag = TagBytes.ape([("Title", "Album"), ("Cuesheet", Self.text)])
    for name in ["a.wv", "frames.tta", "long.mpc"] {
      #expect(try sheet(name, Fixture.bytes(name) + tag) == Self.lines, "\(name)")
    }
  }

  @Test func aSheetInVorbisCommentsIsRead() throws {
    let flac = try Fixture.bytes("a.flac")
    #expect(try sheet("a.flac", FLACTags.replace(flac, [("cuesheet", Self.text)])) == Self.lines)
    // A picture in the comments: TagLib reads them.
    let picture = ("METADATA_BLOCK_PICTURE", "AAAAAwAAAAA=")
    #expect(try sheet("b.flac", FLACTags.replace(flac, [("CUESHEET", Self.text), picture])) == Self.lines)
  }

  @Test func aSheetInAnID3TagIsRead() throws {
    let frame = TagBytes.text("TXXX", "CUESHEET\0" + Self.text)
    #expect(try sheet("a.mp3", TagBytes.id3v2(frame) + Fixture.bytes("long.cbr.mp3")) == Self.lines)
  }

  /// Returns a FLAC file with a metadata block of tracks with their first samples (RFC 9639, 8.7).
  private static func flac(_ tracks: [(number: UInt8, flags: UInt8, indexes: [Int], offset: Int)]) throws -> [UInt8] {
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    var block = joined(zeros(128), TagBytes.bigEndian(0, bytes: 8), [0x80], zeros(258), [UInt8(tracks.count + 1)])
    for track in tracks {
      block += joined(TagBytes.bigEndian(track.offset, bytes: 8), [track.number], zeros(12), [track.flags], zeros(13))
      block += [UInt8(track.indexes.count)]
      for (index, distance) in track.indexes.enumerated() {
        block += joined(TagBytes.bigEndian(distance, bytes: 8), [UInt8(index + 2 - track.indexes.count)], zeros(3))
      }
    }
    block += joined(TagBytes.bigEndian(1 << 30, bytes: 8), [170], zeros(26), [0])
    let flac = FLACTags.replace(try Fixture.bytes("a.flac"), [])
    return joined(flac[..<42], [5], TagBytes.bigEndian(block.count, bytes: 3), block, flac[42...])
  }

  @Test func theCueSheetBlockOfFLACIsReadIfNoTagHasASheet() throws {
    let rate = try Fixture.facts(of: folder.write("rate.flac", Fixture.bytes("a.flac"))).info.audio.sampleRate
    let bytes = try Self.flac([
      (1, 0, [0], 0), (2, 0, [0, rate * 2], rate * 60), (3, 0x80, [0], rate * 3661 + rate / 75 * 10),
    ])
    #expect(
      try sheet("block.flac", bytes)
        == """
        TRACK 1 AUDIO
        INDEX 1 0:0:0
        TRACK 2 AUDIO
        INDEX 0 1:0:0
        INDEX 1 1:2:0
        TRACK 3 MODE1/2352
        INDEX 1 61:1:10

        """)
  }

  @Test func aSheetThatIsTooLongIsIgnored() throws {
    let flac = try Fixture.bytes("a.flac")
    let long = String(repeating: "REM x\n", count: 20_000)
    #expect(try sheet("long.flac", FLACTags.replace(flac, [("CUESHEET", long), ("TITLE", "x")])) == nil)
  }

  @Test func damagedBlocksOfFLACAreHarmless() throws {
    let bytes = try Self.flac([(1, 0, [0], 0), (2, 0, [0], 1 << 60)])
    #expect(try sheet("far.flac", bytes) == "TRACK 1 AUDIO\nINDEX 1 0:0:0\nTRACK 2 AUDIO\n")
    for size in [60, 441, 480] { _ = try? sheet("cut.flac", Array(bytes.prefix(size))) }
  }
}
