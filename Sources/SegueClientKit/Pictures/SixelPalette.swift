internal import SegueSystem

/// The colours in which a picture is drawn: the median cut of its colours.
struct SixelPalette {
  private(set) var colors: [Pixmap.Color] = []
  /// The numbers of the nearest colours by the upper five bits of red, green and blue; -1 if they are not known yet.
  private var numbers = [Int16](repeating: -1, count: 1 << 15)

  /// The pixels with the same upper five bits.
  private struct Bin {
    let key: Int
    var count = 0
    var red = 0
    var green = 0
    var blue = 0

    mutating func add(_ pixel: Pixmap.Color) {
      count += 1
      red += Int(pixel.red)
      green += Int(pixel.green)
      blue += Int(pixel.blue)
    }

    func value(_ channel: Int) -> Int { key >> (10 - 5 * channel) & 31 }
  }

  /// Creates a palette of at most `maximum` colours, and at most 256.
  init(_ pixels: [Pixmap.Color], maximum: Int) {
    var bins = numbers.indices.map { Bin(key: $0) }
    for pixel in pixels { bins[Self.key(Int(pixel.red), Int(pixel.green), Int(pixel.blue))].add(pixel) }
    var boxes = [bins.filter { $0.count > 0 }]
    var weights = boxes.map(Self.weight)
    while boxes.count < min(maximum, 256), let greatest = weights.max(), greatest > 0,
      let index = weights.firstIndex(of: greatest)
    {
      let (first, second) = Self.divide(boxes[index])
      (boxes[index], weights[index]) = (first, Self.weight(first))
      boxes.append(second)
      weights.append(Self.weight(second))
    }
    for box in boxes where !box.isEmpty {
      let count = box.reduce(0) { $0 + $1.count }
      func mean(_ channel: KeyPath<Bin, Int>) -> UInt8 { UInt8(box.reduce(0) { $0 + $1[keyPath: channel] } / count) }
      for bin in box { numbers[bin.key] = Int16(colors.count) }
      colors.append(Pixmap.Color(red: mean(\.red), green: mean(\.green), blue: mean(\.blue)))
    }
  }

  /// Returns the numbers of the colours of pixels. What a colour differs from its pixel is added to the next pixels
  /// (the error diffusion of Floyd and Steinberg).
  mutating func indices(_ pixels: [Pixmap.Color], width: Int) -> [UInt8] {
    var indices: [UInt8] = []
    indices.reserveCapacity(pixels.count)
    var errors = [Int](repeating: 0, count: (width + 2) * 3)
    for row in 0..<(pixels.count / max(1, width)) {
      var next = [Int](repeating: 0, count: errors.count)
      for column in 0..<width {
        let pixel = pixels[row * width + column]
        let place = column * 3
        let red = (Int(pixel.red) + errors[place + 3] / 16).clamped(to: 0...255)
        let green = (Int(pixel.green) + errors[place + 4] / 16).clamped(to: 0...255)
        let blue = (Int(pixel.blue) + errors[place + 5] / 16).clamped(to: 0...255)
        let number = number(red, green, blue)
        let color = colors[number]
        indices.append(UInt8(number))
        func spread(_ error: Int, _ place: Int) {
          errors[place + 6] += error * 7
          next[place] += error * 3
          next[place + 3] += error * 5
          next[place + 6] += error
        }
        spread(red - Int(color.red), place)
        spread(green - Int(color.green), place + 1)
        spread(blue - Int(color.blue), place + 2)
      }
      errors = next
    }
    return indices
  }

  private mutating func number(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    let key = Self.key(red, green, blue)
    if numbers[key] >= 0 { return Int(numbers[key]) }
    func distance(_ color: Pixmap.Color) -> Int {
      let (red, green, blue) = (Int(color.red) - red, Int(color.green) - green, Int(color.blue) - blue)
      return red * red + green * green + blue * blue
    }
    let nearest = colors.indices.min { distance(colors[$0]) < distance(colors[$1]) } ?? 0
    numbers[key] = Int16(nearest)
    return nearest
  }

  private static func key(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    (red >> 3) << 10 | (green >> 3) << 5 | blue >> 3
  }

  private static func range(_ box: [Bin], _ channel: Int) -> Int {
    let values = box.lazy.map { $0.value(channel) }
    return (values.max() ?? 0) - (values.min() ?? 0)
  }

  /// The number of pixels of a box and the length of its longest side; 0 if the box cannot be divided.
  private static func weight(_ box: [Bin]) -> Int {
    box.reduce(0) { $0 + $1.count } * (0..<3).reduce(0) { max($0, range(box, $1)) }
  }

  /// Divides a box along its longest side, so that both parts have half of the pixels.
  private static func divide(_ box: [Bin]) -> ([Bin], [Bin]) {
    let channel = (0..<3).max { range(box, $0) < range(box, $1) } ?? 0
    let sorted = box.sorted { ($0.value(channel), $0.key) < ($1.value(channel), $1.key) }
    let half = sorted.reduce(0) { $0 + $1.count } / 2
    var (count, index) = (sorted[0].count, 1)
    while index < sorted.count - 1, count + sorted[index].count <= half {
      count += sorted[index].count
      index += 1
    }
    return (Array(sorted[..<index]), Array(sorted[index...]))
  }
}
