internal import SegueSystem

/// The numbers of the segments of a live stream of HLS (EXT-X-MEDIA-SEQUENCE), by which the demuxer finds its position
/// in a manifest that was requested again. An encoder that is started again numbers its segments anew: the demuxer
/// would wait until the numbers that it knows come again, which may be days.
final class MediaSequence {
  /// The number of the first segment of the last manifest, as the demuxer knows it, and that of the segment after the
  /// last one.
  private var last: Range<Int64>?
  /// What is added to the numbers of the server.
  private var offset: Int64 = 0

  private static let tag = "#EXT-X-MEDIA-SEQUENCE:"
  /// Larger numbers are left as they are. Those of the milliseconds since 1970 are a millionth of it.
  private static let maximum: Int64 = 1 << 61

  /// Returns a manifest with `count` segments, with its numbers changed so that the segments follow those of the last
  /// manifest if the server numbers them anew. A manifest from a server that is some segments behind stays as it is.
  func continued(_ manifest: [UInt8], _ count: Int) -> [UInt8] {
    let digits = manifest.range(of: Self.tag.utf8).map { tag in
      tag.upperBound..<(manifest[tag.upperBound...].firstIndex { !(0x30...0x39).contains($0) } ?? manifest.endIndex)
    }
    // Without the tag, the first segment of every manifest has the number 0.
    guard let digits, let stated = Int64(String(decoding: manifest[digits], as: UTF8.self)) else { return manifest }
    let first = min(stated, Self.maximum) + offset
    let end = first + Int64(count)
    guard end < Self.maximum else { return manifest }
    if let last, end <= last.lowerBound {
      offset += last.upperBound - first
      self.last = last.upperBound..<(last.upperBound + Int64(count))
    } else {
      last = first..<end
    }
    guard offset != 0, let last else { return manifest }
    return manifest[..<digits.lowerBound] + Array(String(last.lowerBound).utf8) + manifest[digits.upperBound...]
  }
}
