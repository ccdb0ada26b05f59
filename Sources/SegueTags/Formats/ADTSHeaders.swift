// Decoding thread only.
package import SegueFFmpeg

/// The headers of the frames of an ADTS file (ISO/IEC 14496-3, 1.A.2.2). libavformat takes all frames for equally long,
/// which they are only while the rate stays the same.
package enum ADTSHeaders {
  /// Sample frames of a block at the rate that the header states.
  private static let blockSize = 1024.0

  /// Whether the first `seconds` of `file`, whose first frame begins at `start`, have one rate. Damaged audio may have
  /// any.
  package static func haveOneRate(_ file: SourceFile, from start: Int64, lasting seconds: Double) -> Bool {
    var (position, elapsed) = (start, 0.0)
    var first: Int?
    while elapsed < seconds, let word = file.bigEndian(at: position, bytes: 7) {
      // The segments of an HTTP live stream begin with a tag each.
      if let tag = ID3v2Tag.Header(file, at: position) {
        position = tag.end
        continue
      }
      let index = Int(word >> 34 & 15)
      let size = word >> 13 & 0x1FFF
      guard word >> 44 == 0xFFF, word >> 41 & 3 == 0, size >= 7, index < MPEG4Audio.rates.count else { return false }
      guard first == nil || first == index else { return false }
      first = index
      elapsed += Double(word & 3 + 1) * blockSize / Double(MPEG4Audio.rates[index])
      position += size
    }
    return true
  }
}
