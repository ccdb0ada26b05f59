import Testing

@testable import SegueClientKit

/// Tests of sixels.
@Suite struct SixelTests {
  private func picture(width: Int, height: Int, _ color: (Int, Int) -> [Int]) throws -> Pixmap {
    let pixels = (0..<height).flatMap { row in (0..<width).flatMap { color(row, $0).map { UInt8($0) } } }
    return try #require(Pixmap(file: Array("P6 \(width) \(height) 255 ".utf8) + pixels))
  }

  @Test func bandsHaveSixRowsAndRunsAreCounted() throws {
    let flag = try picture(width: 5, height: 7) { row, _ in row < 3 ? [255, 0, 0] : [0, 0, 255] }
    #expect(
      String(decoding: Sixel.sequence(flag, width: 5, height: 7), as: UTF8.self)
        == "\u{1B}P0;1;0q\"1;1;5;7#0;2;0;0;100#1;2;100;0;0#0!5w$#1!5F-#0!5@\u{1B}\\")
  }

  /// The mean differences are those of 256 colours and of percent in place of bytes.
  @Test func aTerminalDrawsThePicture() throws {
    let (width, height) = (97, 50)
    let gradient = try picture(width: width, height: height) { row, column in
      [row * 5, column * 2, 255 - row * 2 - column]
    }
    let drawn = try draw(Sixel.sequence(gradient, width: width, height: height), width: width, height: height)
    let expected = gradient.scaled(width: width, height: height)
    for channel in 0..<3 {
      var (sum, bias) = (0, 0)
      for (color, pixel) in zip(drawn, expected) {
        let difference = color[channel] - Int([pixel.red, pixel.green, pixel.blue][channel])
        sum += abs(difference)
        bias += difference
      }
      #expect(sum < 10 * drawn.count && abs(bias) < 3 * drawn.count, "channel \(channel): \(sum), \(bias)")
    }
  }

  /// Draws a sequence as a terminal does. All pixels must be drawn, and once.
  private func draw(_ sequence: [UInt8], width: Int, height: Int) throws -> [[Int]] {
    var rest = String(decoding: sequence, as: UTF8.self)[...]
    let head = try #require(rest.firstMatch(of: /^\u{1B}P0;1;0q"1;1;(\d+);(\d+)/))
    #expect(Int(head.1) == width && Int(head.2) == height && rest.hasSuffix("\u{1B}\\"))
    rest = rest[head.range.upperBound...].dropLast(2)
    var palette: [Int: [Int]] = [:]
    var pixels = [[Int]?](repeating: nil, count: width * height)
    var (color, column, top) = (0, 0, 0)
    while let token = rest.firstMatch(of: /^(?:#(\d+);2;(\d+);(\d+);(\d+)|#(\d+)|!(\d+)([?-~])|([?-~])|[$-])/) {
      rest = rest[token.range.upperBound...]
      let text = token.output
      if let number = text.1, let red = text.2, let green = text.3, let blue = text.4 {
        palette[try #require(Int(number))] = [red, green, blue].map { (Int($0) ?? 0) * 255 / 100 }
      } else if let number = text.5 {
        color = try #require(Int(number))
      } else if let sixel = text.7 ?? text.8 {
        let bits = Int(try #require(sixel.utf8.first)) - 63
        let drawn: [Int] = try #require(palette[color])
        for _ in 0..<(text.6.flatMap { Int($0) } ?? 1) {
          for row in 0..<6 where bits >> row & 1 == 1 {
            let place = (top + row) * width + column
            #expect(pixels[place] == nil)
            pixels[place] = drawn
          }
          column += 1
        }
      } else {
        column = 0
        if text.0 == "-" { top += 6 }
      }
    }
    #expect(rest.isEmpty && palette.count <= 256 && pixels.allSatisfy { $0 != nil })
    return pixels.compactMap { $0 }
  }
}
