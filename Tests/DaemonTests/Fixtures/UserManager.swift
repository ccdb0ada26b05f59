import Glibc
import SegueSystem
import SegueTestKit
import SegueWire

/// A private `systemd --user` with its own home and runtime folders, in which contrib/install has installed Segue. It
/// ends with the object, together with everything that it started. It runs as an unprivileged user, because the service
/// manager of root accepts settings that others refuse.
final class UserManager {
  private let folder: TemporaryFolder
  private let process: ChildProcess
  private let environment: [String: String]
  /// The command prefix that runs a command there, because systemd accepts requests only from its own PID namespace.
  private let inside: [String]

  var home: FilePath { folder.path.appending("home") }
  var socket: FilePath { folder.path.appending("run/segue/socket") }

  private static let script = Repository.root.appending("contrib/lib/with-user-manager").description

  /// Every system has this user, and it owns no files.
  private static let user = "nobody"

  /// Whether this process may create one. The units forbid what sanitizers need.
  static let isAllowed: Bool = {
    guard geteuid() == 0, !Sanitizer.isOn, let folder = try? TemporaryFolder(), (try? give(folder.path)) != nil else {
      return false
    }
    let environment = ["HOME": folder.path.description, "XDG_RUNTIME_DIR": folder.path.description]
    return (try? Command.run([script, "/", user, "true"], environment: environment))?.code == 0
  }()

  /// Starts systemd and installs Segue. `pulse` is the sound server of its services.
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
    guard installed.code == 0 else { throw Unexpected(installed.output) }
    try Self.give(folder.path)
    // Every user may connect to the socket in it.
    if let pulse { _ = chmod(pulse.directory, 0o711) }
    process = try ChildProcess([Self.script, "/", Self.user, "sleep", "infinity"], environment: environment)
    // The processes are the script, unshare, and the script again as process 1 of the namespaces.
    let child = process.pid
    let inside = try waitForValue(every: .milliseconds(20)) {
      try Processes.children(of: child).flatMap(Processes.children).first { pid in
        try Command.run(
          try Self.enter(pid) + ["systemctl", "--user", "is-active", "basic.target"], environment: environment
        )
        .code == 0
      }
    }
    guard let inside else { throw Unexpected("systemd --user has not started") }
    self.inside = try Self.enter(inside)
  }

  private static func enter(_ process: Int32) throws -> [String] {
    guard let entry = getpwnam(user)?.pointee else { throw Unexpected("there is no user \(user)") }
    return [
      "nsenter", "--target", "\(process)", "--mount", "--pid", "--cgroup", "--setuid", "\(entry.pw_uid)", "--setgid",
      "\(entry.pw_gid)", "--",
    ]
  }

  /// Changes the owner of `path` and its contents to the user.
  private static func give(_ path: FilePath) throws {
    let (code, output) = try Command.run(["chown", "--recursive", "\(user):", path.description])
    guard code == 0 else { throw Unexpected(output) }
  }

  deinit { process.end() }

  @discardableResult
  func systemctl(_ arguments: String...) throws -> String { try run(["systemctl", "--user"] + arguments) }

  /// Runs a command as the user of systemd in its namespaces and returns the output.
  func run(_ command: String...) throws -> String { try run(command) }

  func run(_ command: [String]) throws -> String {
    let (code, output) = try Command.run(inside + command, environment: environment)
    guard code == 0 else { throw Unexpected("\(command): \(output)") }
    return output
  }

  /// Returns a property of the service or of `unit`.
  func property(_ name: String, of unit: String = "segued.service") throws -> String {
    let output = try systemctl("show", "--value", "--property", name, unit)
    return output.hasSuffix("\n") ? String(output.dropLast()) : output
  }

  /// Waits until the property has this value.
  func wait(for name: String, _ value: String, of unit: String = "segued.service") throws {
    var last = ""
    let found = try waitForValue(every: .milliseconds(20)) {
      last = try property(name, of: unit)
      return last == value ? true : nil
    }
    if found == nil { throw Unexpected("\(name) is \(last) instead of \(value)") }
  }

  /// The process id of the daemon in the namespace of systemd.
  func mainProcess() throws -> String { try property("MainPID") }

  func connect() throws -> SocketClient { try SocketClient(to: socket) }

  /// Adds a drop-in to the unit (systemd.unit(5)).
  func override(_ lines: String) throws {
    try write(Array(lines.utf8), to: ".config/systemd/user/segued.service.d/test.conf")
    try systemctl("daemon-reload")
  }

  /// Writes a file into the home folder of the user and returns its path.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> FilePath {
    let path = home.appending(name)
    try Command.run(["mkdir", "-p", path.parent.description])
    try AudioFile.write(bytes, to: path)
    try Self.give(home)
    return path
  }
}
