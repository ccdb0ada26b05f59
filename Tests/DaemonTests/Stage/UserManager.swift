import Glibc
import SegueSystem
import SegueTestKit
import SegueWire

/// A real `systemd --user` of a test's own, with home and runtime folder of its own, for which Segue has been installed
/// by contrib/install. Gone with the object, and all it started with it.
final class UserManager {
  private let folder: TemporaryFolder
  private let process: ChildProcess
  private let environment: [String: String]
  /// What a command is begun with to run there: systemd takes orders from processes whose number it knows.
  private let inside: [String]

  var home: FilePath { folder.path.appending("home") }
  var socket: FilePath { folder.path.appending("run/segue/socket") }

  private static let script = Repository.root.appending("contrib/lib/with-user-manager").description

  /// Whether this process may make one. Not under a sanitizer: the units forbid what those do.
  static let isAllowed: Bool = {
    guard geteuid() == 0, !Sanitizer.isOn, let folder = try? TemporaryFolder() else { return false }
    let environment = ["HOME": folder.path.description, "XDG_RUNTIME_DIR": folder.path.description]
    return (try? Command.run([script, "/", "root", "true"], environment: environment))?.code == 0
  }()

  /// Brings it up, and installs. `pulse`: what the services it starts play to.
  init(pulse: PulseServer? = nil) throws {
    folder = try TemporaryFolder()
    for name in ["home", "run"] { folder.path.appending(name).withCString { _ = mkdir($0, 0o700) } }
    let environment = [
      "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
      "HOME": folder.path.appending("home").description, "XDG_RUNTIME_DIR": folder.path.appending("run").description,
      "PULSE_SERVER": pulse?.address ?? "unix:/nonexistent",
    ]
    self.environment = environment
    let installed = try Command.run(
      [
        Repository.root.appending("contrib/install").description, "--user", "--bin",
        WorkerProcess.product("segued").parent.description,
      ], environment: environment)
    guard installed.code == 0 else { throw Unexpected(installed.said) }
    process = try ChildProcess([Self.script, "/", "root", "sleep", "infinity"], environment: environment)
    // Script, unshare, and the script again as process 1 of the namespaces.
    let child = process.pid
    let inside = try look(every: MediaTime(seconds: 0.02)) {
      try Processes.children(of: child).flatMap(Processes.children).first { pid in
        try Command.run(
          Self.enter(pid) + ["systemctl", "--user", "is-active", "basic.target"], environment: environment
        )
        .code == 0
      }
    }
    guard let inside else { throw Unexpected("systemd --user is not up") }
    self.inside = Self.enter(inside)
  }

  private static func enter(_ process: Int32) -> [String] {
    ["nsenter", "--target", "\(process)", "--mount", "--pid", "--cgroup", "--"]
  }

  deinit { process.end() }

  @discardableResult
  func systemctl(_ arguments: String...) throws -> String {
    let (code, said) = try Command.run(inside + ["systemctl", "--user"] + arguments, environment: environment)
    guard code == 0 else { throw Unexpected("systemctl \(arguments): \(said)") }
    return said
  }

  /// A property of the service, or of `unit`.
  func property(_ name: String, of unit: String = "segued.service") throws -> String {
    let said = try systemctl("show", "--value", "--property", name, unit)
    return said.hasSuffix("\n") ? String(said.dropLast()) : said
  }

  /// Waits until it has this value.
  func wait(for name: String, _ value: String) throws {
    var last = ""
    let came = try look(every: MediaTime(seconds: 0.02)) {
      last = try property(name)
      return last == value ? true : nil
    }
    if came == nil { throw Unexpected("\(name) is \(last), not \(value)") }
  }

  /// The daemon's number in the namespace of its manager.
  func mainProcess() throws -> String { try property("MainPID") }

  func connect() throws -> SocketClient { try SocketClient(to: socket) }

  /// Changes the unit as its user may (systemd.unit(5), drop-in).
  func override(_ lines: String) throws {
    let place = home.appending(".config/systemd/user/segued.service.d")
    try Command.run(["mkdir", "-p", place.description])
    try AudioFile.write(Array(lines.utf8), to: place.appending("test.conf"))
    try systemctl("daemon-reload")
  }
}
