// Decoding thread only.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWire

/// The first frame of an MPEG audio layer 3 file, and what is said in it of all the others.
struct MPEGFirstFrame {
  let header: MPEGFrameHeader
  private let tag: GaplessTag.Xing?
  private let offset: Int64

  /// nil if no frame lies at `offset`, where the tags in front end.
  init?(_ file: SourceFile, at offset: Int64) {
    guard let header = MPEGFrameIndex.header(in: file, at: offset) else { return nil }
    // Four bytes look like a header by chance; two in a row hardly do.
    guard let next = MPEGFrameIndex.header(in: file, at: offset + Int64(header.size)), next.kind == header.kind else {
      return nil
    }
    self.header = header
    self.offset = offset
    var frame = [UInt8](repeating: 0, count: 512)
    let count = frame.withUnsafeMutableBytes { file.peek(at: offset, into: $0) }
    frame.removeLast(frame.count - count)
    tag = GaplessTag.Xing(frame, header: header)
  }

  /// Of the first frame, unless the tag tells the average.
  var bitRate: Int? {
    if let tag, let frames = tag.frameCount, let bytes = tag.byteCount, frames > 0, bytes > 0, bytes < 1 << 40 {
      return Int(Double(bytes) * 8 * Double(header.rate) / (Double(frames) * Double(header.samples)))
    }
    return header.bitRate
  }

  /// Delay and padding are stated here, so that no other tag for them counts.
  var isMarked: Bool { tag?.delayAndPadding != nil }

  /// Returns the length of `file`. If it does not state its number of frames, some of them are enough for a library.
  func length(of file: SourceFile) -> MPEGLength {
    MPEGLength(file, header, at: offset, tag: tag, most: tag == nil ? Self.mostWalked : .max, isMarked: true)
  }

  /// Returns how much of the length that `iTunes` states is there.
  func coverage(of stated: GaplessTag, in file: SourceFile) -> Coverage {
    MPEGLength(file, header, at: offset, tag: nil, most: Self.mostWalked, isMarked: false).coverage(of: stated)
  }

  private static let mostWalked: Int64 = 128 * 1024
}
