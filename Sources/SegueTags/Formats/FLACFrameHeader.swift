// Thread: the decoding thread.
package import SegueFFmpeg

/// The STREAMINFO of a FLAC stream (RFC 9639, 8.2).
package struct FLACStreamInfo {
  /// The number of samples per channel in a block, if all blocks except the last have the same size.
  let blockSize: Int64
  /// The size of the largest frame in bytes; 0 if unknown.
  let maximumFrameSize: Int64
  /// The maximum size in bytes of any frame: the largest block of eight channels of 32 bits that are not compressed,
  /// and the headers of the frame and its subframes.
  private static let largestFrameSize: Int64 = 65_535 * 8 * 4 + 128
  /// The sample rate in hertz.
  let rate: Int64
  /// The number of samples per channel; 0 if unknown.
  let total: Int64
  /// The offset in the file at which the first frame begins at the earliest.
  let firstFrame: Int64

  /// Returns nil if the file is too short for a header at `start`.
  package init?(_ file: FileInput, at start: Int64) {
    guard let blocks = file.bigEndian(at: start + 10, bytes: 2), let largest = file.bigEndian(at: start + 15, bytes: 3),
      let rate = file.bigEndian(at: start + 18, bytes: 3).map({ $0 >> 4 }),
      let count = file.bigEndian(at: start + 21, bytes: 5).map({ $0 & 0xF_FFFF_FFFF }), count >= 0
    else { return nil }
    (blockSize, total, firstFrame) = (blocks, count, start + 42)
    maximumFrameSize = min(largest, Self.largestFrameSize)
    self.rate = rate
  }
}

/// The header of a FLAC frame (RFC 9639, 9.1).
package struct FLACFrameHeader {
  /// The number of the first sample in the stream.
  package let first: Int64
  /// The number of samples per channel.
  let count: Int64
  /// The rate in hertz; nil if it is that of STREAMINFO.
  let rate: Int64?

  private static let rates: [Int64] = [
    88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
  ]

  /// Returns nil if the bytes are not a frame header. `blockSize` is that of STREAMINFO.
  package init?(_ bytes: UnsafeRawBufferPointer, _ blockSize: Int64) {
    guard bytes.count >= 10, bytes[1] & 0xFE == 0xF8, bytes[2] & 0x0F != 0x0F, bytes[2] >> 4 != 0,
      bytes[3] >> 4 <= 10,
      bytes[3] & 1 == 0
    else { return nil }
    // The number is encoded like a character in UTF-8: the leading ones are the number of bytes.
    let length = max(1, (~bytes[4]).leadingZeroBitCount)
    guard length <= 7, length != 1 || bytes[4] & 0x80 == 0, bytes.count >= 4 + length + 5 else { return nil }
    var number = Int64(bytes[4]) & (length == 1 ? 0x7F : 0x7F >> Int64(length))
    for byte in bytes[5..<4 + length] {
      guard byte & 0xC0 == 0x80 else { return nil }
      number = number << 6 | Int64(byte & 0x3F)
    }
    var at = 4 + length
    switch bytes[2] >> 4 {
    case 1: count = 192
    case 2...5: count = 576 << Int64(bytes[2] >> 4 - 2)
    case 6:
      count = Int64(bytes[at]) + 1
      at += 1
    case 7:
      count = Int64(bytes[at]) << 8 + Int64(bytes[at + 1]) + 1
      at += 2
    default: count = 256 << Int64(bytes[2] >> 4 - 8)
    }
    let code = Int(bytes[2] & 0x0F)
    let field = Int64(bytes[at])
    switch code {
    case 1...11: rate = Self.rates[code - 1]
    case 12:
      rate = field * 1000
      at += 1
    case 13, 14:
      rate = (field << 8 + Int64(bytes[at + 1])) * (code == 14 ? 10 : 1)
      at += 2
    default: rate = nil
    }
    guard bytes.count > at,
      Checksum.flacHeader.compute(UnsafeRawBufferPointer(rebasing: bytes[..<at])) == bytes[at]
    else { return nil }
    // If all blocks have the same size, the number is that of the block. Otherwise it is that of the first sample.
    first = bytes[1] & 1 == 1 ? number : number * blockSize
  }

}
