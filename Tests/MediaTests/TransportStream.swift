import SegueTestKit

/// An MPEG transport stream with an audio stream in ADTS and a stream of ID3 tags (ISO/IEC 13818-1; the timed metadata
/// of Apple's "Timed Metadata for HTTP Live Streaming").
struct TransportStream {
  private(set) var bytes: [UInt8] = []
  private var counters: [Int: UInt8] = [:]
  /// The time of the next frame of audio, in units of 1/90,000 s.
  private var time = 90_000

  private static let programMap = 0x100
  private static let audio = 0x101
  private static let metadata = 0x102

  init() {
    // The table of programs has one program.
    appendTable(pid: 0, id: 0, [0, 1] + Self.pid(Self.programMap))
    // The metadata descriptor states that the format is ID3 (registration "ID3 ").
    let id3 = Array("ID3 ".utf8)
    let descriptor = joined([0x26, 13, 0xFF, 0xFF], id3, [0xFF], id3, [0, 0x0F])
    appendTable(
      pid: Self.programMap, id: 2,
      joined(
        Self.pid(Self.audio), [0xF0, 0], [0x0F], Self.pid(Self.audio), [0xF0, 0], [0x15], Self.pid(Self.metadata),
        [0xF0, UInt8(descriptor.count)], descriptor))
  }

  /// Appends the frames of an ADTS stream, each of 1,024 samples at 44.1 kHz.
  mutating func append(adts file: [UInt8]) {
    var offset = 0
    while offset + 7 <= file.count {
      let size = Int(file[offset + 3] & 3) << 11 | Int(file[offset + 4]) << 3 | Int(file[offset + 5]) >> 5
      append(pid: Self.audio, stream: 0xC0, Array(file[offset..<min(file.count, offset + size)]))
      offset += max(7, size)
      time += 1_024 * 90_000 / 44_100
    }
  }

  /// Appends an ID3 tag.
  mutating func append(tag: [UInt8]) { append(pid: Self.metadata, stream: 0xBD, tag) }

  private static func pid(_ pid: Int) -> [UInt8] { [0xE0 | UInt8(pid >> 8), UInt8(pid & 0xFF)] }

  /// Appends a packetized elementary stream packet with a time.
  private mutating func append(pid: Int, stream: UInt8, _ payload: [UInt8]) {
    let stamp: [UInt8] = [
      0x21 | UInt8(time >> 29 & 0x0E), UInt8(time >> 22 & 0xFF), UInt8(time >> 14 & 0xFE) | 1, UInt8(time >> 7 & 0xFF),
      UInt8(time << 1 & 0xFE) | 1,
    ]
    let rest = joined([0x84, 0x80, 5], stamp, payload)
    appendPackets(pid: pid, joined([0, 0, 1, stream], TagBytes.bigEndian(rest.count, bytes: 2), rest))
  }

  private mutating func appendTable(pid: Int, id: UInt8, _ body: [UInt8]) {
    let rest: [UInt8] = [0, 1, 0xC1, 0, 0] + body
    let section: [UInt8] = [id, 0xB0, UInt8(rest.count + 4)] + rest
    appendPackets(pid: pid, joined([0], section, TagBytes.bigEndian(Int(Self.checksum(section)))))
  }

  private mutating func appendPackets(pid: Int, _ payload: [UInt8]) {
    var rest = payload[...]
    var isStart = true
    while !rest.isEmpty {
      let counter = counters[pid, default: 0]
      counters[pid] = (counter + 1) & 0x0F
      let part = rest.prefix(184)
      rest = rest.dropFirst(184)
      bytes += [0x47, UInt8(pid >> 8) | (isStart ? 0x40 : 0), UInt8(pid & 0xFF)]
      isStart = false
      let padding = 184 - part.count
      // An adaptation field fills the packet.
      bytes.append((padding > 0 ? 0x30 : 0x10) | counter)
      if padding > 0 { bytes.append(UInt8(padding - 1)) }
      if padding > 1 { bytes += [0] + [UInt8](repeating: 0xFF, count: padding - 2) }
      bytes += part
    }
  }

  /// Returns the CRC-32 of MPEG-2.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.reduce(0xFFFF_FFFF) { checksum, byte in
      (0..<8).reduce(checksum ^ UInt32(byte) << 24) { value, _ in value << 1 ^ (value >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }
  }
}
