// Decoding thread only.
internal import SegueSystem

extension MediaTrack {
  /// `bytes` as they leave the track; nil if the resampler has taken them in and given nothing yet.
  func downsampled(_ bytes: UnsafeRawBufferPointer, at frame: Frames) -> Piece? {
    guard format.rate > .highestPlayed else { return .pcm(format, at: frame, bytes) }
    if downsampler == nil {
      downsampler = Downsampler(from: format)
      let target = Downsampler.target(of: format)
      downsampledFrame = target.rate.frames(in: format.rate.time(of: frame))
    }
    return downsampler.flatMap { piece($0, $0.convert(bytes)) }
  }

  /// What the resampler still holds once `next` (nil at the end) is of another format.
  func restOfDownsampler(before next: AudioFormat?) -> Piece? {
    guard let downsampler, downsampler.source != next else { return nil }
    if let rest = piece(downsampler, downsampler.convert(nil)) { return rest }
    self.downsampler = nil
    return nil
  }

  private func piece(_ downsampler: Downsampler, _ bytes: UnsafeRawBufferPointer) -> Piece? {
    guard bytes.count > 0 else { return nil }
    let at = downsampledFrame
    downsampledFrame += Frames(bytes.count / downsampler.target.bytesPerFrame)
    return .pcm(downsampler.target, at: at, bytes)
  }
}
