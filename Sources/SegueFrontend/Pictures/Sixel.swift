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
    // The terminal interface blocks signals, which the program must not inherit.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    guard posix_spawnp(&child, program, nil, &attributes, arguments, environ) == 0 else { return }
    _ = try? checked("waitpid") { waitpid(child, nil, 0) }
  }
}
