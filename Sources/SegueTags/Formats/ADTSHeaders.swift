// Thread: the decoding thread.
package import SegueFFmpeg

/// The headers of the frames of an ADTS file (ISO/IEC 14496-3, 1.A.2.2). libavformat assumes that all frames have the
/// same duration, which is true only if the rate does not change.
package enum ADTSHeaders {
  /// The number of samples per channel of a block, at the rate that the header states.
  private static let blockSize = 1024.0

  /// The number of bytes of a header without a checksum.
  package static let size = 7

  /// Reads the header of a frame. Returns the bits that are the same in all frames of a stream (version, profile and
  /// rate) and the size of the frame in bytes; nil if the bytes do not begin with a header.
  package static func frame(_ bytes: UnsafeRawBufferPointer) -> (kind: UInt32, size: Int)? {
    guard bytes.count >= size else { return nil }
    return Header(bytes[..<size].reduce(0) { $0 << 8 | UInt64($1) }).map { ($0.kind, $0.frameSize) }
  }

  private struct Header {
    let kind: UInt32
    let frameSize: Int
    let rate: Int
    let blockCount: Int

    /// Reads a header of 56 bits. Returns nil if the word is none.
    init?(_ word: UInt64) {
      let index = Int(word >> 34 & 15)
      frameSize = Int(word >> 13 & 0x1FFF)
      guard word >> 44 == 0xFFF, word >> 41 & 3 == 0, frameSize >= ADTSHeaders.size, index < MPEG4Audio.rates.count
      else {
        return nil
      }
      kind = UInt32(word >> 32 & 0xFF_FFFC)
      rate = MPEG4Audio.rates[index]
      blockCount = Int(word & 3) + 1
    }
  }

  /// Returns whether the first `seconds` of `file`, whose first frame begins at `start`, have the same rate. If the
  /// audio is damaged, returns false.
  package static func haveConstantRate(_ file: FileInput, from start: Int64, lasting seconds: Double) -> Bool {
    var (position, elapsed) = (start, 0.0)
    var first: Int?
    while elapsed < seconds, let word = file.bigEndian(at: position, bytes: size) {
      // Each segment of an HTTP live stream begins with a tag.
      if let tag = ID3v2Tag.Header(file, at: position) {
        position = tag.end
        continue
      }
      guard let header = Header(UInt64(truncatingIfNeeded: word)), first ?? header.rate == header.rate else {
        return false
      }
      first = header.rate
      elapsed += Double(header.blockCount) * blockSize / Double(header.rate)
      position += Int64(header.frameSize)
    }
    return true
  }
}
