internal import Glibc

/// The division of the audible frequencies into bands of the same musical width: twelve in an octave.
enum SpectrumBands {
  static let count = 104
  private static let perOctave: Float = 12
  private static let lowest: Float = 40
  /// The number of bins over which the window of the transform spreads the power of a sine.
  private static let windowWidth: Float = 1.5
  /// The power of silence.
  private static let silence: Float = 1e-10

  /// The level of silence in decibels.
  static let silentLevel: Float = -100

  /// The lower edges of the bands in hertz, and the upper edge of the last one.
  private static let edges = (0...count).map { lowest * exp2f(Float($0) / perOctave) }

  /// Returns the band that contains a frequency, in hertz; nil if there is none.
  static func band(of frequency: Float) -> Int? {
    edges[0] <= frequency && frequency < edges[count] ? Int(log2f(frequency / lowest) * perOctave) : nil
  }

  /// Returns the levels of the bands in decibels, of which a sine of full scale has about 0. `powers` are those of
  /// frequencies up to half of `rate`.
  static func levels(of powers: UnsafeBufferPointer<Float>, rate: Float) -> [Float] {
    let binsPerHertz = 2 * Float(powers.count) / max(rate, 1)
    return (0..<count).map { band in
      let (lower, upper) = (edges[band] * binsPerHertz, edges[band + 1] * binsPerHertz)
      let power =
        upper - lower < 1
        ? interpolated(powers, at: (lower + upper) / 2) * (upper - lower) : sum(powers, from: lower, to: upper)
      return 10 * log10f(max(power / windowWidth, silence))
    }
  }

  /// Returns the power at a place between two bins.
  private static func interpolated(_ powers: UnsafeBufferPointer<Float>, at place: Float) -> Float {
    let bin = Int(place)
    guard bin + 1 < powers.count else { return 0 }
    let fraction = place - Float(bin)
    return powers[bin] * (1 - fraction) + powers[bin + 1] * fraction
  }

  /// Returns the sum of the bins between two places. A bin reaches from half a bin before its number to half a bin
  /// after it.
  private static func sum(_ powers: UnsafeBufferPointer<Float>, from lower: Float, to upper: Float) -> Float {
    var sum: Float = 0
    var bin = Int((lower).rounded())
    while bin < powers.count, Float(bin) - 0.5 < upper {
      let part = min(upper, Float(bin) + 0.5) - max(lower, Float(bin) - 0.5)
      sum += powers[bin] * part
      bin += 1
    }
    return sum
  }
}
