// Decoding thread only.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWire

/// The duration of an MPEG audio layer 3 file: by the tag in its first frame where the size of the file
/// confirms the tag, else by its frames.
struct MPEGLength {
  /// Sample frames to be heard.
  let count: Int64?
  let kind: DurationKind
  /// Whether delay and padding are known.
  let gapless: Audio.Gapless

  /// `tag` lies in the frame at `offset`, which begins with `header`. Without a tag that can be believed, `most` bytes of
  /// frames are counted. If `isMarked`, the tag's delay and padding are cut off.
  init(
    _ file: SourceFile, _ header: MPEGFrameHeader, at offset: Int64, tag: GaplessTag.Xing?, most: Int64, isMarked: Bool
  ) {
    let stated = (tag?.frameCount).flatMap { $0 > 0 ? $0 : nil }
    let marks = isMarked && stated != nil ? tag?.delayAndPadding : nil
    // A decoder's delay shows where the padding is less.
    let cut = marks.map { $0.delay + max($0.padding, GaplessTag.layer3Delay) } ?? 0
    gapless = marks == nil ? .approximate : .exact
    if let tag, let stated, tag.isConfirmed(file, header, at: offset) {
      count = max(0, stated * Int64(header.samples) - cut)
      kind = .exact
      return
    }
    // libavformat passes over the frame of a tag that counts something.
    let isSkipped = stated != nil || (tag?.byteCount ?? 0) > 0
    guard let index = MPEGFrameIndex(file, from: isSkipped ? offset + Int64(header.size) : offset, most: most) else {
      count = nil
      kind = .estimated
      return
    }
    let frames = index.isComplete ? Int64(index.count) : index.likelyCount(file)
    count = frames.map { max(0, $0 * Int64(index.samples) - cut) }
    kind = index.isComplete && (stated == nil || stated == frames) ? .exact : .estimated
  }

  /// Returns how much of the audio that `stated` promises is in these frames, without the delay.
  func coverage(of stated: GaplessTag) -> Coverage {
    guard let count, let promised = stated.count, promised < 1 << 40 else { return .unknown }
    // The decoder's delay and the padding make a few frames more.
    let needed = promised + stated.delay
    let surplus = count - needed
    guard surplus < 0 || surplus > 8 * 1152 else { return kind == .exact ? .whole : .unknown }
    return .share(Double(count) / Double(needed))
  }
}

extension GaplessTag.Xing {
  /// Whether the file, whose first frame lies at `offset`, has as many bytes as the tag counts, and no fewer or more
  /// frames than fit into them.
  func isConfirmed(_ file: SourceFile, _ header: MPEGFrameHeader, at offset: Int64) -> Bool {
    guard let frames = frameCount, let bytes = byteCount, frames > 0, bytes > 0, frames < 1 << 32,
      let end = TrailingTags.audioEnd(file),
      let next = MPEGFrameIndex.header(in: file, at: offset + Int64(header.size)), next.kind == header.kind
    else { return false }
    // The frame of the tag itself is not counted by every encoder.
    guard (0...Int64(header.size)).contains(end - offset - bytes) else { return false }
    let bytesPerBit = Double(header.samples) / 8 / Double(header.rate)
    let perFrame = Double(bytes) / Double(frames)
    return isConstantRate
      ? abs(Double(bytes) / (bytesPerBit * Double(next.bitRate)) - Double(frames)) <= 2
        // The range is from the least bit rate to the greatest. The tag's own frame has more weight in a short file.
      : (bytesPerBit * 8_000...bytesPerBit * 320_000 * Double(frames + 1) / Double(frames) + 1).contains(perFrame)
  }
}
