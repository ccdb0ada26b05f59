internal import CFFmpeg

/// The cyclic redundancy checks of libavutil that file formats use.
package enum Checksum {
  /// The checksum of a FLAC frame header (RFC 9639, 9.1.8).
  case flacHeader
  /// The checksum of a FLAC frame (RFC 9639, 9.3).
  case flacFrame
  /// The checksum of an Ogg page (RFC 3533, 6).
  case oggPage

  package func compute(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let kind =
      switch self {
      case .flacHeader: AV_CRC_8_ATM
      case .flacFrame: AV_CRC_16_ANSI
      case .oggPage: AV_CRC_32_IEEE
      }
    let sum = av_crc(av_crc_get_table(kind), 0, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
    // libavutil returns the 32-bit checksum with its bytes swapped.
    return self == .oggPage ? sum.byteSwapped : sum
  }
}
