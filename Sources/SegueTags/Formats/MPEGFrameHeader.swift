/// The header of four bytes at the beginning of every frame of MPEG audio layer 3 (ISO/IEC 11172-3, 2.4.1.3; 13818-3;
/// MPEG 2.5).
struct MPEGFrameHeader {
  /// The size of the frame in bytes.
  let size: Int
  /// The sample rate in hertz.
  let rate: Int
  /// The number of samples per channel.
  let samples: Int
  /// The number of bytes from the beginning of the frame to the end of its side information.
  let sideInfoEnd: Int
  let channels: Int
  /// The bit rate in bits per second.
  let bitRate: Int
  /// The bits that are the same in all frames of a stream: version, layer, rate.
  let kind: UInt32

  private static let rates = [44_100, 48_000, 32_000]
  private static let kilobits1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
  private static let kilobits2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

  /// Returns nil if the header is not one of layer 3, or if its bit rate is free.
  init?(_ word: UInt32) {
    guard word >> 21 == 0x7FF else { return nil }
    let version = word >> 19 & 3
    let layer = word >> 17 & 3
    let rateIndex = Int(word >> 10 & 3)
    let bitRateIndex = Int(word >> 12 & 15)
    guard version != 1, layer == 1, rateIndex != 3, (1...14).contains(bitRateIndex) else { return nil }
    let isVersion1 = version == 3
    rate = Self.rates[rateIndex] >> (isVersion1 ? 0 : version == 2 ? 1 : 2)
    samples = isVersion1 ? 1152 : 576
    let kilobits = (isVersion1 ? Self.kilobits1 : Self.kilobits2)[bitRateIndex]
    size = samples / 8 * kilobits * 1000 / rate + Int(word >> 9 & 1)
    bitRate = kilobits * 1000
    let isMono = word >> 6 & 3 == 3
    channels = isMono ? 1 : 2
    sideInfoEnd = 4 + (isVersion1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    kind = word & 0xFFFE_0C00
  }
}
