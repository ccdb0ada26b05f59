// Thread: the decoding thread.
internal import SegueFFmpeg

/// The seek table of a TTA file, which states the size of each frame.
enum TTATable {
  /// Returns the part of the frames of the stream at `start` that `file` contains.
  static func coverage(_ file: FileInput, from start: Int64) -> Coverage {
    guard let rate = file.littleEndian(at: start + 10, bytes: 4),
      let total = file.littleEndian(at: start + 14, bytes: 4),
      let end = TrailingTags.audioEnd(file), (1...1_000_000).contains(rate), total > 0
    else { return .unknown }
    // The duration of a frame is 256/245 of a second.
    let length = 256 * rate / 245
    let count = (total + length - 1) / length
    guard length > 0, count < 1 << 20, let table = file.bytes(start + 22..<start + 22 + 4 * count) else {
      return .share(0)
    }
    var position = start + 22 + 4 * count + 4
    for (index, at) in stride(from: 0, to: table.count, by: 4).enumerated() {
      position += (0..<4).reduce(0) { $0 | Int64(table[at + $1]) << (8 * Int64($1)) }
      guard position <= end else { return Coverage(Int64(index) * length, of: total) }
    }
    return .whole
  }
}

/// The descriptor of a Monkey's Audio file (since version 3.98), which states the sizes of its parts.
enum APEDescriptor {
  /// Returns the part of the audio of the stream at `start` that `file` contains.
  static func coverage(_ file: FileInput, from start: Int64) -> Coverage {
    guard let version = file.littleEndian(at: start + 4, bytes: 2), version >= 3980,
      let end = TrailingTags.audioEnd(file)
    else { return .unknown }
    // The descriptor, the header, the seek table and the WAV header precede the audio.
    var position = start
    for offset in stride(from: start + 8, to: start + 24, by: 4) {
      guard let size = file.littleEndian(at: offset, bytes: 4) else { return .unknown }
      position += size
    }
    guard let low = file.littleEndian(at: start + 24, bytes: 4), let high = file.littleEndian(at: start + 28, bytes: 4),
      high < 1 << 20
    else { return .unknown }
    let promised = high << 32 | low
    return Coverage(min(promised, end - position), of: promised)
  }
}
