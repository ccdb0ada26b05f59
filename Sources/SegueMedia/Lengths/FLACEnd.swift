// Decoding thread only.
internal import CFFmpeg

/// The last frame of a FLAC file (RFC 9639, 9): every frame states which sample it begins with.
struct FLACEnd {
  /// Frames of the block size, where all blocks but the last have one size.
  private let blockSize: Int64
  private let largestFrame: Int64
  /// Sample frames of the stream, by its STREAMINFO.
  private let total: Int64
  private let firstFrame: Int64

  /// Whether the last frame of `file` ends where the STREAMINFO of the stream at `start` says.
  static func coverage(_ file: SourceFile, from start: Int64) -> Coverage {
    guard let header = FLACEnd(file, at: start), header.total > 0, let end = TrailingTags.audioEnd(file) else {
      return .unknown
    }
    return header.coverage(file, end)
  }

  /// The sample that the audio of a FLAC stream in Ogg begins with: not the first if the file is a piece of a stream.
  static func firstSample(inOgg file: SourceFile) -> Int64 {
    // The stream's header lies in the first packet behind 9 bytes of Ogg's own; see the mapping in RFC 9639, 10.1.
    guard let head = OggPages.Page(file, at: 0), let header = FLACEnd(file, at: head.body + 9),
      let page = OggPages.firstAudio(file),
      let bytes = file.bytes(page.body..<page.body + 16)
    else { return 0 }
    return bytes.withUnsafeBytes { Frame($0, header.blockSize)?.first } ?? 0
  }

  private init?(_ file: SourceFile, at start: Int64) {
    guard let blocks = file.bigEndian(at: start + 10, bytes: 2), let largest = file.bigEndian(at: start + 15, bytes: 3),
      let count = file.bigEndian(at: start + 21, bytes: 5).map({ $0 & 0xF_FFFF_FFFF }), count >= 0
    else { return nil }
    (blockSize, largestFrame, total, firstFrame) = (blocks, largest, count, start + 42)
  }

  private func coverage(_ file: SourceFile, _ end: Int64) -> Coverage {
    // A frame takes some 10,000 bytes, and with many channels at a high rate ten times as many.
    for reach in [largestFrame > 0 ? largestFrame + 16 : 16_384, 262_144] {
      let from = max(firstFrame, end - reach)
      guard from < end, let tail = file.bytes(from..<end) else { return .share(0) }
      if let found = tail.withUnsafeBytes(search) { return found }
      if from == firstFrame { break }
    }
    return .unknown
  }

  /// The last frame that is whole or, if none is at the end of `tail`, the last that begins.
  private func search(_ tail: UnsafeRawBufferPointer) -> Coverage? {
    var broken: Int64?
    for at in stride(from: tail.count - 10, through: 0, by: -1) where tail[at] == 0xFF {
      let rest = UnsafeRawBufferPointer(rebasing: tail[at...])
      guard let frame = Frame(rest, blockSize) else { continue }
      // The checksum of a frame with the checksum behind it is 0.
      if Self.checksum(rest, AV_CRC_16_ANSI) == 0 { return Coverage(frame.first + frame.count, of: total) }
      if broken == nil, frame.first < total { broken = frame.first }
    }
    return broken.map { .share(Double($0) / Double(total)) }
  }

  private static func checksum(_ bytes: UnsafeRawBufferPointer, _ kind: AVCRCId) -> UInt32 {
    av_crc(av_crc_get_table(kind), 0, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
  }

  /// A frame, by its header.
  private struct Frame {
    let first: Int64
    let count: Int64

    /// Returns nil if the bytes are no header of a frame.
    init?(_ bytes: UnsafeRawBufferPointer, _ blockSize: Int64) {
      guard bytes.count >= 10, bytes[1] & 0xFE == 0xF8, bytes[2] & 0x0F != 0x0F, bytes[2] >> 4 != 0,
        bytes[3] >> 4 <= 10,
        bytes[3] & 1 == 0
      else { return nil }
      // The number is coded as UTF-8 codes a character: the ones in front count the bytes.
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
      switch bytes[2] & 0x0F {
      case 12: at += 1
      case 13, 14: at += 2
      default: break
      }
      guard bytes.count > at,
        FLACEnd.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<at]), AV_CRC_8_ATM) == bytes[at]
      else { return nil }
      // Blocks of one size are numbered; blocks of several state their first sample.
      first = bytes[1] & 1 == 1 ? number : number * blockSize
    }
  }
}
