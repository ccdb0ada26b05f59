internal import Glibc
internal import SegueSystem

/// Sixel output through `img2sixel`, the program of libsixel. Statically linked programs cannot load the library.
enum Sixel {
  private static let program = "img2sixel"

  /// Whether the program is on the `PATH`.
  static var isAvailable: Bool {
    guard let folders = Directories.environment("PATH")?.bytes.split(separator: UInt8(ascii: ":")) else { return false }
    return folders.contains { folder in
      FilePath(bytes: Array(folder)).appending(program).withCString { access($0, X_OK) == 0 }
    }
  }

  /// The maximum size of a picture in sixels, which exceeds that of a whole screen.
  private static let maximumBytes = 32 << 20

  /// Returns the sequence that draws the picture at `path` with this size in pixels; nil if the program fails.
  static func sequence(_ path: FilePath, width: Int, height: Int) -> [UInt8]? {
    try? Spawn.output(
      of: program, ["-w", "\(width)", "-h", "\(height)", path.description], upTo: maximumBytes)
  }
}
