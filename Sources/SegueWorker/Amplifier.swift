// Decoding thread only.
internal import Glibc
internal import SegueSystem

/// Makes PCM louder or softer. What goes beyond full scale is cut off there, but for float, whose server does so.
///
/// 16 bits are too few for the product: dither (triangular, of one step either way) turns its error into a faint noise.
/// Digital silence stays what it is. With 32 bits the error lies below what any converter resolves.
final class Amplifier {
  private let factor: Double
  /// The same, in 2⁻³².
  private let fixed: Int64
  private var noise: UInt64 = 0x9E37_79B9_7F4A_7C15
  private var scratch: UnsafeMutableRawBufferPointer = .allocate(byteCount: 64 * 1024, alignment: 64)

  /// At most 60 dB either way.
  init(decibels: Double) {
    factor = pow(10, decibels / 20)
    fixed = Int64((factor * 0x1p32).rounded())
  }

  deinit { scratch.deallocate() }

  /// What becomes of `bytes`, which are whole samples. Valid until the next call.
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

  /// Two even chances less each other, in 2⁻³²: xorshift, which is noise enough for the ear.
  @inline(__always)
  private func dither() -> Int64 {
    noise ^= noise << 13
    noise ^= noise >> 7
    noise ^= noise << 17
    return Int64(noise >> 32) - Int64(noise & 0xFFFF_FFFF)
  }
}
