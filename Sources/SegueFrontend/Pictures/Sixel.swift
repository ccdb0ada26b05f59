internal import Glibc
public import SegueSystem

/// Sixel output through `img2sixel`, the program of libsixel. Statically linked programs cannot load the library.
public enum Sixel {
  private static let program = "img2sixel"

  /// Whether the program is on the `PATH`.
  public static var isAvailable: Bool {
    guard let folders = Directories.environment("PATH")?.bytes.split(separator: UInt8(ascii: ":")) else { return false }
    return folders.contains { folder in
      FilePath(bytes: Array(folder)).appending(program).withCString { access($0, X_OK) == 0 }
    }
  }

  /// Draws the picture at `path` with this size in pixels directly on standard output.
  public static func draw(_ path: FilePath, width: Int, height: Int) {
    let words = [program, "-w", "\(width)", "-h", "\(height)", path.description]
    let arguments = words.map { word in strdup(word) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: Int32 = 0
    guard posix_spawnp(&child, program, nil, nil, arguments, environ) == 0 else { return }
    _ = try? checked("waitpid") { waitpid(child, nil, 0) }
  }
}
