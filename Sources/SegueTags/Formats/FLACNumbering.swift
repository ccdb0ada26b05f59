// Thread: the decoding thread.
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
  package static func isReliable(_ file: FileInput, _ header: FLACStreamInfo, from start: Int64) -> Bool {
    guard let end = file.size, start < end else { return true }
    var last: Int64 = -1
    for place in 0..<Self.places {
      let position = start + (end - start) / Self.places * place
      guard let frame = firstFrame(in: file, at: position, header)?.frame else { continue }
      // In a short file, the same frame may be found from several positions.
      guard frame.first >= last, frame.rate ?? header.rate == header.rate else { return false }
      last = frame.first
    }
    return true
  }

  /// Returns the first frame of `file` at `position` or after it.
  static func firstFrame(
    in file: FileInput, at position: Int64, _ header: FLACStreamInfo
  ) -> (offset: Int64, frame: FLACFrameHeader)? {
    let reach = min(Self.maximumReadSize, header.maximumFrameSize > 0 ? 2 * header.maximumFrameSize + 16 : 65_536)
    return file.bytes(at: position, count: Int(reach)).withUnsafeBytes { bytes in
      firstConfirmedFrame(in: bytes, header.blockSize).map { (position + Int64($0.offset), $0.frame) }
    }
  }

  /// Returns the first frame in `bytes` that another frame follows. Bytes that only look like a frame header have no
  /// such successor.
  private static func firstConfirmedFrame(
    in bytes: UnsafeRawBufferPointer, _ blockSize: Int64
  ) -> (offset: Int, frame: FLACFrameHeader)? {
    var frames: [(offset: Int, frame: FLACFrameHeader)] = []
    for at in 0..<max(0, bytes.count - 10) where bytes[at] == 0xFF {
      guard let frame = FLACFrameHeader(UnsafeRawBufferPointer(rebasing: bytes[at...]), blockSize) else { continue }
      if let first = frames.first(where: {
        $0.frame.first + $0.frame.count == frame.first && $0.frame.rate == frame.rate
      }) {
        return first
      }
      if frames.count < 64 { frames.append((at, frame)) }
    }
    return nil
  }
}
