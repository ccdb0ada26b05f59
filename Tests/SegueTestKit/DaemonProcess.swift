public import Glibc
public import SegueSystem

/// A process of the real `segued` with folders and a socket of its own. It can be killed and started again on the same
/// folders. Only the thread of the test uses it.
public final class DaemonProcess: TestedDaemon {
  /// The folder that contains the home, the XDG folders and the socket. It is removed with this object.
  public var directory: FilePath { folder.path }
  public let socket: FilePath
  /// The environment, which may be changed between `kill` and `start`.
  public var environment: [String: String]
  /// The program, which may be changed between `kill` and `start`.
  public var program = WorkerProcess.product("segued")
  private let folder: TemporaryFolder
  /// The runtime folder of the daemon.
  public let runtimeFolder: FilePath
  /// The owner of `runtimeFolder` if that is not in `folder`.
  private let runtime: TemporaryFolder?
  private let notifications: NotifySocket
  private var process: ChildProcess?

  /// Starts the daemon and returns when it listens.
  /// - Parameters:
  ///   - pulse: The sound server; nil for none.
  ///   - running: Whether the daemon is started. If false, the test starts it.
  ///   - runtimeOnDisk: Whether the runtime folder is "run" in `directory`. If false, it is in memory, as on users'
  ///     machines, if this machine has such a file system.
  public init(
    _ arguments: [String] = [], pulse: PulseServer? = nil, environment: [String: String] = [:], running: Bool = true,
    runtimeOnDisk: Bool = false
  ) throws {
    folder = try TemporaryFolder()
    runtime = runtimeOnDisk ? nil : try? TemporaryFolder(in: "/dev/shm")
    let directory = folder.path
    runtimeFolder = runtime?.path ?? directory.appending("run")
    socket = runtimeFolder.appending("segue/socket")
    notifications = try NotifySocket(at: directory.appending("notify"))
    for folder in ["home", "run", "music"] { directory.appending(folder).withCString { _ = mkdir($0, 0o700) } }
    self.environment = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "\(directory)/home",
      "XDG_RUNTIME_DIR": "\(runtimeFolder)", "XDG_MUSIC_DIR": "\(directory)/music",
      "NOTIFY_SOCKET": "\(directory)/notify", "PULSE_SERVER": pulse?.address ?? "unix:\(directory)/no-server",
      // Tests must not use the system bus of the machine.
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(directory)/system-bus",
    ].merging(environment) { $1 }
    if running { try start(arguments) }
  }

  deinit {
    guard let process else { return }
    guard !process.isRunning else {
      process.end(SIGKILL)
      return
    }
    // The daemon ended by itself. The test only sees that it no longer responds.
    let report = Array("segued \(process.pid) ended by itself, wait status \(process.wait()):\n\(errors)\n".utf8)
    _ = write(2, report, report.count)
  }

  public var pid: Int32? { process?.pid }

  public func start(_ arguments: [String]) throws { try start(arguments, listener: nil) }

  /// Starts the daemon and returns when it listens. `listener` is a socket that it inherits as from a socket unit.
  public func start(_ arguments: [String] = [], listener: Int32?) throws {
    precondition(process == nil, "the daemon is already running")
    let child = try spawn(arguments, listener: listener)
    process = child
    while true {
      if let message = try notifications.next(waiting: 100), message.contains("READY=1") { return }
      if !child.isRunning {
        process = nil
        child.end(0)
        throw Unexpected("segued ended instead of listening: \(errors)")
      }
    }
  }

  /// Starts another daemon, which is expected to fail, and waits for its end.
  public func runToEnd(_ arguments: [String], listener: Int32? = nil) throws -> (code: Int32?, errors: String) {
    let before = errors.utf8.count
    let code = try spawn(arguments, listener: listener).end(0)
    return (code, String(errors.utf8.dropFirst(before)) ?? "")
  }

  /// Ends the daemon as a crash does, by SIGKILL.
  public func kill() {
    process?.end(SIGKILL)
    process = nil
  }

  /// Ends the daemon as the service manager does. Returns its exit code; nil if the signal killed it.
  @discardableResult
  public func stop(_ signal: Int32 = SIGTERM) -> Int32? {
    defer { process = nil }
    return process?.end(signal)
  }

  /// Waits for the end of a daemon that was stopped through its socket.
  public func waitForEnd() -> Int32? { stop(0) }

  public func signal(_ number: Int32) {
    guard let process else { return }
    Glibc.kill(process.pid, number)
  }

  /// Waits for a message to the service manager that satisfies `condition`, and returns it.
  public func notification(where condition: (String) -> Bool) throws -> String {
    for _ in 0..<(SocketClient.timeoutSeconds * 10) {
      if let message = try notifications.next(waiting: 100), condition(message) { return message }
    }
    throw Unexpected("the service manager got no such message")
  }

  /// The standard error of all processes so far.
  public var errors: String {
    let file = errorPath.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard file >= 0 else { return "" }
    defer { close(file) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while case let count = read(file, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
    return String(decoding: text, as: UTF8.self)
  }

  private var errorPath: FilePath { directory.appending("stderr") }

  private func spawn(_ arguments: [String], listener: Int32?) throws(SystemError) -> ChildProcess {
    let file = errorPath.withCString { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
    let errors = Descriptor(owning: file)
    let program = program.description
    guard let listener else {
      return try ChildProcess([program] + arguments, environment: environment, errors: errors.raw)
    }
    // Only the child itself knows its process id, which LISTEN_PID must contain.
    let command = ["sh", "-c", "LISTEN_FDS=1 LISTEN_PID=$$ exec \"$0\" \"$@\"", program] + arguments
    return try ChildProcess(command, environment: environment, errors: errors.raw, third: listener)
  }
}
