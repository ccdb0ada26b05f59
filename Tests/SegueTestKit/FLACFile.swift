/// A FLAC file (RFC 9639) that a test writes frame by frame, with verbatim samples. Unlike the output of encoders, its
/// frames may have different formats.
public struct FLACFile {
  public private(set) var bytes: [UInt8]
  /// The offset in `bytes` at which each frame begins.
  public private(set) var frameOffsets: [Int] = []

  public static let blockSize = 1024

  public struct Format: Sendable {
    public var rate: Int
    public var channels: Int
    public var bits: Int

    public init(rate: Int = 44_100, channels: Int = 2, bits: Int = 16) {
      self.rate = rate
      self.channels = channels
      self.bits = bits
    }
  }

  /// Creates a file whose header states `format` and `total` samples per channel.
  public init(_ format: Format, total: Int) {
    let block = [UInt8(Self.blockSize >> 8), UInt8(Self.blockSize & 0xFF)]
    let packed =
      UInt64(format.rate) << 44 | UInt64(format.channels - 1) << 41 | UInt64(format.bits - 1) << 36 | UInt64(total)
    bytes = joined("fLaC".utf8, [0x80, 0, 0, 34], block, block, [UInt8](repeating: 0, count: 6))
    bytes += withUnsafeBytes(of: packed.bigEndian, Array.init) + [UInt8](repeating: 0, count: 16)
  }

  /// Appends whole blocks of `format`. `sample` returns the value for a frame, counted from the first appended one, and
  /// a channel.
  public mutating func append(_ format: Format, blocks: Int, sample: (Int, Int) -> Int) {
    for block in 0..<blocks {
      let start = block * Self.blockSize
      append(format) { sample(start + $0, $1) }
    }
  }

  private mutating func append(_ format: Format, sample: (Int, Int) -> Int) {
    let rates = [8000: 4, 16_000: 5, 22_050: 6, 24_000: 7, 32_000: 8, 44_100: 9, 48_000: 10, 96_000: 11]
    let sizes = [8: 1, 16: 4, 24: 6]
    let number = frameOffsets.count
    frameOffsets.append(bytes.count)
    var frame: [UInt8] = [
      0xFF, 0xF8, UInt8(0x70 | (rates[format.rate] ?? 0)),
      UInt8((format.channels - 1) << 4 | (sizes[format.bits] ?? 0) << 1),
    ]
    frame += Array(String(Unicode.Scalar(UInt32(number)).map(Character.init) ?? " ").utf8)
    frame += [UInt8((Self.blockSize - 1) >> 8), UInt8((Self.blockSize - 1) & 0xFF)]
    frame.append(UInt8(Self.checksum(frame, polynomial: 0x07, bits: 8)))
    for channel in 0..<format.channels {
      frame.append(2)
      for index in 0..<Self.blockSize {
        let value = sample(index, channel)
        for shift in stride(from: format.bits - 8, through: 0, by: -8) { frame.append(UInt8(value >> shift & 0xFF)) }
      }
    }
    let sum = Self.checksum(frame, polynomial: 0x8005, bits: 16)
    bytes += frame + [UInt8(sum >> 8), UInt8(sum & 0xFF)]
  }

  private static func checksum(_ bytes: [UInt8], polynomial: Int, bits: Int) -> Int {
    let (top, mask) = (1 << (bits - 1), 1 << bits - 1)
    var sum = 0
    for byte in bytes {
      sum ^= Int(byte) << (bits - 8)
      for _ in 0..<8 { sum = (sum & top != 0 ? sum << 1 ^ polynomial : sum << 1) & mask }
    }
    return sum
  }
}
