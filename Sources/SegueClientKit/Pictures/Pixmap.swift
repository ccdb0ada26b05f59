public import SegueSystem

/// A picture as pixels of red, green and blue.
public struct Pixmap: Equatable {
  public let width: Int
  public let height: Int
  /// Three bytes for each pixel, from the upper left one to the lower right one.
  private let bytes: [UInt8]

  /// The maximum size of a file. It exceeds the size of every small cover that the daemon produces.
  private static let maximumBytes = 1 << 20

  /// Reads a binary PPM file with 8 bits a colour (ppm(5)). Returns nil if the file is unreadable, too large or another
  /// one.
  public init?(_ path: FilePath) {
    guard let file = try? SmallFile.read(path, upTo: Self.maximumBytes) else { return nil }
    self.init(file: file)
  }

  /// Parses a binary PPM file with 8 bits a colour and without comments.
  init?(file: [UInt8]) {
    var rest = file[...]
    guard rest.starts(with: Array("P6".utf8)) else { return nil }
    rest = rest.dropFirst(2)
    guard let width = Self.number(&rest), let height = Self.number(&rest), Self.number(&rest) == 255,
      width > 0, height > 0, rest.count - 1 == width * height * 3
    else { return nil }
    self.width = width
    self.height = height
    bytes = Array(rest.dropFirst())
  }

  /// Takes a number of the header with the white space before it.
  private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
    rest = rest.drop { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard (1...5).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Calls `body` with the red, green and blue of every pixel.
  public func forEachPixel(_ body: (UInt8, UInt8, UInt8) -> Void) {
    for start in stride(from: 0, to: bytes.count, by: 3) { body(bytes[start], bytes[start + 1], bytes[start + 2]) }
  }

  /// Returns the picture at another size. Each pixel is the mean of the pixels that it covers.
  func scaled(width newWidth: Int, height newHeight: Int) -> [Color] {
    func range(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
      let start = index * length / count
      return start..<max(start + 1, (index + 1) * length / count)
    }
    return (0..<newHeight).flatMap { row in
      let rows = range(row, of: newHeight, in: height)
      return (0..<newWidth).map { mean(rows, range($0, of: newWidth, in: width)) }
    }
  }

  private func mean(_ rows: Range<Int>, _ columns: Range<Int>) -> Color {
    var (red, green, blue) = (0, 0, 0)
    for row in rows {
      for column in columns {
        let start = (row * width + column) * 3
        red += Int(bytes[start])
        green += Int(bytes[start + 1])
        blue += Int(bytes[start + 2])
      }
    }
    let count = rows.count * columns.count
    return Color(red: UInt8(red / count), green: UInt8(green / count), blue: UInt8(blue / count))
  }

  /// The colour of a pixel.
  struct Color: Equatable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    /// The most similar colour of the 256 colours of xterm: one of its cube of 6 × 6 × 6 colours, or a grey.
    var paletteIndex: Int {
      func step(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
      func distance(_ other: (Int, Int, Int)) -> Int {
        let (red, green, blue) = (Int(red) - other.0, Int(green) - other.1, Int(blue) - other.2)
        return red * red + green * green + blue * blue
      }
      let levels = [0, 95, 135, 175, 215, 255]
      let cube = (step(red), step(green), step(blue))
      let mean = (Int(red) + Int(green) + Int(blue)) / 3
      let gray = ((mean - 3) / 10).clamped(to: 0...23)
      let level = 8 + 10 * gray
      return distance((level, level, level)) < distance((levels[cube.0], levels[cube.1], levels[cube.2]))
        ? 232 + gray : 16 + 36 * cube.0 + 6 * cube.1 + cube.2
    }
  }
}

/// Pictures of characters: each cell is an upper half block, whose foreground is the upper pixel and whose background
/// is the lower one.
enum HalfBlocks {
  /// Returns the sequence that draws the picture into `box` at the cursor.
  static func sequence(_ picture: Pixmap, _ box: PictureBox, hasTrueColor: Bool) -> [UInt8] {
    let colors = picture.scaled(width: box.columns, height: box.rows * 2)
    func code(_ color: Pixmap.Color) -> String {
      hasTrueColor ? "2;\(color.red);\(color.green);\(color.blue)" : "5;\(color.paletteIndex)"
    }
    var text = ""
    for row in 0..<box.rows {
      if row > 0 { text += "\u{1B}[\(box.columns)D\u{1B}[B" }
      var last: (upper: Pixmap.Color, lower: Pixmap.Color)?
      for column in 0..<box.columns {
        let (upper, lower) = (colors[2 * row * box.columns + column], colors[(2 * row + 1) * box.columns + column])
        if last == nil || last! != (upper, lower) {
          text += "\u{1B}[38;\(code(upper));48;\(code(lower))m"
          last = (upper, lower)
        }
        text += "▀"
      }
      text += "\u{1B}[m"
    }
    return Array(text.utf8)
  }
}
