// Decoding thread only.
internal import SegueFFmpeg

/// The last frame of a FLAC file (RFC 9639, 9): every frame states which sample it begins with.
struct FLACLastFrame {
  private let header: FLACStreamInfo

  /// Whether the last frame of `file` ends where the STREAMINFO of the stream at `start` says.
  static func coverage(_ file: SourceFile, from start: Int64) -> Coverage {
    guard let header = FLACStreamInfo(file, at: start), header.total > 0, let end = TrailingTags.audioEnd(file) else {
      return .unknown
    }
    return FLACLastFrame(header: header).coverage(file, end)
  }

  /// The sample that the audio of a FLAC stream in Ogg begins with: not the first if the file is a piece of a stream.
  static func firstSample(inOgg file: SourceFile) -> Int64 {
    // The stream's header lies in the first packet behind 9 bytes of Ogg's own; see the mapping in RFC 9639, 10.1.
    guard let head = OggPages.Page(file, at: 0), let header = FLACStreamInfo(file, at: head.body + 9),
      let page = OggPages.firstAudio(file),
      let bytes = file.bytes(page.body..<page.body + 16)
    else { return 0 }
    return bytes.withUnsafeBytes { FLACFrameHeader($0, header.blockSize)?.first } ?? 0
  }

  private func coverage(_ file: SourceFile, _ end: Int64) -> Coverage {
    // A frame takes some 10,000 bytes, and with many channels at a high rate ten times as many.
    for reach in [header.largestFrame > 0 ? header.largestFrame + 16 : 16_384, 262_144] {
      let from = max(header.firstFrame, end - reach)
      guard from < end, let tail = file.bytes(from..<end) else { return .share(0) }
      if let found = tail.withUnsafeBytes(search) { return found }
      if from == header.firstFrame { break }
    }
    return .unknown
  }

  /// The last frame that is whole or, if none is at the end of `tail`, the last that begins.
  private func search(_ tail: UnsafeRawBufferPointer) -> Coverage? {
    var broken: Int64?
    for at in stride(from: tail.count - 10, through: 0, by: -1) where tail[at] == 0xFF {
      let rest = UnsafeRawBufferPointer(rebasing: tail[at...])
      guard let frame = FLACFrameHeader(rest, header.blockSize) else { continue }
      // The checksum of a frame with the checksum behind it is 0.
      if Checksum.flacFrame.compute(rest) == 0 {
        return Coverage(frame.first + frame.count, of: header.total)
      }
      if broken == nil, frame.first < header.total { broken = frame.first }
    }
    return broken.map { .share(Double($0) / Double(header.total)) }
  }
}
