// Decoding thread only.
package import SegueFFmpeg

/// The numbers of the frames of a FLAC file. They count samples, and libavformat makes timestamps of them. Where the rate
/// changes midway, or where several files were joined and the numbers begin again, they are no measure of time.
package enum FLACNumbering {
  /// How many places of a file are looked at: each costs one read.
  private static let places: Int64 = 16
  /// In bytes: more than two frames of many channels at a high rate.
  private static let mostRead: Int64 = 256 * 1024

  /// Whether frames throughout `file`, whose first begins at `start` and whose STREAMINFO is at `header`, have the rate
  /// of STREAMINFO and ascending numbers. A part that is shorter than a sixteenth of the file can be missed.
  package static func isMeasureOfTime(_ file: SourceFile, _ header: FLACStreamInfo, from start: Int64) -> Bool {
    guard let end = file.size, start < end else { return true }
    let reach = min(Self.mostRead, header.largestFrame > 0 ? 2 * header.largestFrame + 16 : 65_536)
    var last: Int64 = -1
    for place in 0..<Self.places {
      let bytes = file.bytes(at: start + (end - start) / Self.places * place, count: Int(reach))
      guard let frame = bytes.withUnsafeBytes({ pair(in: $0, header.blockSize) }) else { continue }
      // In a short file, one frame can be found from several places.
      guard frame.first >= last, frame.rate ?? header.rate == header.rate else { return false }
      last = frame.first
    }
    return true
  }

  /// The first frame in `bytes` that another follows: what only looks like a header of a frame has no such successor.
  private static func pair(in bytes: UnsafeRawBufferPointer, _ blockSize: Int64) -> FLACFrameHeader? {
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
