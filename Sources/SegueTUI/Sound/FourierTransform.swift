internal import CKissFFT
internal import Glibc

/// A Fourier transform of real samples, with a window of Hann. It holds some kilobytes of tables.
final class FourierTransform {
  /// The number of samples.
  let count: Int
  private let transform: OpaquePointer?
  private let window: [Float]
  private var windowed: [Float]
  private var powers: [Float]

  /// Creates a transform of `count` samples, a power of two.
  init(count: Int) {
    precondition(count >= 4 && count.nonzeroBitCount == 1, "the number of samples is not a power of two")
    self.count = count
    transform = segue_fft_create(UInt32(count))
    window = (0..<count).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(count))) }
    windowed = Array(repeating: 0, count: count)
    powers = Array(repeating: 0, count: count / 2)
  }

  deinit { segue_fft_destroy(transform) }

  /// Calls `body` with the powers of `count / 2` frequencies, from zero on. A sine of full scale has a power of 1 if
  /// its frequency is one of them.
  func withPowers<Result>(of samples: [Float], _ body: (UnsafeBufferPointer<Float>) -> Result) -> Result {
    precondition(samples.count == count, "the number of samples is another one")
    // The window halves the amplitude, which half of the samples have at the negative frequency.
    let scale = 4 / Float(count)
    for index in 0..<count { windowed[index] = samples[index] * window[index] * scale }
    segue_fft_powers(transform, &windowed, &powers)
    return powers.withUnsafeBufferPointer(body)
  }
}
