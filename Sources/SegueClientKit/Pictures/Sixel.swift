internal import SegueSystem

/// Sixel output through `img2sixel`, the program of libsixel. Statically linked programs cannot load the library.
enum Sixel {
  private static let program = "img2sixel"

  /// Whether the program is on the `PATH`.
  static var isAvailable: Bool { Spawn.finds(program) }

  /// The maximum size of a picture in sixels, which exceeds that of a whole screen.
  private static let maximumBytes = 32 << 20

  /// The maximum time that a picture takes. A picture that the daemon has made takes some hundredths of a second.
  private static let timeout = MediaTime.milliseconds(500)

  /// Returns the sequence that draws the picture at `path` with this size in pixels; nil if the program fails, takes
  /// too long, or writes something else than one device control string (ECMA-48, section 5.6).
  static func sequence(_ path: FilePath, width: Int, height: Int) -> [UInt8]? {
    let output = try? Spawn.output(
      of: program, ["-w", "\(width)", "-h", "\(height)", path.description], upTo: maximumBytes, within: timeout)
    guard let output, output.starts(with: [0x1B, UInt8(ascii: "P")]),
      output.dropFirst(2).firstIndex(of: 0x1B) == output.endIndex - 2, output.last == UInt8(ascii: "\\")
    else { return nil }
    return output
  }
}
