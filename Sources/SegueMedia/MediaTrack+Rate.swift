// Decoding thread only.
internal import SegueSystem

extension MediaTrack {
  /// `bytes` as they leave the track; nil if the resampler has taken them in and given nothing yet.
  func downsampled(_ bytes: UnsafeRawBufferPointer, at frame: Frames) -> Piece? {
    guard format.rate > .highestPlayed else { return .pcm(format, at: frame, bytes) }
    if downsampler == nil {
      downsampler = Resampler(from: format, to: format.played)
      downsampledFrame = format.played.rate.frames(in: format.rate.time(of: frame))
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

  private func piece(_ downsampler: Resampler, _ bytes: UnsafeRawBufferPointer) -> Piece? {
    guard bytes.count > 0 else { return nil }
    let at = downsampledFrame
    downsampledFrame += Frames(bytes.count / downsampler.target.bytesPerFrame)
    return .pcm(downsampler.target, at: at, bytes)
  }
}

extension AudioFormat {
  /// Itself, unless its rate is higher than any sound server takes (DSD at 128 times and more decodes to 705,600 Hz).
  var played: AudioFormat {
    guard rate > .highestPlayed else { return self }
    var played = self
    played.rate = rate.hertz % 44_100 == 0 ? SampleRate(352_800) : .highestPlayed
    return played
  }
}
