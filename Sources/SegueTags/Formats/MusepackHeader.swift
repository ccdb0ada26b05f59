internal import SegueFFmpeg

/// The stream header of Musepack, which states the length to the frame. libavformat rounds it to blocks of up to 1.7 s
/// for SV8, and of 26 ms for SV7.
struct MusepackHeader {
  /// The number of frames after the decoder's delay.
  let count: Int64
  /// The number of frames of silence that the encoder inserted before the audio.
  let silence: Int64
  /// Whether the file contains the last block.
  let coverage: Coverage

  /// The delay in frames of the synthesis filter of all Musepack decoders (MPC_DECODER_SYNTH_DELAY of libmpcdec).
  static let decoderDelay: Int64 = 481

  /// The number of frames in a block.
  private static let block: Int64 = 1152

  init?(_ file: SourceFile) {
    let start = FileFormat(file)?.audioStart ?? 0
    if file.bigEndian(at: start, bytes: 4) == 0x4D50_434B {
      self.init(version8: file, at: start)
    } else {
      self.init(version7: file, at: start)
    }
  }

  private init?(version8 file: SourceFile, at start: Int64) {
    var bytes = [UInt8](repeating: 0, count: 64)
    guard bytes.withUnsafeMutableBytes({ file.peek(at: start, into: $0) }) == bytes.count,
      bytes[..<6].elementsEqual("MPCKSH".utf8)
    else { return nil }
    var at = 6
    /// Reads a number of seven bits per byte, most significant first. The top bit of the last byte is clear.
    func number() -> Int64 {
      var value: Int64 = 0
      for _ in 0..<8 {
        let byte = bytes[at]
        at += 1
        value = value << 7 | Int64(byte & 0x7F)
        if byte & 0x80 == 0 { break }
      }
      return value
    }
    _ = number()
    // Skips a checksum and the version.
    at += 5
    (count, silence) = (number(), number())
    guard count > 0 else { return nil }
    // A packet "SE" of three bytes ends the stream.
    let end = TrailingTags.audioEnd(file).flatMap { file.bigEndian(at: $0 - 3, bytes: 3) }
    coverage = end == 0x53_4503 ? .whole : .unknown
  }

  private init?(version7 file: SourceFile, at start: Int64) {
    guard file.bigEndian(at: start, bytes: 3) == 0x4D_502B, let version = file.bigEndian(at: start + 3, bytes: 1),
      version & 0x0F == 7, let blocks = file.littleEndian(at: start + 4, bytes: 4), blocks > 0,
      let last = file.littleEndian(at: start + 20, bytes: 4)
    else { return nil }
    // The length of the last block is valid if the topmost bit is set. libavcodec does not decode beyond the blocks.
    let decoded = blocks * Self.block - Self.decoderDelay
    count = last >> 31 == 1 ? min((blocks - 1) * Self.block + (last >> 20 & 0x7FF), decoded) : decoded
    silence = 0
    guard count > 0 else { return nil }
    coverage = Coverage(Self.blocks(file, from: start + 24, limit: blocks), of: blocks)
  }

  /// Counts the complete blocks of an SV7 stream in `file`, up to `limit`. Each block begins with its length in bits,
  /// which is a 20-bit number.
  private static func blocks(_ file: SourceFile, from start: Int64, limit: Int64) -> Int64 {
    guard let end = TrailingTags.audioEnd(file) else { return 0 }
    // The stream consists of little-endian 32-bit words. The first 8 bits belong to the header.
    var bit = Int64(8)
    for count in 0..<limit {
      let word = start + bit / 32 * 4
      guard let first = file.littleEndian(at: word, bytes: 4) else { return count }
      let pair = UInt64(first) << 32 | UInt64(file.littleEndian(at: word + 4, bytes: 4) ?? 0)
      bit += 20 + Int64(pair >> (44 - UInt64(bit % 32)) & 0xF_FFFF)
      guard start + (bit + 7) / 8 <= end else { return count }
    }
    return limit
  }
}
