// Thread: the decoding thread.
internal import SegueFFmpeg

/// The tags after the audio in files whose format has no place for tags.
enum TrailingTags {
  /// Returns the end of the audio of `file`, which is the position of the first tag after it or the end of the file.
  static func audioEnd(_ file: FileInput) -> Int64? {
    guard var end = file.size else { return nil }
    // ID3v1 follows APEv2 or Lyrics3, and some programs write a tag twice.
    for _ in 0..<4 {
      guard let length = length(file, before: end), length <= end else { break }
      end -= length
    }
    return end
  }

  private static func length(_ file: FileInput, before end: Int64) -> Int64? {
    if file.bigEndian(at: end - 128, bytes: 3) == 0x54_4147 { return 128 }
    if file.bigEndian(at: end - 32, bytes: 8) == 0x4150_4554_4147_4558,
      let size = file.littleEndian(at: end - 20, bytes: 4),
      let flags = file.littleEndian(at: end - 12, bytes: 4)
    {
      // The size includes the footer, but not the header, whose presence the topmost bit of the flags states.
      return size + (flags >> 31 == 1 ? 32 : 0)
    }
    if file.bigEndian(at: end - 9, bytes: 8) == 0x4C59_5249_4353_3230,
      let size = file.bytes(end - 15..<end - 9)
    {
      // Lyrics3 states its size in six decimal digits.
      return size.reduce(0) { $0 * 10 + Int64($1 & 0x0F) } + 15
    }
    return nil
  }
}
