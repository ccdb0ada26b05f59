// Decoding thread only.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueTags

extension MediaTrack {
  /// Decoding from the start up to a target this near costs no more than a jump.
  private static let near = MediaTime.seconds(1)

  /// Jumps to where the first frame that is wanted can be decoded, if that is far away. False if the container or the
  /// codec cannot, or not exactly; then this track is of no use any more.
  func seek() throws(MediaError) -> Bool {
    let rate = trimmer.rate
    let target = trimmer.first.count
    let preroll = codec.preroll(at: rate)
    guard target - preroll > rate.frames(in: Self.near).count else { return true }
    guard let timeline, !codec.needsDecodingFromStart, !demuxer.rendersNotes, !demuxer.isChained else { return false }
    guard hasTimestampsOfTime(rate, upTo: target) else { return false }
    // Containers promise to go to or before what they are asked for. Where one does not, ask for less.
    for back in [Int64(0), 2 * Int64(rate.hertz), 10 * Int64(rate.hertz)] {
      let from = max(target - preroll - back, trimmer.origin)
      guard try demuxer.seek(to: timeline.timestamp(of: from)) else { return false }
      flush()
      guard try decodeTimed(), let pts = frame.pts else { continue }
      // Its timestamp counts frames of several rates.
      if demuxer.countsFrames, frame.rate != rate { return false }
      let position = timeline.frame(at: pts)
      if position <= target - preroll {
        trimmer.jump(to: position)
        hasFrame = true
        return true
      }
    }
    return false
  }

  /// Decodes until a frame has a timestamp. False at the end.
  private func decodeTimed() throws(MediaError) -> Bool {
    while try decode() {
      if frame.pts != nil, Interleaver.target(of: frame) != nil { return true }
    }
    return false
  }

  /// Whether timestamps tell the position: not where they count frames and the rate of those changes, or where they count
  /// from the beginning again. Of an MPEG file, libavformat gets the index that tells it.
  private func hasTimestampsOfTime(_ rate: SampleRate, upTo target: Int64) -> Bool {
    guard let file = demuxer.file, firstPacketOffset >= 0 else { return true }
    switch demuxer.formatName {
    case "flac":
      return FLACStreamInfo(file, at: FileFormat(file)?.audioStart ?? 0).map {
        FLACNumbering.isMeasureOfTime(file, $0, from: firstPacketOffset)
      } ?? true
    case "aac":
      let seconds = rate.time(of: Frames(target)).seconds
      return ADTSHeaders.haveOneRate(file, from: firstPacketOffset, lasting: seconds)
    case "mp3" where codec == .mp3:
      guard let timeline, let index = MPEGFrameIndex(file, from: firstPacketOffset) else { return true }
      index.add(to: demuxer, firstTimestamp: timeline.timestamp(of: trimmer.origin), rate: rate)
      return !index.isJoined || Int64(index.count * index.samples) > target
    default: return true
    }
  }
}
