/// Pictures of DEC's sixels: columns of six pixels in one colour of a palette. The program encodes them itself: neither
/// the client, which is linked statically, nor the interface needs a library or another program for that.
enum Sixel {
  /// The number of colours that terminals with sixels have.
  private static let colorCount = 256
  /// The height of a band in pixels.
  private static let bandHeight = 6

  /// Returns the sequence that draws the picture with this size in pixels.
  static func sequence(_ picture: Pixmap, width: Int, height: Int) -> [UInt8] {
    let pixels = picture.scaled(width: width, height: height)
    var palette = SixelPalette(pixels, maximum: colorCount)
    // Pixels without a colour stay as they are. The aspect ratio of a pixel is 1:1.
    var output = Array("\u{1B}P0;1;0q\"1;1;\(width);\(height)".utf8)
    for (number, color) in palette.colors.enumerated() {
      let parts = [color.red, color.green, color.blue].map { "\((Int($0) * 100 + 127) / 255)" }
      output += "#\(number);2;\(parts.joined(separator: ";"))".utf8
    }
    let indices = palette.indices(pixels, width: width)
    for top in stride(from: 0, to: height, by: bandHeight) {
      if top > 0 { output.append(UInt8(ascii: "-")) }
      appendBand(indices[(top * width)..<(min(height, top + bandHeight) * width)], width, &output)
    }
    return output + Array("\u{1B}\\".utf8)
  }

  /// Appends a band, colour by colour.
  private static func appendBand(_ band: ArraySlice<UInt8>, _ width: Int, _ output: inout [UInt8]) {
    var patterns: [UInt8: [UInt8]] = [:]
    for (offset, color) in band.enumerated() {
      patterns[color, default: [UInt8](repeating: 0, count: width)][offset % width] |= 1 << UInt8(offset / width)
    }
    for (index, (color, pattern)) in patterns.sorted(by: { $0.key < $1.key }).enumerated() {
      // The next colour begins at the left again.
      if index > 0 { output.append(UInt8(ascii: "$")) }
      output += "#\(color)".utf8
      appendRuns(pattern, &output)
    }
  }

  /// Appends the sixels of one colour. Repeated ones are counted, and empty ones at the end are left out.
  private static func appendRuns(_ pattern: [UInt8], _ output: inout [UInt8]) {
    guard let last = pattern.lastIndex(where: { $0 != 0 }) else { return }
    var start = 0
    while start <= last {
      let end = pattern[start...last].firstIndex { $0 != pattern[start] } ?? last + 1
      let character = pattern[start] + UInt8(ascii: "?")
      if end - start > 3 {
        output += "!\(end - start)".utf8
        output.append(character)
      } else {
        output += repeatElement(character, count: end - start)
      }
      start = end
    }
  }
}
