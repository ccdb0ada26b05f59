// Decoding thread only.
internal import SegueFFmpeg
internal import SegueSystem

/// A converter that brings the frames of one track to one format: a change of rate, channels or samples within the
/// track is then no break. Frames that have the format already pass unchanged.
///
/// The format is that of the first frame. A live stream has no end, and would be played for hours in the format of an
/// announcement: its format follows a frame that has a higher rate or more channels.
struct FormatConverter {
  private(set) var target: AudioFormat
  private let isLive: Bool
  private var resampler: Resampler?
  /// The track frame, at the target's rate, that comes out next; nil before the first.
  private var next: Frames?

  /// PCM in the format of the track; `at` counts from the beginning of the track or range.
  struct Output {
    let format: AudioFormat
    let at: Frames
    /// Valid until the next call.
    let bytes: UnsafeRawBufferPointer
  }

  init(first: AudioFormat, isLive: Bool) {
    target = first.played
    self.isLive = isLive
  }

  /// Returns what has become of `bytes`, which are frames of `format` from `frame` of the track on, at the rate of
  /// `format`; nil if the resampler has taken them in and given nothing yet. `rest(before:)` comes first.
  mutating func convert(
    _ bytes: UnsafeRawBufferPointer, of format: AudioFormat, at frame: Frames
  ) throws(MediaError) -> Output? {
    if isLive { widen(for: format.played) }
    if next == nil { next = target.rate.frames(in: format.rate.time(of: frame)) }
    guard format != target else { return output(bytes) }
    if resampler == nil { resampler = Resampler(from: format, to: target) }
    guard let resampler else {
      throw .unplayable("\(format.channels.count) channels at \(format.rate) cannot be brought to \(target.rate)")
    }
    return output(resampler.convert(bytes))
  }

  /// Returns what the resampler still holds where frames of `format` follow, or nothing does.
  mutating func rest(before format: AudioFormat?) -> Output? {
    guard let resampler, resampler.source != format else { return nil }
    if let rest = output(resampler.convert(nil)) { return rest }
    self.resampler = nil
    return nil
  }

  private mutating func output(_ bytes: UnsafeRawBufferPointer) -> Output? {
    guard bytes.count > 0, let at = next else { return nil }
    next = at + Frames(bytes.count / target.bytesPerFrame)
    return Output(format: target, at: at, bytes: bytes)
  }

  private mutating func widen(for format: AudioFormat) {
    guard format.rate > target.rate || format.channels.count > target.channels.count else { return }
    let old = target
    target.rate = max(target.rate, format.rate)
    if format.channels.count > target.channels.count { target.channels = format.channels }
    next = next.map { target.rate.frames(in: old.rate.time(of: $0)) }
    resampler = nil
  }
}

extension AudioFormat {
  /// Itself, unless its rate is higher than any sound server takes (DSD at 128 times and more decodes to 705,600 Hz).
  var played: AudioFormat {
    guard rate > .maximumOutput else { return self }
    var played = self
    played.rate = rate.hertz % 44_100 == 0 ? SampleRate(352_800) : .maximumOutput
    return played
  }
}
