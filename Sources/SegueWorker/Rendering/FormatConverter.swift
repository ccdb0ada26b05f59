// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWire

/// A converter of the frames of a track to one format, so that a change of rate, channels or sample format within the
/// track causes no gap. Frames that have the format already are unchanged.
///
/// The format is that of the first frame. A live stream has no end, and would be played for hours in the format of an
/// announcement. Therefore its format changes if a frame has a higher rate or more channels.
struct FormatConverter {
  private(set) var target: AudioFormat
  private let isEndless: Bool
  private var resampler: Resampler?
  /// The position of the next output frame in the track, at the target's rate; nil before the first frame.
  private var next: Frames?

  /// PCM in the format of the track. `at` counts from the beginning of the track or range.
  struct Output {
    let format: AudioFormat
    let at: Frames
    /// The bytes are valid until the next call.
    let bytes: UnsafeRawBufferPointer
  }

  init(first: AudioFormat, isEndless: Bool) {
    target = first.played
    self.isEndless = isEndless
  }

  /// Converts `bytes`, which have `format` and begin at `frame` of the track, at the rate of `format`. If the resampler
  /// has not returned any output yet, returns nil. `drain(before:)` must be called first, and `remainder()` afterwards,
  /// until they return nil.
  mutating func convert(
    _ bytes: UnsafeRawBufferPointer, of format: AudioFormat, at frame: Frames
  ) throws(MediaError) -> Output? {
    if isEndless { widen(for: format.played) }
    if next == nil { next = target.rate.frames(in: format.rate.time(of: frame)) }
    guard format != target else { return output(bytes) }
    if resampler == nil { resampler = Resampler(from: format, to: target) }
    guard let resampler else {
      throw .unplayable("cannot convert \(format.channels.count) channels at \(format.rate) to \(target.rate)")
    }
    return output(resampler.convert(bytes))
  }

  /// Returns the next part of the output for the frames that were converted last; nil if there is no more.
  mutating func remainder() -> Output? {
    guard let resampler else { return nil }
    return output(resampler.remainder())
  }

  /// Returns a part of the output that the resampler still holds, if frames of `format` or the end of the track follow.
  mutating func drain(before format: AudioFormat?) -> Output? {
    guard let resampler, resampler.source != format else { return nil }
    if let rest = output(resampler.drain()) { return rest }
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
  /// The format that is written to the ring: this format, unless its rate exceeds that of all sound servers. (DSD128
  /// and higher decode to 705,600 Hz or more.)
  var played: AudioFormat {
    guard rate > .maximumOutput else { return self }
    var played = self
    played.rate = rate.hertz % 44_100 == 0 ? SampleRate(352_800) : .maximumOutput
    return played
  }
}
