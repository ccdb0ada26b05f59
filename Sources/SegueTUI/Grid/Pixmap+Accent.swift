internal import SegueClientKit

extension Pixmap {
  /// The number of ranges of hues that are compared.
  private static let hueCount = 24
  /// The minimum sum of the weights, as a share of the number of pixels. A pixel of the greatest chroma has the
  /// weight 1.
  private static let minimumShare = 0.01

  /// The colour that stands out: the mean of the pixels of the hue that has the most vivid ones. Nil for a picture of
  /// greys.
  var accent: RGBColor? {
    var sums = Array(repeating: Sum(), count: Self.hueCount)
    forEachPixel { red, green, blue in
      let (high, low) = (max(red, green, blue), min(red, green, blue))
      let chroma = Double(high) - Double(low)
      // Dark pixels and those that are nearly grey have no hue that an eye would name.
      guard high >= 48, chroma >= 32 else { return }
      let third: Double =
        if high == red {
          (Double(green) - Double(blue)) / chroma
        } else if high == green {
          (Double(blue) - Double(red)) / chroma + 2
        } else {
          (Double(red) - Double(green)) / chroma + 4
        }
      let hue = (third < 0 ? third + 6 : third) / 6
      let index = min(Int(hue * Double(Self.hueCount)), Self.hueCount - 1)
      sums[index].add(red, green, blue, weight: chroma * chroma / (255 * 255))
    }
    // A colour at the border of two ranges is in both.
    let strengths = sums.indices.map { sums[$0].weight + sums[($0 + 1) % Self.hueCount].weight }
    guard let best = strengths.indices.max(by: { strengths[$0] < strengths[$1] }),
      strengths[best] >= Self.minimumShare * Double(width * height)
    else { return nil }
    return (sums[best] + sums[(best + 1) % Self.hueCount]).mean
  }

  /// The sum of colours with their weights.
  private struct Sum {
    private var (red, green, blue) = (0.0, 0.0, 0.0)
    private(set) var weight = 0.0

    mutating func add(_ red: UInt8, _ green: UInt8, _ blue: UInt8, weight: Double) {
      self.red += Double(red) * weight
      self.green += Double(green) * weight
      self.blue += Double(blue) * weight
      self.weight += weight
    }

    static func + (a: Sum, b: Sum) -> Sum {
      var sum = a
      sum.red += b.red
      sum.green += b.green
      sum.blue += b.blue
      sum.weight += b.weight
      return sum
    }

    var mean: RGBColor {
      func channel(_ sum: Double) -> UInt8 { UInt8(min(255, (sum / weight).rounded())) }
      return RGBColor(red: channel(red), green: channel(green), blue: channel(blue))
    }
  }
}
