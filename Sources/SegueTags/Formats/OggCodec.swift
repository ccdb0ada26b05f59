internal import SegueSystem

/// The codec of an Ogg stream as its first packet states it. It tells how many frames a packet decodes to.
enum OggCodec {
  case opus(preSkip: Int64)
  /// `blocks` has the sizes of short and long blocks as exponents of 2.
  case vorbis(rate: UInt32, blocks: (short: Int64, long: Int64))
  case flac(rate: UInt32, blockSize: Int64)
  case speex(rate: UInt32, framesPerPacket: Int64, headers: Int)

  /// Reads the first packet of a stream. Returns nil if it is of another codec.
  init?(_ packet: UnsafeRawBufferPointer) {
    func begins(_ text: StaticString) -> Bool {
      packet.count >= text.utf8CodeUnitCount && text.withUTF8Buffer { packet.prefix($0.count).elementsEqual($0) }
    }
    func word(_ at: Int) -> UInt32 {
      UInt32(littleEndian: packet.loadUnaligned(fromByteOffset: at, as: UInt32.self))
    }
    if begins("OpusHead"), packet.count >= 19 {
      self = .opus(preSkip: Int64(packet[11]) << 8 | Int64(packet[10]))
    } else if begins("\u{1}vorbis"), packet.count >= 29 {
      self = .vorbis(
        rate: word(12), blocks: (1 << Int64(packet[28] & 0x0F), 1 << Int64(packet[28] >> 4)))
    } else if begins("Speex   "), packet.count >= 72 {
      let frames = Int64(word(56)).clamped(to: 1...4096) * Int64(word(64)).clamped(to: 1...64)
      self = .speex(rate: word(36), framesPerPacket: frames, headers: 2 + Int(word(68).clamped(to: 0...64)))
    } else if begins("\u{7F}FLAC"), packet.count >= 51 {
      // STREAMINFO follows the 9 bytes of the Ogg mapping, "fLaC" and a block header (RFC 9639, 10.1).
      let rate = UInt32(packet[27]) << 12 | UInt32(packet[28]) << 4 | UInt32(packet[29]) >> 4
      self = .flac(rate: rate, blockSize: Int64(packet[17]) << 8 | Int64(packet[18]))
    } else {
      return nil
    }
    guard (1...1_000_000).contains(rate.hertz) else { return nil }
  }

  /// The rate of the decoded frames.
  var rate: SampleRate {
    switch self {
    case .opus: SampleRate(48_000)
    case .vorbis(let rate, _), .flac(let rate, _), .speex(let rate, _, _): SampleRate(rate)
    }
  }

  /// The number of packets before the audio; 0 if the packets themselves show whether they are audio.
  var headerCount: Int {
    switch self {
    case .opus: 2
    case .vorbis: 3
    case .flac: 0
    case .speex(_, _, let headers): headers
    }
  }

  /// Whether libavformat plays a link of a chain with this codec after one with the `other`. The headers of Vorbis
  /// reach the decoder again, so their rate may change.
  func canFollow(_ other: OggCodec) -> Bool {
    switch (self, other) {
    case (.opus, .opus), (.vorbis, .vorbis): true
    case (.flac, .flac), (.speex, .speex): rate == other.rate
    case (.opus, _), (.vorbis, _), (.flac, _), (.speex, _): false
    }
  }

  /// The number of bytes of an Opus packet that tell its duration.
  static let opusHeadSize = 2

  /// Returns the duration of an Opus packet in frames at 48 kHz, by its first bytes (RFC 6716, 3.1 and 3.2).
  static func opusDuration(_ packet: UnsafeRawBufferPointer) -> Int64? {
    guard let first = packet.first else { return nil }
    let frame: Int64 =
      switch first >> 3 {
      case 0..<12: [480, 960, 1920, 2880][Int(first >> 3 & 3)]
      case 12..<16: first >> 3 & 1 == 0 ? 480 : 960
      default: 120 << Int64(first >> 3 & 3)
      }
    switch first & 3 {
    case 0: return frame
    case 1, 2: return 2 * frame
    default: return packet.count > 1 ? Int64(packet[1] & 0x3F) * frame : nil
    }
  }
}

/// The modes in the setup header of a Vorbis stream (Vorbis I, 4.2.4), which tell the size of the block of each packet.
struct VorbisModes {
  private let areLong: [Bool]
  private let indexBits: Int

  /// The maximum number of modes.
  private static let limit = 64
  /// The number of bits of a mode, of which the first one is whether its block is long.
  private static let modeBits = 41

  /// Reads the modes from the end of the `setup` header. They are the last part of it, and the sizes of the parts
  /// before them are known only after these are parsed.
  init?(_ setup: UnsafeRawBufferPointer) {
    /// Returns the bit before the last `distance` bits.
    func bit(_ distance: Int) -> Int {
      let index = setup.count * 8 - 1 - distance
      return index >= 0 ? Int(setup[index / 8] >> UInt8(index % 8) & 1) : 0
    }
    func number(_ distance: Int, bits: Int) -> Int { (0..<bits).reduce(0) { $0 << 1 | bit(distance + $1) } }
    let total = setup.count * 8
    // The framing bit ends the header, and zeros fill the last byte.
    guard let framing = (0..<min(total, 64)).first(where: { bit($0) == 1 }) else { return nil }
    let end = framing + 1
    var found: Int?
    for count in 1...Self.limit {
      let mode = end + (count - 1) * Self.modeBits
      // A mode ends with its mapping, and has a transform and a window of type 0.
      guard mode + Self.modeBits + 6 <= total, number(mode, bits: 8) < 64, number(mode + 8, bits: 32) == 0 else {
        break
      }
      if number(mode + Self.modeBits, bits: 6) + 1 == count { found = count }
    }
    guard let found else { return nil }
    areLong = (0..<found).reversed().map { bit(end + $0 * Self.modeBits + Self.modeBits - 1) == 1 }
    indexBits = (found - 1).bitWidth - (found - 1).leadingZeroBitCount
  }

  /// Returns whether the block of `packet` is long; nil if the packet is not audio.
  func isLong(_ packet: UnsafeRawBufferPointer) -> Bool? {
    guard let first = packet.first, first & 1 == 0 else { return nil }
    let index = Int(first >> 1) & (1 << indexBits - 1)
    return index < areLong.count ? areLong[index] : nil
  }
}
