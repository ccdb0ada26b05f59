internal import CFFmpeg

/// The cyclic redundancy checks of libavutil that file formats use.
package enum Checksum {
  /// The checksum of a FLAC frame header (RFC 9639, 9.1.8).
  case flacHeader
  /// The checksum of a FLAC frame (RFC 9639, 9.3).
  case flacFrame
  /// The checksum of an Ogg page (RFC 3533, 6).
  case oggPage
  /// The checksum of the tag that LAME writes into the first frame of an MP3 file (VbrTag.c of LAME).
  case lameTag

  /// Returns the checksum of `bytes`, which follow others whose checksum is `previous`. Only a checksum of 8 or 16 bits
  /// can be continued.
  package func compute(_ bytes: UnsafeRawBufferPointer, after previous: UInt32 = 0) -> UInt32 {
    let kind =
      switch self {
      case .flacHeader: AV_CRC_8_ATM
      case .flacFrame: AV_CRC_16_ANSI
      case .oggPage: AV_CRC_32_IEEE
      case .lameTag: AV_CRC_16_ANSI_LE
      }
    let sum = av_crc(av_crc_get_table(kind), previous, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
    // libavutil returns the 32-bit checksum with its bytes swapped.
    return self == .oggPage ? sum.byteSwapped : sum
  }
}
