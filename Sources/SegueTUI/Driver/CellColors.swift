internal import Glibc
internal import SegueClientKit

/// The numbers by which curses knows the looks of cells, for one palette and one terminal.
///
/// Curses knows the colours of a terminal by numbers, of which most terminals have 256. For colours of 24 bits, the
/// numbers of the palette stand for those that a frame uses, and `direct` puts the colours into the bytes that curses
/// has written.
struct CellColors {
  /// A look as curses displays it. A colour is -1 for that of the terminal.
  struct Style {
    let emphasis: Int32
    let foreground: Int32
    let background: Int32
  }

  private let depth: ColorDepth
  /// Whether the numbers of curses are colours of 24 bits.
  private let hasDirectNumbers: Bool
  /// The colours for which the numbers from `IndexedPalette.first` on stand, and their numbers.
  private var colors: [RGBColor] = []
  private var numbers: [RGBColor: UInt8] = [:]

  private(set) var palette = Palette.monochrome

  /// Creates the numbers for a terminal for which curses has `count` colours.
  init(count: Int, hasTrueColor: Bool) {
    hasDirectNumbers = count > 256
    depth = count < 8 ? .none : count < 256 ? .basic : hasTrueColor || hasDirectNumbers ? .direct : .indexed
  }

  /// Takes another palette. Returns whether curses must write the whole screen, because its numbers stand for other
  /// colours now.
  mutating func use(_ palette: Palette) -> Bool {
    guard palette != self.palette else { return false }
    let isReused = !colors.isEmpty
    self.palette = palette
    (colors, numbers) = ([], [:])
    return isReused
  }

  /// Returns the style of a look.
  mutating func style(of look: Look) -> Style {
    var displayed = palette.style(of: look, depth: depth)
    // The colour of blank text is invisible.
    if look.isBelowPicture { displayed.foreground = .indexed(0) }
    return Style(
      emphasis: Int32(displayed.emphasis.rawValue), foreground: number(displayed.foreground),
      background: number(displayed.background))
  }

  private mutating func number(_ color: CellStyle.Color?) -> Int32 {
    switch color {
    case nil: return -1
    case .indexed(let index): return Int32(index)
    // The lowest numbers are the eight colours of ANSI.
    case .direct(let color) where hasDirectNumbers: return Int32(max(color.number, 8))
    case .direct(let color):
      if let number = numbers[color] { return Int32(number) }
      // A palette has few colours, so that the numbers suffice.
      let number = IndexedPalette.first + UInt8(clamping: colors.count)
      colors.append(color)
      numbers[color] = number
      return Int32(number)
    }
  }

  /// Returns bytes that curses has written with the colours of 24 bits in place of their numbers: `38;5;N` and `48;5;N`
  /// in the sequences that set attributes (ECMA-48, SGR), also with colons.
  func direct(_ bytes: [UInt8]) -> [UInt8] {
    guard !colors.isEmpty else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    var rest = bytes[...]
    while let escape = rest.firstIndex(of: 0x1B) {
      result += rest[..<escape]
      rest = rest[escape...]
      let parameters = rest.dropFirst(2).prefix { (0x30...0x3F).contains($0) }
      let end = parameters.endIndex
      guard rest.dropFirst().first == UInt8(ascii: "["), end < rest.endIndex, rest[end] == UInt8(ascii: "m") else {
        result.append(rest.removeFirst())
        continue
      }
      result += [0x1B, UInt8(ascii: "[")]
      appendDirect(parameters, to: &result)
      rest = rest[end...]
    }
    return result + rest
  }

  private func appendDirect(_ parameters: ArraySlice<UInt8>, to result: inout [UInt8]) {
    let isSeparator = { (byte: UInt8) in byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") }
    let words = parameters.split(omittingEmptySubsequences: false, whereSeparator: isSeparator)
    var index = 0
    while index < words.count {
      if index > 0 { result.append(parameters[words[index].startIndex - 1]) }
      if let color = color(words.dropFirst(index)) {
        result += words[index]
        result += ";2;\(color.red);\(color.green);\(color.blue)".utf8
        index += 3
      } else {
        result += words[index]
        index += 1
      }
    }
  }

  /// Returns the colour that the first three of some parameters set; nil if they set none of those of the frame.
  private func color(_ words: ArraySlice<ArraySlice<UInt8>>) -> RGBColor? {
    let first = words.prefix(3).map { String(decoding: $0, as: UTF8.self) }
    guard first.count == 3, first[0] == "38" || first[0] == "48", first[1] == "5", let number = Int(first[2]) else {
      return nil
    }
    let index = number - Int(IndexedPalette.first)
    return colors.indices.contains(index) ? colors[index] : nil
  }
}
