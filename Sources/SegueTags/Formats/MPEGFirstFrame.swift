// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWire

/// The first frame of an MPEG audio file, and the properties of the stream that it states.
struct MPEGFirstFrame {
  let header: MPEGFrameHeader
  private let tag: GaplessTag.Xing?
  private let offset: Int64

  /// Returns nil if there is no frame at `offset`, where the leading tags end.
  init?(_ file: FileInput, at offset: Int64) {
    guard let header = MPEGFrameIndex.header(in: file, at: offset) else { return nil }
    // Four bytes may look like a header by chance. Two headers in sequence hardly do.
    guard let next = MPEGFrameIndex.header(in: file, at: offset + Int64(header.size)), next.kind == header.kind else {
      return nil
    }
    self.header = header
    self.offset = offset
    var frame = [UInt8](repeating: 0, count: 512)
    let count = frame.withUnsafeMutableBytes { file.peek(at: offset, into: $0) }
    frame.removeLast(frame.count - count)
    tag = header.layer == 3 ? GaplessTag.Xing(frame, header: header) : nil
  }

  /// The bit rate of the first frame, or the average that its tag states.
  var bitRate: Int? {
    if let tag, let frames = tag.frameCount, let bytes = tag.byteCount, frames > 0, bytes > 0, bytes < 1 << 40 {
      return Int(Double(bytes) * 8 * Double(header.rate) / (Double(frames) * Double(header.samples)))
    }
    return header.bitRate
  }

  /// Whether the frame states delay and padding. If so, no other tag is used for them.
  var statesDelay: Bool { tag?.delayAndPadding != nil }

  /// Returns the length of `file`. If the number of frames is not stated, it is estimated from the first frames, which
  /// is sufficient for the library.
  func length(of file: FileInput) -> MPEGLength {
    MPEGLength(
      file, header, at: offset, tag: tag, limit: tag == nil ? Self.maximumScannedSize(file) : .max, trims: true,
      .thorough)
  }

  /// Returns the part of the audio that `file` contains, according to the tag `stated`.
  func coverage(of stated: GaplessTag, in file: FileInput) -> Coverage {
    MPEGLength(file, header, at: offset, tag: nil, limit: Self.maximumScannedSize(file), trims: false, .thorough)
      .coverage(of: stated)
  }

  /// Returns the number of bytes in which frames are counted: those of a small file, and some of a large one.
  private static func maximumScannedSize(_ file: FileInput) -> Int64 {
    file.size ?? 0 <= smallSize ? .max : 128 << 10
  }

  private static let smallSize: Int64 = 2 << 20
}
