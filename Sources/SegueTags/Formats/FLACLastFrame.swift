// Decoding thread only.
internal import SegueFFmpeg

/// The last frame of a FLAC file (RFC 9639, 9). Every frame states the number of its first sample.
struct FLACLastFrame {
  private let header: FLACStreamInfo

  /// Returns the part of the samples stated by the STREAMINFO at `start` that `file` contains, according to its last
  /// frame.
  static func coverage(_ file: SourceFile, from start: Int64) -> Coverage {
    guard let header = FLACStreamInfo(file, at: start), header.total > 0, let end = TrailingTags.audioEnd(file) else {
      return .unknown
    }
    return FLACLastFrame(header: header).coverage(file, end)
  }

  /// Returns the first sample of a FLAC stream in Ogg. It is not 0 if the file is a part of a stream.
  static func firstSample(inOgg file: SourceFile) -> Int64 {
    // The stream's header is in the first packet, after the 9 bytes of the Ogg mapping (RFC 9639, 10.1).
    guard let head = OggPages.Page(file, at: 0), let header = FLACStreamInfo(file, at: head.body + 9),
      let page = OggPages.firstAudio(file),
      let bytes = file.bytes(page.body..<page.body + 16)
    else { return 0 }
    return bytes.withUnsafeBytes { FLACFrameHeader($0, header.blockSize)?.first } ?? 0
  }

  private func coverage(_ file: SourceFile, _ end: Int64) -> Coverage {
    // A frame takes about 10,000 bytes, and ten times as many if it has many channels and a high rate.
    for reach in [header.maximumFrameSize > 0 ? header.maximumFrameSize + 16 : 16_384, 262_144] {
      let from = max(header.firstFrame, end - reach)
      guard from < end, let tail = file.bytes(from..<end) else { return .share(0) }
      if let found = tail.withUnsafeBytes(search) { return found }
      if from == header.firstFrame { break }
    }
    return .unknown
  }

  /// Searches for the last complete frame. If `tail` does not contain it, searches for the last frame header.
  private func search(_ tail: UnsafeRawBufferPointer) -> Coverage? {
    var broken: Int64?
    for at in stride(from: tail.count - 10, through: 0, by: -1) where tail[at] == 0xFF {
      let rest = UnsafeRawBufferPointer(rebasing: tail[at...])
      guard let frame = FLACFrameHeader(rest, header.blockSize) else { continue }
      // The checksum of a frame including its own checksum is 0.
      if Checksum.flacFrame.compute(rest) == 0 {
        return Coverage(frame.first + frame.count, of: header.total)
      }
      if broken == nil, frame.first < header.total { broken = frame.first }
    }
    return broken.map { .share(Double($0) / Double(header.total)) }
  }
}
