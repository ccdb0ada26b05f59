internal import Glibc

/// A colour of the sRGB space.
struct RGBColor: Hashable, Sendable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

  /// Creates a colour from the number that its six hexadecimal digits are.
  init(_ number: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
      blue: UInt8(truncatingIfNeeded: number))
  }

  /// Creates the colour that a text such as `#a6e3a1` names; nil for any other text.
  init?(hexadecimal text: String) {
    guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit),
      let number = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(number)
  }

  /// The number that the six hexadecimal digits of the colour are.
  var number: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

  /// The relative luminance, from 0 to 1 (WCAG 2.2).
  var luminance: Double { 0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue) }

  private static func linear(_ channel: UInt8) -> Double {
    let value = Double(channel) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// Returns the contrast with another colour, from 1 to 21 (WCAG 2.2).
  func contrast(with other: RGBColor) -> Double {
    let (a, b) = (luminance, other.luminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// Returns the square of the distance to another colour, in which the eye's sensitivity to the channels counts.
  fileprivate func distance(to other: RGBColor) -> Int {
    func square(_ a: UInt8, _ b: UInt8) -> Int { (Int(a) - Int(b)) * (Int(a) - Int(b)) }
    return 3 * square(red, other.red) + 4 * square(green, other.green) + 2 * square(blue, other.blue)
  }
}

/// The colours of xterm's palette that users do not redefine: the numbers 16 to 255.
enum IndexedPalette {
  /// The lowest number.
  static let first: UInt8 = 16
  private static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
  private static let colors: [RGBColor] = {
    let cube = (0..<216).map { RGBColor(red: levels[$0 / 36], green: levels[$0 / 6 % 6], blue: levels[$0 % 6]) }
    let grays = (0..<24).map { UInt8(8 + 10 * $0) }.map { RGBColor(red: $0, green: $0, blue: $0) }
    return cube + grays
  }()

  /// Returns the colour with a number of at least `first`.
  static func color(_ index: UInt8) -> RGBColor { colors[Int(index - first)] }

  /// Returns the number of the colour that is most like another one. With a `background`, only colours count whose
  /// contrast with it is at least `contrast`.
  static func nearest(
    to color: RGBColor, on background: RGBColor? = nil, contrast: Double = 1
  ) -> UInt8 {
    var (nearest, distance) = (first, Int.max)
    for index in first...UInt8.max {
      let candidate = self.color(index)
      let other = candidate.distance(to: color)
      guard other < distance, background.map({ candidate.contrast(with: $0) >= contrast }) ?? true else { continue }
      (nearest, distance) = (index, other)
    }
    return nearest
  }
}
