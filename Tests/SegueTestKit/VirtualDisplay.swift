internal import Glibc
internal import SegueSystem

/// An X server without a monitor, whose pixels a test can read and whose pointer it can move. Only the thread of the
/// test uses it.
public final class VirtualDisplay {
  public static let width = 640
  public static let height = 64

  private let server: ChildProcess
  private let folder: TemporaryFolder
  private let number: Int
  private var compositor: ChildProcess?
  private var bus: SessionBus?

  public init() throws {
    folder = try TemporaryFolder()
    var ends: [Int32] = [-1, -1]
    try checked("pipe") { pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    do {
      defer { close(ends[1]) }
      server = try ChildProcess(
        [
          "Xvfb", "-displayfd", "3", "-screen", "0", "\(Self.width)x\(Self.height)x24", "-fbdir", "\(folder.path)",
          "-noreset", "-nolisten", "tcp",
        ], environment: ["PATH": "/usr/bin:/bin"], third: ends[1])
    }
    // The server writes its display number when it accepts connections.
    var output: [UInt8] = []
    var byte: UInt8 = 0
    while read(ends[0], &byte, 1) == 1, byte != UInt8(ascii: "\n") { output.append(byte) }
    guard let number = Int(String(decoding: output, as: UTF8.self)) else {
      server.end(SIGKILL)
      throw Unexpected("Xvfb has no free display")
    }
    self.number = number
    // The pointer must not cover the bar at the top.
    try move(["mousemove", "\(Self.width - 1)", "\(Self.height - 1)"])
  }

  deinit {
    compositor?.end(SIGKILL)
    // By SIGTERM, so that the server removes its socket.
    server.end()
  }

  /// The environment with which a program finds the X server, or the Wayland compositor in it, and ignores the settings
  /// of the user.
  public var environment: [String: String] {
    var variables = [
      "HOME": "\(folder.path)", "XDG_RUNTIME_DIR": "\(folder.path)", "XDG_CONFIG_HOME": "\(folder.path)",
      "LC_ALL": "C.UTF-8", "GSETTINGS_BACKEND": "memory",
      "DBUS_SESSION_BUS_ADDRESS": bus?.address ?? "unix:path=/nonexistent",
    ]
    if compositor == nil { variables["DISPLAY"] = ":\(number)" } else { variables["WAYLAND_DISPLAY"] = "wayland-1" }
    return variables
  }

  /// Starts sway, which covers the display, for programs that use Wayland, and a session bus, without which Waybar 0.12
  /// and later end.
  public func startSway() throws {
    bus = try SessionBus(at: folder.path.appending("bus"))
    let size = "\(Self.width)x\(Self.height)"
    let settings = try folder.write("sway", Array("output * resolution \(size)\nxwayland disable\n".utf8))
    var command = ["sway", "--config", "\(settings)"]
    if geteuid() == 0 {
      // Sway refuses to run as root. It runs as nobody, who must own the folder.
      let nobody: uid_t = 65534
      try checked("chown") { folder.path.withCString { chown($0, nobody, nobody) } }
      command = ["setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups", "--"] + command
    }
    let variables = ["PATH": "/usr/bin:/bin", "WLR_BACKENDS": "x11", "WLR_RENDERER": "pixman"]
    let sway = try ChildProcess(command, environment: environment.merging(variables) { $1 })
    compositor = sway
    let socket = "\(folder.path)/wayland-1"
    try waitUntil("sway accepts connections") { isListening(at: socket) }
  }

  /// Returns the topmost `height` lines of the display, 4 bytes per pixel.
  public func pixels(height: Int) throws -> [UInt8] {
    let path = folder.path.appending("Xvfb_screen0")
    let file = Descriptor(
      owning: try checked("open", "\(path)") { path.withCString { open($0, O_RDONLY | O_CLOEXEC) } })
    // An XWD file ends with the pixels.
    let all = 4 * Self.width * Self.height
    let size = try checked("lseek") { lseek(file.raw, 0, SEEK_END) }
    var pixels = [UInt8](repeating: 0, count: 4 * Self.width * height)
    let count = try checked("pread") { pread(file.raw, &pixels, pixels.count, size - all) }
    precondition(count == pixels.count)
    return pixels
  }

  /// Clicks a button of the mouse at a position. The buttons 4 and 5 are the wheel.
  public func click(_ button: Int, at x: Int, _ y: Int) throws {
    try move(["mousemove", "\(x)", "\(y)", "click", "\(button)"])
  }

  private func move(_ words: [String]) throws {
    let (code, text) = try ChildProcess.run(
      ["xdotool"] + words, environment: ["PATH": "/usr/bin:/bin", "DISPLAY": ":\(number)"], errors: true)
    guard code == 0 else { throw Unexpected("xdotool: \(text)") }
  }
}
