// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWire

/// The length of an MPEG audio file. If the size of the file confirms the tag in its first frame, the tag states the
/// length. Otherwise the MPEG frames are counted.
struct MPEGLength {
  /// The number of PCM frames.
  let count: Int64?
  let kind: DurationKind
  /// Whether delay and padding are known.
  let gapless: Audio.Gapless
  /// The number of PCM frames that the tag states, if its checksum is correct and the file has fewer.
  let promised: Int64?
  /// Whether the padding that the tag states follows the last frame.
  let endsWithPadding: Bool
  /// Whether all frames of the file were counted.
  private let isCounted: Bool

  /// Determines the length of `file`. `tag` is in the frame at `offset`, which begins with `header`. If the size of the
  /// file does not confirm the tag, the MPEG frames in `limit` bytes are counted as far as `examination` allows. If
  /// `trims` is true, the tag's delay and padding are subtracted.
  init(
    _ file: FileInput, _ header: MPEGFrameHeader, at offset: Int64, to end: Int64 = .max, tag: GaplessTag.Xing?,
    limit: Int64, trims: Bool, _ examination: Examination
  ) {
    let stated = (tag?.frameCount).flatMap { $0 > 0 && $0 < 1 << 32 ? $0 : nil }
    let marks = trims ? tag?.delayAndPadding : nil
    let delay = marks.map { $0.delay + GaplessTag.layer3Delay } ?? 0
    // The decoder's delay moves the audio towards the end of the output. If the padding is shorter than this delay, the
    // last frames of the audio are missing.
    let padding = marks.map { max(0, $0.padding - GaplessTag.layer3Delay) } ?? 0
    if let tag, let stated, tag.isConfirmed(file, header, at: offset) {
      count = max(0, stated * Int64(header.samples) - delay - padding)
      (kind, promised, endsWithPadding, isCounted) = (.exact, nil, true, false)
      gapless = marks == nil ? .approximate : .exact
      return
    }
    // libavformat skips the frame of a tag.
    let start = tag == nil ? offset : offset + Int64(header.size)
    let deadline = MonotonicTime.now + examination.limit
    guard let index = MPEGFrameIndex(file, from: start, to: end, limit: limit, until: deadline) else {
      (count, kind, gapless, promised, endsWithPadding, isCounted) = (nil, .estimated, .approximate, nil, false, false)
      return
    }
    isCounted = index.reachesEnd
    let samples = index.totalSamples(file)
    let wanted = stated.map { $0 * Int64(index.samples) }
    // If frames are missing, the padding is, too, and if there are others, the audio goes on.
    let isWhole = wanted == samples
    endsWithPadding = isWhole
    count = samples.map { max(0, $0 - delay - (isWhole ? padding : 0)) }
    // libavformat does not skip every tag that states no numbers.
    let isSkipped = tag == nil || stated != nil || tag?.byteCount ?? 0 > 0
    kind = index.isComplete && isSkipped && (wanted == nil || isWhole) ? .exact : .estimated
    gapless = marks != nil && isWhole ? .exact : .approximate
    promised =
      if let wanted, let samples, samples < wanted, tag?.hasValidChecksum == true { wanted - delay - padding } else {
        nil
      }
  }

  /// The number of frames that the decoder's delay and the padding add at most.
  private static let maximumPadding: Int64 = 8 * 1152

  /// Returns the part of the audio that these frames contain, according to the tag `stated`. `count` must include
  /// the delay, which is the case unless `trims` was true.
  func coverage(of stated: GaplessTag) -> Coverage {
    guard let count, let promised = stated.count, promised < 1 << 40 else { return .unknown }
    let needed = promised + stated.delay
    let surplus = count - needed
    guard surplus < 0 || surplus > Self.maximumPadding else { return kind == .exact ? .whole : .unknown }
    return .share(Double(count) / Double(needed))
  }

  /// Returns whether there is more audio than the tag `stated` counts, so that it is not the tag of all of it.
  func exceeds(_ stated: GaplessTag) -> Bool {
    guard isCounted, let count, let promised = stated.count, promised < 1 << 40 else { return false }
    return count - promised - stated.delay > Self.maximumPadding
  }
}

extension GaplessTag.Xing {
  /// Returns whether the file has as many bytes after `offset`, the position of its first frame, as the tag states, and
  /// whether the number of frames is correct: the checksum confirms it, or the bit rate, if it is constant.
  func isConfirmed(_ file: FileInput, _ header: MPEGFrameHeader, at offset: Int64) -> Bool {
    guard let frames = frameCount, let bytes = byteCount, frames > 0, bytes > 0, frames < 1 << 32,
      let end = TrailingTags.audioEnd(file),
      let next = MPEGFrameIndex.header(in: file, at: offset + Int64(header.size)), next.kind == header.kind
    else { return false }
    // Not every encoder counts the frame of the tag itself.
    guard [0, Int64(header.size)].contains(end - offset - bytes) else { return false }
    // The size of a frame in bytes, divided by its bit rate.
    let perBitRate = Double(header.samples) / 8 / Double(header.rate)
    let audio = Double(end - offset - Int64(header.size))
    if isConstantRate { return abs(audio / (perBitRate * Double(next.bitRate)) - Double(frames)) < 0.5 }
    // The range is from the lowest bit rate to the highest.
    return hasValidChecksum
      && (perBitRate * 8_000 - 1...perBitRate * 320_000 + 1).contains(audio / Double(frames))
  }
}
