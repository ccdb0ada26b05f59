/// Tables of MPEG-4 audio that several containers use.
enum MPEG4Audio {
  /// The sampling rates in hertz, by the index that headers state (ISO/IEC 14496-3, 1.6.3.4).
  static let rates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
  ]

  /// The number of frames to which a packet of AAC-LC decodes.
  static let packetLength: Int64 = 1024
}
