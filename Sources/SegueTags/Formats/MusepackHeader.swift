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

  init?(_ file: FileInput) {
    let start = FileFormat(file)?.audioStart ?? 0
    if file.bigEndian(at: start, bytes: 4) == 0x4D50_434B {
      self.init(version8: file, at: start)
    } else {
      self.init(version7: file, at: start)
    }
  }

  private init?(version8 file: FileInput, at start: Int64) {
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

  private init?(version7 file: FileInput, at start: Int64) {
    guard let stream = MusepackBlocks(file, at: start) else { return nil }
    let decoded = stream.decodedBlocks * MusepackBlocks.length - Self.decoderDelay
    count = min(stream.count ?? decoded, decoded)
    silence = 0
    guard count > 0 else { return nil }
    coverage = stream.found.map { Coverage($0, of: stream.stated) } ?? .unknown
  }
}

/// The blocks of a Musepack stream of version 7.
///
/// A decoder returns audio 481 frames late. If the last block is nearly full, its end only comes with an additional
/// block, which the header does not count. 11 bits with the length of the last block precede it.
struct MusepackBlocks {
  /// The number of frames in a block.
  static let length: Int64 = 1152

  /// The number of blocks that the header states.
  let stated: Int64
  /// The number of stated blocks that are in the file; nil if they are not counted, which takes reading the whole file.
  let found: Int64?
  /// The number of frames of the stream; nil if the header does not state it.
  let count: Int64?
  /// The additional block as libavformat finds it: its position, and the bits in place of those there.
  let flush: FileInput.Replacement?
  private let start: Int64

  /// The maximum number of blocks that are counted, which is 30 hours.
  private static let maximumCounted: Int64 = 1 << 22
  /// The number of bits that state the length of a block.
  private static let lengthBits: Int64 = 20
  /// The number of bits that state the length of the last block.
  private static let lastLengthBits: Int64 = 11

  /// Reads the stream whose header is at `start`. Returns nil if it is of another version.
  init?(_ file: FileInput, at start: Int64) {
    guard file.bigEndian(at: start, bytes: 3) == 0x4D_502B, let version = file.bigEndian(at: start + 3, bytes: 1),
      version & 0x0F == 7, let stated = file.littleEndian(at: start + 4, bytes: 4), stated > 0,
      let last = file.littleEndian(at: start + 20, bytes: 4), let end = TrailingTags.audioEnd(file)
    else { return nil }
    (self.start, self.stated) = (start, stated)
    // The length of the last block is valid if the topmost bit is set.
    let lastLength = last >> 20 & 0x7FF
    let count = last >> 31 == 1 ? (stated - 1) * Self.length + (lastLength == 0 ? Self.length : lastLength) : nil
    self.count = count
    guard !file.isRemote, stated <= Self.maximumCounted else {
      (found, flush) = (nil, nil)
      return
    }
    let bits = MusepackBits(file: file, start: start + 24, end: end)
    let (found, position) = Self.count(bits, upTo: stated)
    self.found = found
    let isLate = count.map { $0 + MusepackHeader.decoderDelay > stated * Self.length } ?? false
    flush = isLate && found == stated ? Self.flush(bits, after: position) : nil
  }

  /// Returns the number of blocks in `bits`, at most `stated`, and the position after the last one.
  private static func count(_ bits: MusepackBits, upTo stated: Int64) -> (found: Int64, end: Int64) {
    // The first 8 bits belong to the header.
    var (found, position) = (Int64(0), Int64(8))
    while found < stated, let size = bits.number(at: position, count: lengthBits),
      bits.contains(position + lengthBits + size)
    {
      position += lengthBits + size
      found += 1
    }
    return (found, position)
  }

  /// The number of blocks that libavformat decodes.
  var decodedBlocks: Int64 { stated + (flush == nil ? 0 : 1) }

  /// Returns the additional block that follows the last one, which ends at `position`, without the bits between them.
  /// Returns nil if there is none.
  private static func flush(_ bits: MusepackBits, after position: Int64) -> FileInput.Replacement? {
    let begin = position + lastLengthBits
    guard let size = bits.number(at: begin, count: lengthBits), size > 0, size <= 8 * 4096,
      bits.contains(begin + lengthBits + size)
    else { return nil }
    let word = position / 32
    var bytes: [UInt8] = []
    for index in 0...(position % 32 + lengthBits + size) / 32 {
      let at = (word + index) * 32
      let kept = index == 0 ? position % 32 : 0
      // Bits after the end of the file are zero.
      let moved = bits.number(at: at + kept + lastLengthBits, count: 32 - kept) ?? 0
      let before = kept > 0 ? (bits.number(at: at, count: kept) ?? 0) << (32 - kept) : 0
      bytes += withUnsafeBytes(of: UInt32(truncatingIfNeeded: before | moved).littleEndian, Array.init)
    }
    return FileInput.Replacement(position: bits.start + word * 4, bytes: bytes)
  }

  /// Returns the bytes that libavformat reads in place of those in `file`, so that it finds the additional block.
  static func replacements(_ file: FileInput) -> [FileInput.Replacement] {
    guard let blocks = MusepackBlocks(file, at: FileFormat(file)?.audioStart ?? 0), let flush = blocks.flush else {
      return []
    }
    let number = withUnsafeBytes(of: UInt32(truncatingIfNeeded: blocks.decodedBlocks).littleEndian, Array.init)
    return [FileInput.Replacement(position: blocks.start + 4, bytes: number), flush]
  }
}

/// The bits of a Musepack stream, which consists of little-endian words of 32 bits.
private struct MusepackBits {
  let file: FileInput
  let start: Int64
  let end: Int64

  /// Returns whether the first `count` bits are in the file.
  func contains(_ count: Int64) -> Bool { start + (count + 7) / 8 <= end }

  /// Returns the number of `count` bits, at most 32, at `bit`; nil after the end of the file.
  func number(at bit: Int64, count: Int64) -> Int64? {
    let word = start + bit / 32 * 4
    guard word < end else { return nil }
    let pair: UInt64
    if let words = file.littleEndian(at: word).map(UInt64.init(bitPattern:)) {
      pair = words << 32 | words >> 32
    } else if let last = file.littleEndian(at: word, bytes: 4) {
      pair = UInt64(last) << 32
    } else {
      return nil
    }
    return Int64((pair << UInt64(bit % 32)) >> UInt64(64 - count))
  }
}
