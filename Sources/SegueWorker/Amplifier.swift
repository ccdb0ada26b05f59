// Decoding thread only.
internal import Glibc
internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// An amplifier of PCM. Samples beyond full scale are clipped, except for float samples, which the sound server clips.
///
/// 16 bits are too few for the product of a sample and the gain. Triangular dither of one step turns the rounding error
/// into faint noise. Digital silence is unchanged. With 32 bits the error is below the resolution of any converter.
final class Amplifier {
  private let factor: Double
  /// `factor` in units of 2⁻³².
  private let fixed: Int64
  private var noise: UInt64 = 0x9E37_79B9_7F4A_7C15
  private var scratch: UnsafeMutableRawBufferPointer = .allocate(byteCount: 64 * 1024, alignment: 64)

  /// Creates an amplifier with a gain between -60 and 60 dB.
  init(decibels: Double) {
    factor = pow(10, decibels / 20)
    fixed = Int64((factor * 0x1p32).rounded())
  }

  deinit { scratch.deallocate() }

  /// Returns `bytes`, which are whole samples, with the gain applied. The result is valid until the next call.
  func apply(_ sample: SampleFormat, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    if bytes.count > scratch.count {
      scratch.deallocate()
      scratch = .allocate(byteCount: bytes.count, alignment: 64)
    }
    switch sample {
    case .signed16:
      each(bytes) { (x: Int16) in
        guard x != 0 else { return 0 }
        // At 60 dB the product has 57 bits.
        return Int16(clamping: (Int64(x) * fixed + dither() + 0x8000_0000) >> 32)
      }
    case .signed32:
      each(bytes) { (x: Int32) in Int32(clamping: Int64((Double(x) * factor).rounded())) }
    case .float32:
      let factor = Float(factor)
      each(bytes) { (x: Float) in x * factor }
    }
    return UnsafeRawBufferPointer(rebasing: scratch[..<bytes.count])
  }

  @inline(__always)
  private func each<Sample: BitwiseCopyable>(_ bytes: UnsafeRawBufferPointer, _ change: (Sample) -> Sample) {
    let source = bytes.assumingMemoryBound(to: Sample.self)
    let target = scratch.bindMemory(to: Sample.self)
    for index in 0..<source.count { target[index] = change(source[index]) }
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

  /// Returns the gain in dB for a track whose tags state `tags`; nil if the track is played unchanged.
  func decibels(_ tags: ReplayGain) -> Double? {
    guard let basis else { return nil }
    let track = [
      (tags.trackGain, tags.trackPeak ?? measured.trackPeak), (measured.trackGain, measured.trackPeak),
    ]
    let album = [
      (tags.albumGain, tags.albumPeak ?? measured.albumPeak), (measured.albumGain, measured.albumPeak),
    ]
    // If the preferred gain is unknown, the other one is used.
    let known = (basis == .track ? track + album : album + track).first { $0.0 != nil }
    var gain = known?.0.map { $0 + preamp } ?? fallback
    if preventsClipping { gain = min(gain, -20 * log10(known?.1 ?? 1)) }
    return abs(gain) < Self.smallest ? nil : gain.clamped(to: -Self.largest...Self.largest)
  }
}
