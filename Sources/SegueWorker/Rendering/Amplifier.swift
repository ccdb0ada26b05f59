// Thread: the decoding thread.
internal import Glibc
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// An amplifier of PCM. Samples beyond full scale are clipped, except for float samples, which the sound server clips;
/// with a limiter there are none.
///
/// 16 bits are too few for the product of a sample and the gain. Triangular dither of one step turns the rounding error
/// into faint noise. Digital silence is unchanged. With 32 bits the error is below the resolution of any converter.
final class Amplifier {
  private let factor: Double
  /// `factor` in units of 2⁻³².
  private let fixed: Int64
  private var noise: UInt64 = 0x9E37_79B9_7F4A_7C15
  private var scratch: UnsafeMutableRawBufferPointer = .allocate(byteCount: 64 * 1024, alignment: 64)
  private let limiter: Limiter?

  /// Creates an amplifier with a gain between -60 and 60 dB. Returns nil if it would change nothing.
  init?(_ gain: AppliedGain) {
    guard gain.decibels != 0 else { return nil }
    factor = pow(10, gain.decibels / 20)
    fixed = Self.fixedPoint(factor)
    limiter = gain.limit == .limiter ? Limiter() : nil
  }

  private static func fixedPoint(_ factor: Double) -> Int64 { Int64((factor * 0x1p32).rounded()) }
  private static func singlePrecision(_ factor: Double) -> Float { Float(factor) }

  deinit { scratch.deallocate() }

  /// Returns `bytes`, which are whole frames, with the gain applied. The result is valid until the next call.
  func apply(_ format: AudioFormat, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    if bytes.count > scratch.count {
      scratch.deallocate()
      scratch = .allocate(byteCount: bytes.count, alignment: 64)
    }
    switch format.sample {
    case .signed16:
      each(bytes, format, fullScale: Double(Int16.max), fixed, Self.fixedPoint) { (x: Int16, fixed: Int64) in
        guard x != 0 else { return 0 }
        // At 60 dB the product has 57 bits.
        return Int16(clamping: (Int64(x) * fixed + dither() + 0x8000_0000) >> 32)
      }
    case .signed32:
      each(bytes, format, fullScale: Double(Int32.max), factor, \.self) { (x: Int32, factor: Double) in
        Int32(clamping: Int64((Double(x) * factor).rounded()))
      }
    case .float32:
      each(bytes, format, fullScale: 1, Float(factor), Self.singlePrecision) { (x: Float, factor: Float) in x * factor }
    }
    return UnsafeRawBufferPointer(rebasing: scratch[..<bytes.count])
  }

  /// Changes every sample. `factor` is what `change` multiplies by; `reduced` makes such a factor of a number if the
  /// limiter acts.
  @inline(__always)
  private func each<Sample: LevelSample, Factor>(
    _ bytes: UnsafeRawBufferPointer, _ format: AudioFormat, fullScale: Double, _ factor: Factor,
    _ reduced: (Double) -> Factor, _ change: (Sample, Factor) -> Sample
  ) {
    let source = bytes.assumingMemoryBound(to: Sample.self)
    let target = scratch.bindMemory(to: Sample.self)
    let channels = Int(format.channels.count)
    let scale = self.factor / fullScale
    let isReduced =
      limiter?.prepare(frames: source.count / channels, at: format.rate) { frame in
        var level = 0.0
        for index in (frame * channels)..<((frame + 1) * channels) { level = max(level, source[index].level) }
        return level * scale
      } ?? false
    guard isReduced, let limiter else {
      for index in 0..<source.count { target[index] = change(source[index], factor) }
      return
    }
    for frame in 0..<(source.count / channels) {
      let gain = limiter.gains[frame]
      let factor = gain == 1 ? factor : reduced(self.factor * gain)
      for index in (frame * channels)..<((frame + 1) * channels) { target[index] = change(source[index], factor) }
    }
  }

  /// Returns the difference of two random numbers between 0 and 1, in units of 2⁻³². The generator is xorshift, which
  /// is random enough for audio.
  @inline(__always)
  private func dither() -> Int64 {
    noise ^= noise << 13
    noise ^= noise >> 7
    noise ^= noise << 17
    return Int64(noise >> 32) - Int64(noise & 0xFFFF_FFFF)
  }
}

extension GainParameters {
  /// The maximum gain in dB. A higher gain is an error in the tags, and would overflow.
  private static let largest = 60.0
  /// The minimum gain in dB. A smaller gain is inaudible, and does not change samples of 16 bits.
  private static let smallest = 0.001

  /// Returns the gain of a track whose tags state `tags`; nil if it has none.
  func gain(for tags: ReplayGain) -> AppliedGain? {
    guard let basis else { return nil }
    let track = [
      (tags.trackGain, tags.trackPeak ?? measured.trackPeak), (measured.trackGain, measured.trackPeak),
    ]
    let album = [
      (tags.albumGain, tags.albumPeak ?? measured.albumPeak), (measured.albumGain, measured.albumPeak),
    ]
    // If the preferred gain is unknown, the other one is used.
    let known = (basis == .track ? track + album : album + track).first { $0.0 != nil }
    let requested = (known?.0.map { $0 + preamp } ?? fallback).clamped(to: -Self.largest...Self.largest)
    let peak = known.map(\.1) ?? tags.trackPeak ?? measured.trackPeak
    var gain = AppliedGain(requested)
    if preventsClipping, let peak {
      let highest = -20 * log10(peak)
      if highest < requested { gain = AppliedGain(highest, requested: requested, limit: .peak) }
    } else if preventsClipping, requested >= Self.smallest {
      gain.limit = .limiter
    }
    if abs(gain.decibels) < Self.smallest { gain.decibels = 0 }
    gain.decibels = gain.decibels.clamped(to: -Self.largest...Self.largest)
    return gain.decibels == 0 && gain.limit == nil ? nil : gain
  }
}
