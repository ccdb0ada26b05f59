// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem

/// The chunks of a Core Audio file that state the length of the audio.
struct CAFHeader {
  /// The bytes and the frames of a packet; 0 if packets differ.
  private let packet: (bytes: Int64, frames: Int64)
  private let data: Range<Int64>
  /// The numbers of valid frames and of delay frames before them, from the packet table.
  private let table: (valid: Int64, priming: Int64)?
  private let fileSize: Int64
  /// The bytes that libavformat reads in place of a size of the data that it rejects, or that states no audio.
  private let replacement: FileInput.Replacement?

  init?(_ file: FileInput) {
    guard let size = file.size, file.bigEndian(at: 0, bytes: 4) == 0x6361_6666 else { return nil }
    var (packet, data) = ((bytes: Int64, frames: Int64)?.none, Range<Int64>?.none)
    var table: (packets: Int64, valid: Int64, priming: Int64, remainder: Int64)?
    var replacement: FileInput.Replacement?
    var position: Int64 = 8
    // The limit is greater than the number of chunks in any genuine file.
    for _ in 0..<1000 {
      guard let kind = file.bigEndian(at: position, bytes: 4), let length = file.bigEndian(at: position + 4, bytes: 8)
      else { break }
      let body = position + 12
      switch kind {
      // "desc": the bytes and the frames of a packet follow the rate, the codec and its flags.
      case 0x6465_7363:
        guard let bytes = file.bigEndian(at: body + 16, bytes: 4), let frames = file.bigEndian(at: body + 20, bytes: 4)
        else {
          return nil
        }
        packet = (bytes, frames)
      // "data", which begins with an edit count. A chunk of unknown size is the last one. If the writer was
      // interrupted, the size is missing.
      case 0x6461_7461:
        guard body + 4 <= size else { return nil }
        let isStated = (5..<1 << 60).contains(length)
        data = body + 4..<(isStated ? body + length : size)
        if !isStated, length != -1 {
          replacement = FileInput.Replacement(position: position + 4, bytes: [UInt8](repeating: 0xFF, count: 8))
        }
      // "pakt"
      case 0x7061_6B74:
        if let packets = file.bigEndian(at: body, bytes: 8), let valid = file.bigEndian(at: body + 8, bytes: 8),
          let priming = file.bigEndian(at: body + 16, bytes: 4),
          let remainder = file.bigEndian(at: body + 20, bytes: 4),
          (0..<1 << 32).contains(packets)
        {
          table = (packets, valid, priming, remainder)
        }
      default: break
      }
      guard length >= 0, length < size - body else { break }
      position = body + length
    }
    guard let packet, let data, !data.isEmpty else { return nil }
    (self.packet, self.data, fileSize, self.replacement) = (packet, data, size, replacement)
    self.table = table.flatMap { table in
      // A table with more packets than a number of frames can count is ignored.
      let (all, overflow) = table.packets.multipliedReportingOverflow(by: packet.frames)
      guard !overflow else { return nil }
      // Only the last packet has padding. Otherwise the number of valid frames is wrong.
      let sum = table.valid.addingSaturated(table.priming + table.remainder)
      let isPlausible = table.valid >= 0 && (packet.frames == 0 || (all - packet.frames...all).contains(sum))
      return (isPlausible ? table.valid : max(0, all - table.priming), table.priming)
    }
  }

  /// Returns the bytes that libavformat reads in place of those in `file`.
  static func replacements(_ file: FileInput) -> [FileInput.Replacement] {
    CAFHeader(file)?.replacement.map { [$0] } ?? []
  }

  /// The number of valid frames.
  var count: Int64? {
    hasEqualPackets ? (Int64(data.count) / packet.bytes).multipliedSaturated(by: packet.frames) : table?.valid
  }
  /// Whether the size of the data states the number of frames. Only the last packet of other codecs than PCM has
  /// padding.
  private var hasEqualPackets: Bool { packet.bytes > 0 && packet.frames > 0 && (packet.frames == 1 || table == nil) }
  /// The number of delay frames before the valid frames.
  var delay: Int64 { hasEqualPackets ? 0 : table?.priming ?? 0 }
  /// Returns whether packets have the stated number of frames if the first one has `frames`. If not, the number of
  /// valid frames is wrong too: ffmpeg counts those before a cut, and adds up durations of FLAC that are not known.
  func statesPackets(of frames: Int64) -> Bool { packet.frames == frames }
  /// Whether the file ends within the data.
  var isTruncated: Bool { fileSize < data.upperBound }
  var coverage: Coverage {
    // Some writers count whole packets as valid frames, and state no delay.
    if !hasEqualPackets, delay == 0 { return .unknown }
    return Coverage(min(fileSize, data.upperBound) - data.lowerBound, of: Int64(data.count))
  }
}
