internal import CQREncode

/// A QR code, which a phone reads with its camera.
struct QRCode {
  /// The number of modules in a row, without the quiet zone around the code.
  let width: Int
  /// Whether each module is dark, row by row.
  private let modules: [Bool]

  /// The width of the quiet zone in modules (ISO/IEC 18004).
  private static let quietZone = 4

  /// Returns nil for a text that is too long.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_L) else { return nil }
    defer { QRcode_free(code) }
    width = Int(code.pointee.width)
    modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
  }

  private func isDark(_ row: Int, _ column: Int) -> Bool {
    (0..<width).contains(row) && (0..<width).contains(column) && modules[row * width + column]
  }

  /// The lines for a terminal: dark on light whatever its colours are, because cameras do not read the reverse. A cell
  /// has two modules, one above the other.
  var lines: [String] {
    let (start, end) = (-Self.quietZone, width + Self.quietZone)
    return stride(from: start, to: end, by: 2).map { row in
      let cells = (start..<end).map { column in
        switch (isDark(row, column), row + 1 < end && isDark(row + 1, column)) {
        case (false, false): " "
        case (true, false): "▀"
        case (false, true): "▄"
        case (true, true): "█"
        }
      }
      // Black of the palette may be grey; these are the colours of the cube with 216 colours.
      return "\u{1B}[38;5;16;48;5;231m\(cells.joined())\u{1B}[0m"
    }
  }
}
