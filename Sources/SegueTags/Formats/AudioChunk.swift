// Decoding thread only.
internal import SegueFFmpeg

/// The chunk of a WAV or AIFF file that contains the samples.
struct AudioChunk {
  /// The range of the samples in the file. If the file is truncated, it is smaller than the size in the chunk's header.
  let samples: Range<Int64>

  /// Returns nil if `file` is neither a WAV nor an AIFF file, or has no such chunk.
  init?(_ file: SourceFile) {
    guard let size = file.size, let form = file.bigEndian(at: 0, bytes: 4), let type = file.bigEndian(at: 8, bytes: 4)
    else {
      return nil
    }
    let isWave = form == 0x5249_4646 && type == 0x5741_5645
    guard isWave || form == 0x464F_524D && type >> 8 == 0x41_4946 else { return nil }
    var position: Int64 = 12
    // The limit is greater than the number of chunks in any genuine file.
    for _ in 0..<10_000 {
      guard let name = file.bigEndian(at: position, bytes: 4),
        let length = isWave ? file.littleEndian(at: position + 4, bytes: 4) : file.bigEndian(at: position + 4, bytes: 4)
      else { return nil }
      position += 8
      switch name {
      // "data". If the writer was interrupted, the size is missing.
      case 0x6461_7461 where isWave:
        samples = position..<(length == 0 || length == 0xFFFF_FFFF ? size : min(size, position + length))
        return
      // "SSND", which begins with an offset and a block size.
      case 0x5353_4E44 where !isWave:
        guard length >= 8, let offset = file.bigEndian(at: position, bytes: 4) else { return nil }
        let (first, end) = (position + 8 + offset, min(size, position + length))
        guard first <= end else { return nil }
        samples = first..<end
        return
      default: position += length + length % 2
      }
    }
    return nil
  }
}
