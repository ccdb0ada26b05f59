// Thread: the decoding thread.
internal import Glibc
internal import SegueFFmpeg

/// The frames of a small FLAC file (RFC 9639, 9), all of which are found by their checksums.
struct FLACFrameChain {
  /// The number of samples per channel of the intact frames.
  private(set) var samples: Int64 = 0
  /// Whether the frames follow each other without other bytes, and have consecutive numbers from the first one on.
  private(set) var isConsecutive = true
  /// The number of the first sample.
  private(set) var firstSample: Int64 = 0

  /// The maximum size in bytes of a file whose frames are all found.
  static let maximumSize: Int64 = 2 << 20
  /// The number of bytes of which checksums are computed at most, relative to those among which frames are looked for.
  /// A damaged frame may cost those of many others.
  static let maximumWork = 16

  /// Finds the frames of `file` from `start` to `end`. Returns nil if the file is too large or takes too long.
  init?(_ file: FileInput, _ blockSize: Int64, from start: Int64, to end: Int64) {
    guard start < end, end - start <= Self.maximumSize, let bytes = file.bytes(start..<end) else { return nil }
    let isFound = bytes.withUnsafeBytes { find(in: $0, blockSize) }
    guard isFound else { return nil }
  }

  private mutating func find(in bytes: UnsafeRawBufferPointer, _ blockSize: Int64) -> Bool {
    var work = Self.maximumWork * bytes.count
    var next: Int64?
    var rate: Int64??
    var position = 0
    while let (at, frame) = Self.header(in: bytes, from: position, blockSize) {
      if at != position, next != nil { isConsecutive = false }
      guard let end = Self.end(in: bytes, from: at, blockSize, &work) else {
        guard work > 0 else { return false }
        isConsecutive = false
        position = at + 1
        continue
      }
      if next == nil { firstSample = frame.first }
      isConsecutive = isConsecutive && frame.first == next ?? frame.first && frame.rate == rate ?? frame.rate
      rate = frame.rate
      next = frame.first + frame.count
      samples += frame.count
      position = end
    }
    isConsecutive = isConsecutive && position == bytes.count
    return samples > 0
  }

  private static func header(
    in bytes: UnsafeRawBufferPointer, from position: Int, _ blockSize: Int64
  ) -> (Int, FLACFrameHeader)? {
    guard let start = bytes.baseAddress else { return nil }
    var at = position
    while at + 10 <= bytes.count {
      // Proof: the range that is searched is a part of the buffer.
      guard let found = memchr(start + at, 0xFF, bytes.count - 9 - at) else { return nil }
      at = UnsafeRawPointer(found) - start
      if let frame = FLACFrameHeader(UnsafeRawBufferPointer(rebasing: bytes[at...]), blockSize) { return (at, frame) }
      at += 1
    }
    return nil
  }

  /// Returns the end of the frame at `position`, which is the beginning of another one or the end of the audio; nil if
  /// the frame is damaged.
  private static func end(
    in bytes: UnsafeRawBufferPointer, from position: Int, _ blockSize: Int64, _ work: inout Int
  ) -> Int? {
    // The checksum of a frame including its own checksum is 0.
    var (sum, from) = (UInt32(0), position)
    while work > 0 {
      let end = header(in: bytes, from: from + 1, blockSize)?.0 ?? bytes.count
      work -= end - from
      sum = Checksum.flacFrame.compute(UnsafeRawBufferPointer(rebasing: bytes[from..<end]), after: sum)
      if sum == 0 { return end }
      guard end < bytes.count else { return nil }
      from = end
    }
    return nil
  }
}
