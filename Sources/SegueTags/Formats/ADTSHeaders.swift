// Decoding thread only.
package import SegueFFmpeg

/// The headers of the frames of an ADTS file (ISO/IEC 14496-3, 1.A.2.2). libavformat assumes that all frames have the
/// same duration, which is true only if the rate does not change.
package enum ADTSHeaders {
  /// The number of samples per channel of a block, at the rate that the header states.
  private static let blockSize = 1024.0

  /// Returns whether the first `seconds` of `file`, whose first frame begins at `start`, have the same rate. If the
  /// audio is damaged, returns false.
  package static func haveConstantRate(_ file: SourceFile, from start: Int64, lasting seconds: Double) -> Bool {
    var (position, elapsed) = (start, 0.0)
    var first: Int?
    while elapsed < seconds, let word = file.bigEndian(at: position, bytes: 7) {
      // Each segment of an HTTP live stream begins with a tag.
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
