// Thread: the decoding thread.
internal import SegueFFmpeg

/// The last frame of a FLAC file (RFC 9639, 9). Every frame states the number of its first sample.
struct FLACLastFrame {
  private let header: FLACStreamInfo
  /// The number of the sample after the last frame, or of its first sample if the frame is truncated.
  private var end: Int64 = 0
  private var isTruncated = true

  /// Returns the part of the samples stated by the STREAMINFO at `start` that `file` contains, according to its last
  /// frame, or to all frames of a small file.
  static func coverage(_ file: FileInput, from start: Int64) -> Coverage {
    guard let header = FLACStreamInfo(file, at: start), header.total > 0, let end = TrailingTags.audioEnd(file) else {
      return .unknown
    }
    let last = FLACLastFrame(file, header, end)
    guard let last else { return header.firstFrame < end ? .unknown : .share(0) }
    if let chain = chain(file, header, start, end),
      !chain.isConsecutive || chain.samples != last.end - chain.firstSample
    {
      return .share(Double(chain.samples) / Double(header.total))
    }
    return last.isTruncated ? .share(Double(last.end) / Double(header.total)) : Coverage(last.end, of: header.total)
  }

  /// Returns the number of samples of a stream whose STREAMINFO at `start` does not state it, and whether it is
  /// certain.
  static func count(_ file: FileInput, from start: Int64) -> (samples: Int64, isCertain: Bool)? {
    guard let header = FLACStreamInfo(file, at: start), let end = TrailingTags.audioEnd(file),
      let last = FLACLastFrame(file, header, end)
    else { return nil }
    if let chain = chain(file, header, start, end) { return (chain.samples, chain.isConsecutive) }
    guard let frames = FileFormat.audioStart(ofFLAC: file, at: start) else { return nil }
    let isReliable = FLACNumbering.isReliable(file, header, from: frames)
    return (last.end, isReliable && !last.isTruncated)
  }

  private static func chain(
    _ file: FileInput, _ header: FLACStreamInfo, _ start: Int64, _ end: Int64
  ) -> FLACFrameChain? {
    guard end - start <= FLACFrameChain.maximumSize, let frames = FileFormat.audioStart(ofFLAC: file, at: start) else {
      return nil
    }
    return FLACFrameChain(file, header.blockSize, from: frames, to: end)
  }

  /// Returns the first sample of a FLAC stream in Ogg. It is not 0 if the file is a part of a stream.
  static func firstSample(inOgg file: FileInput) -> Int64 {
    // The stream's header is in the first packet, after the 9 bytes of the Ogg mapping (RFC 9639, 10.1).
    guard let head = OggPages.Page(file, at: 0), let header = FLACStreamInfo(file, at: head.body + 9),
      let page = OggPages.firstAudio(file),
      let bytes = file.bytes(page.body..<page.body + 16)
    else { return 0 }
    return bytes.withUnsafeBytes { FLACFrameHeader($0, header.blockSize)?.first } ?? 0
  }

  /// Finds the last frame before `end`. Returns nil if there is none near it.
  private init?(_ file: FileInput, _ header: FLACStreamInfo, _ end: Int64) {
    self.header = header
    // A frame takes about 10,000 bytes, and ten times as many if it has many channels and a high rate.
    for reach in [header.maximumFrameSize > 0 ? header.maximumFrameSize + 16 : 16_384, 262_144] {
      let from = max(header.firstFrame, end - reach)
      guard from < end, let tail = file.bytes(from..<end) else { return nil }
      if tail.withUnsafeBytes({ search($0) }) { return }
      if from == header.firstFrame { break }
    }
    return nil
  }

  /// Searches for the last complete frame. If `tail` does not contain it, searches for the last frame header.
  private mutating func search(_ tail: UnsafeRawBufferPointer) -> Bool {
    var broken: Int64?
    // The frame before a damaged one costs the checksums of both.
    var work = FLACFrameChain.maximumWork * tail.count
    for at in stride(from: tail.count - 10, through: 0, by: -1) where tail[at] == 0xFF {
      let rest = UnsafeRawBufferPointer(rebasing: tail[at...])
      guard let frame = FLACFrameHeader(rest, header.blockSize) else { continue }
      work -= rest.count
      guard work >= 0 else { break }
      // The checksum of a frame including its own checksum is 0.
      if Checksum.flacFrame.compute(rest) == 0 {
        (end, isTruncated) = (frame.first + frame.count, false)
        return true
      }
      if broken == nil, header.total == 0 || frame.first < header.total { broken = frame.first }
    }
    guard let broken else { return false }
    end = broken
    return true
  }
}
