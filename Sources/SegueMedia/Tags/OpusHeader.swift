/// The first packet of an Opus stream in Ogg (RFC 7845, 5.1).
enum OpusHeader {
  /// Frames at 48 kHz that come before the first to be heard; nil if there is no such packet at the file's beginning.
  static func skipped(_ file: SourceFile) -> Int64? {
    guard let segments = file.bigEndian(at: 26, bytes: 1), let low = file.bigEndian(at: 27 + segments + 10, bytes: 1),
      let high = file.bigEndian(at: 27 + segments + 11, bytes: 1)
    else { return nil }
    return high << 8 | low
  }
}
