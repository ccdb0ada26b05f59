// Decoding thread only.
package import SegueFFmpeg

/// The sample numbers at which the frames of a FLAC file begin, and from which libavformat derives timestamps. If the
/// rate changes, or if the numbers restart because several files were joined, the timestamps do not state the time.
package enum FLACNumbering {
  /// The number of positions that are examined. Each costs one read.
  private static let places: Int64 = 16
  /// The maximum size of a read in bytes: more than two frames of many channels at a high rate.
  private static let maximumReadSize: Int64 = 256 * 1024

  /// Returns whether frames throughout `file` have the rate of STREAMINFO and ascending numbers. The first frame begins
  /// at `start`. A part that is shorter than a sixteenth of the file may be missed.
  package static func isReliable(_ file: SourceFile, _ header: FLACStreamInfo, from start: Int64) -> Bool {
    guard let end = file.size, start < end else { return true }
    let reach = min(Self.maximumReadSize, header.maximumFrameSize > 0 ? 2 * header.maximumFrameSize + 16 : 65_536)
    var last: Int64 = -1
    for place in 0..<Self.places {
      let bytes = file.bytes(at: start + (end - start) / Self.places * place, count: Int(reach))
      guard let frame = bytes.withUnsafeBytes({ firstConfirmedFrame(in: $0, header.blockSize) }) else { continue }
      // In a short file, the same frame may be found from several positions.
      guard frame.first >= last, frame.rate ?? header.rate == header.rate else { return false }
      last = frame.first
    }
    return true
  }

  /// Returns the first frame in `bytes` that another frame follows. Bytes that only look like a frame header have no
  /// such successor.
  private static func firstConfirmedFrame(
    in bytes: UnsafeRawBufferPointer, _ blockSize: Int64
  ) -> FLACFrameHeader? {
    var frames: [FLACFrameHeader] = []
    for at in 0..<max(0, bytes.count - 10) where bytes[at] == 0xFF {
      guard let frame = FLACFrameHeader(UnsafeRawBufferPointer(rebasing: bytes[at...]), blockSize) else { continue }
      if let first = frames.first(where: { $0.first + $0.count == frame.first && $0.rate == frame.rate }) {
        return first
      }
      if frames.count < 64 { frames.append(frame) }
    }
    return nil
  }
}
