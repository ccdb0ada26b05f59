// Decoding thread only.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWire

/// The length of an MPEG audio layer 3 file. If the size of the file confirms the tag in its first frame, the tag
/// states the length. Otherwise the MPEG frames are counted.
struct MPEGLength {
  /// The number of PCM frames.
  let count: Int64?
  let kind: DurationKind
  /// Whether delay and padding are known.
  let gapless: Audio.Gapless

  /// Determines the length of `file`. `tag` is in the frame at `offset`, which begins with `header`. If the size of the
  /// file does not confirm the tag, the MPEG frames in `limit` bytes are counted. If `trims` is true, the tag's delay
  /// and padding are subtracted.
  init(
    _ file: SourceFile, _ header: MPEGFrameHeader, at offset: Int64, tag: GaplessTag.Xing?, limit: Int64, trims: Bool
  ) {
    let stated = (tag?.frameCount).flatMap { $0 > 0 ? $0 : nil }
    let marks = trims && stated != nil ? tag?.delayAndPadding : nil
    // The decoder's delay moves the audio towards the end of the output. If the padding is shorter than this delay, the
    // last frames of the audio are missing.
    let cut = marks.map { $0.delay + max($0.padding, GaplessTag.layer3Delay) } ?? 0
    gapless = marks == nil ? .approximate : .exact
    if let tag, let stated, tag.isConfirmed(file, header, at: offset) {
      count = max(0, stated * Int64(header.samples) - cut)
      kind = .exact
      return
    }
    // libavformat skips the frame of a tag that states a number of frames or bytes.
    let isSkipped = stated != nil || (tag?.byteCount ?? 0) > 0
    guard let index = MPEGFrameIndex(file, from: isSkipped ? offset + Int64(header.size) : offset, limit: limit) else {
      count = nil
      kind = .estimated
      return
    }
    let frames = index.isComplete ? Int64(index.count) : index.estimatedCount(file)
    count = frames.map { max(0, $0 * Int64(index.samples) - cut) }
    kind = index.isComplete && (stated == nil || stated == frames) ? .exact : .estimated
  }

  /// Returns the part of the audio that these frames contain, according to the tag `stated`. `count` must include
  /// the delay, which is the case unless `trims` was true.
  func coverage(of stated: GaplessTag) -> Coverage {
    guard let count, let promised = stated.count, promised < 1 << 40 else { return .unknown }
    // The decoder's delay and the padding add a few frames.
    let needed = promised + stated.delay
    let surplus = count - needed
    guard surplus < 0 || surplus > 8 * 1152 else { return kind == .exact ? .whole : .unknown }
    return .share(Double(count) / Double(needed))
  }
}

extension GaplessTag.Xing {
  /// Returns whether the file has as many bytes after `offset`, the position of its first frame, as the tag states, and
  /// whether the stated number of frames fits into them.
  func isConfirmed(_ file: SourceFile, _ header: MPEGFrameHeader, at offset: Int64) -> Bool {
    guard let frames = frameCount, let bytes = byteCount, frames > 0, bytes > 0, frames < 1 << 32,
      let end = TrailingTags.audioEnd(file),
      let next = MPEGFrameIndex.header(in: file, at: offset + Int64(header.size)), next.kind == header.kind
    else { return false }
    // Not every encoder counts the frame of the tag itself.
    guard (0...Int64(header.size)).contains(end - offset - bytes) else { return false }
    // The size of a frame in bytes, divided by its bit rate.
    let perBitRate = Double(header.samples) / 8 / Double(header.rate)
    let perFrame = Double(bytes) / Double(frames)
    return isConstantRate
      ? abs(Double(bytes) / (perBitRate * Double(next.bitRate)) - Double(frames)) <= 2
        // The range is from the lowest bit rate to the highest. In a short file, the frame of the tag has more weight.
      : (perBitRate * 8_000...perBitRate * 320_000 * Double(frames + 1) / Double(frames) + 1).contains(perFrame)
  }
}
