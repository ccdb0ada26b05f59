import SegueTestKit

/// A file that cannot be played, which is made from a complete one, and the reason that is expected.
enum UnplayableFile: CaseIterable {
  case movieWithoutIndex, movieWithTruncatedIndex, movieWithoutAudio, flacWithoutAudio, truncatedOgg, tagWithoutAudio,
    truncatedWithinTag,
    zeros

  var fileExtension: String {
    switch self {
    case .movieWithoutIndex, .movieWithTruncatedIndex, .movieWithoutAudio: "m4a"
    case .flacWithoutAudio: "flac"
    case .truncatedOgg: "ogg"
    case .tagWithoutAudio, .truncatedWithinTag, .zeros: "mp3"
    }
  }

  var reason: String {
    switch self {
    case .movieWithoutIndex: "its MP4 index is missing because the file is truncated"
    case .movieWithTruncatedIndex: "its MP4 index is truncated"
    case .movieWithoutAudio: "none of its audio can be decoded; it may be truncated"
    case .flacWithoutAudio: "its FLAC header cannot be read, or no audio follows it"
    case .truncatedOgg: "its Ogg header cannot be read, or no audio follows it"
    case .tagWithoutAudio: "no audio follows its ID3 tag"
    case .truncatedWithinTag: "it ends within its ID3 tag, before any audio"
    case .zeros: "it contains zeros instead of audio"
    }
  }

  func bytes() throws -> [UInt8] {
    switch self {
    case .movieWithoutIndex: return Array(try Fixture.bytes("long.m4a").prefix(8000))
    case .movieWithTruncatedIndex: return try Fixture.bytes("long.m4a").dropLast(200)
    case .movieWithoutAudio: return try Self.movieWithoutAudio()
    case .flacWithoutAudio: return Array(try Fixture.bytes("long.flac").prefix(42))
    case .truncatedOgg: return Array(try Fixture.bytes("long.ogg").prefix(300))
    case .tagWithoutAudio: return joined(Self.tag(of: 100), [UInt8](repeating: 0, count: 100), "no audio".utf8)
    case .truncatedWithinTag: return Self.tag(of: 5000) + [UInt8](repeating: 0, count: 100)
    case .zeros: return [UInt8](repeating: 0, count: 100_000)
    }
  }

  /// Returns the header of an ID3v2 tag that states `size` bytes.
  private static func tag(of size: Int) -> [UInt8] {
    Array("ID3\u{3}\0\0".utf8) + [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
  }

  /// Returns the boxes of an MP4 file without its media data.
  private static func movieWithoutAudio() throws -> [UInt8] {
    let whole = try Fixture.bytes("long.m4a")
    var kept: [UInt8] = []
    var position = 0
    while position + 8 <= whole.count {
      let size = whole[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let isMedia = whole[position + 4..<position + 8].elementsEqual("mdat".utf8)
      kept += isMedia ? [0, 0, 0, 8] + Array("mdat".utf8) : Array(whole[position..<position + size])
      position += size
    }
    return kept
  }
}
