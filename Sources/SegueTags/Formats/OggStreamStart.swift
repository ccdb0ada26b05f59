internal import SegueFFmpeg

/// The start of the audio in an Ogg stream.
enum OggStreamStart {
  /// Returns the pre-skip of an Opus stream in frames at 48 kHz (RFC 7845, 5.1). If the file does not begin with an
  /// Opus header, returns nil.
  static func preSkip(_ file: FileInput) -> Int64? {
    guard let segments = file.bigEndian(at: 26, bytes: 1), let low = file.bigEndian(at: 27 + segments + 10, bytes: 1),
      let high = file.bigEndian(at: 27 + segments + 11, bytes: 1)
    else { return nil }
    return high << 8 | low
  }

  /// Returns the granule at which the audio of an Opus stream begins. If the beginning of the stream is missing in the
  /// file, it is greater than 0.
  static func firstGranule(ofOpus file: FileInput) -> Int64? {
    guard let page = OggPages.firstAudio(file) else { return nil }
    var (at, frames) = (page.body, Int64(0))
    var begins = true
    for lace in page.laces {
      if begins {
        let head = file.bytes(at: at, count: OggCodec.opusHeadSize)
        guard let duration = head.withUnsafeBytes(OggCodec.opusDuration) else { return nil }
        frames += duration
      }
      begins = lace < 255
      at += Int64(lace)
    }
    return max(0, page.granule - frames)
  }

  /// Returns whether the file contains the beginning of a Vorbis stream: the granule of its first page is not greater
  /// than the number of frames to which its packets can decode (Vorbis I, 4.2.2 and 4.3.8).
  static func isWhole(vorbis file: FileInput) -> Bool {
    guard let head = OggPages.Page(file, at: 0), let page = OggPages.firstAudio(file),
      let blocks = file.bigEndian(at: head.body + 28, bytes: 1)
    else { return false }
    // Each packet except the first decodes to half a block at most.
    return page.granule <= Int64(page.packetCount - 1) << ((blocks >> 4) - 1)
  }
}
