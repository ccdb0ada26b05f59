/// The brightness of the background of the terminal: the requests for it, and the responses.
enum TerminalBackground {
  /// The requests for the colour of the background (xterm's control sequences, OSC 11) and for the scheme of colours
  /// (https://contour-terminal.org/vt-extensions/color-palette-update-notifications). Terminals respond to those that
  /// they know.
  static let requests = "\u{1B}]11;?\u{1B}\\\u{1B}[?996n"

  /// Returns the brightness of the colour in the body of a response to OSC 11, such as `11;rgb:ffff/ffff/ffff`; nil for
  /// any other body.
  static func brightness(response body: ArraySlice<UInt8>) -> Brightness? {
    let text = String(decoding: body, as: UTF8.self)
    guard text.hasPrefix("11;rgb:") || text.hasPrefix("11;rgba:"), let colon = text.lastIndex(of: ":") else {
      return nil
    }
    let parts = text[text.index(after: colon)...].split(separator: "/").map { part -> Double? in
      guard 1...4 ~= part.utf8.count, let value = UInt16(part, radix: 16) else { return nil }
      return Double(value) / Double(1 << (4 * part.utf8.count) - 1)
    }
    guard parts.count >= 3, let red = parts[0], let green = parts[1], let blue = parts[2] else { return nil }
    // The weights are those of the luma of Rec. 709.
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? .light : .dark
  }

  /// Returns the brightness that the parameters of a report CSI ? … n state; nil for any other report.
  static func brightness(report numbers: [Int]) -> Brightness? {
    guard numbers.count == 2, numbers[0] == 997 else { return nil }
    return numbers[1] == 1 ? .dark : numbers[1] == 2 ? .light : nil
  }
}
