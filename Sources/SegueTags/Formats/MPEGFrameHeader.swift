/// The header of four bytes at the beginning of every frame of MPEG audio (ISO/IEC 11172-3, 2.4.1.3; 13818-3; MPEG
/// 2.5).
package struct MPEGFrameHeader {
  /// The layer, from 1 to 3.
  package let layer: Int
  /// The size of the frame in bytes.
  package let size: Int
  /// The sample rate in hertz.
  let rate: Int
  /// The number of samples per channel.
  let samples: Int
  /// The number of bytes from the beginning of a frame of layer 3 to the end of its side information.
  let sideInfoEnd: Int
  let channels: Int
  /// The bit rate in bits per second.
  let bitRate: Int
  /// The bits that are the same in all frames of a stream: version, layer, rate.
  package let kind: UInt32

  private static let rates = [44_100, 48_000, 32_000]
  /// The bit rates of version 1 by layer, and those of later versions, in which layers 2 and 3 have the same.
  private static let kilobits1 = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ]
  private static let kilobits2 = [
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  /// Reads the header of a frame. Returns nil if the bytes do not begin with one, or if its bit rate is free.
  package init?(_ frame: UnsafeRawBufferPointer) {
    guard frame.count >= 4 else { return nil }
    self.init(UInt32(bigEndian: frame.loadUnaligned(as: UInt32.self)))
  }

  /// Returns the number of bytes before the frame that ends with `packet`, if they are no frame; nil if there is no
  /// such frame, or no such bytes.
  package static func junk(before packet: UnsafeRawBufferPointer) -> Int? {
    guard packet.count > 4, Self(packet) == nil else { return nil }
    return (1..<packet.count - 3).first { index in
      packet[index] == 0xFF
        && Self(UnsafeRawBufferPointer(rebasing: packet[index...]))?.size == packet.count - index
    }
  }

  /// Returns nil if the word is not a header, or if its bit rate is free.
  init?(_ word: UInt32) {
    guard word >> 21 == 0x7FF else { return nil }
    let version = word >> 19 & 3
    let layerCode = Int(word >> 17 & 3)
    let rateIndex = Int(word >> 10 & 3)
    let bitRateIndex = Int(word >> 12 & 15)
    guard version != 1, layerCode != 0, rateIndex != 3, (1...14).contains(bitRateIndex) else { return nil }
    let isVersion1 = version == 3
    layer = 4 - layerCode
    rate = Self.rates[rateIndex] >> (isVersion1 ? 0 : version == 2 ? 1 : 2)
    samples = layer == 1 ? 384 : layer == 2 || isVersion1 ? 1152 : 576
    let kilobits = (isVersion1 ? Self.kilobits1 : Self.kilobits2)[layer - 1][bitRateIndex]
    // A frame of layer 1 consists of slots of four bytes.
    let slot = layer == 1 ? 4 : 1
    size = (samples / 8 * kilobits * 1000 / rate / slot + Int(word >> 9 & 1)) * slot
    bitRate = kilobits * 1000
    let isMono = word >> 6 & 3 == 3
    channels = isMono ? 1 : 2
    sideInfoEnd = 4 + (isVersion1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    kind = word & 0xFFFE_0C00
  }
}
