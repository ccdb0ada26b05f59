public import Glibc
public import SegueSystem

/// A real `segued` with a home, folders and a socket of its own, in the hands of a test. It can be killed and started again
/// on the same folders. One thread, the test's, has it.
public final class DaemonProcess {
  /// Home, XDG folders and socket lie in it; gone with the object.
  public var directory: FilePath { folder.path }
  public let socket: FilePath
  /// What it is started with; may be changed between a `kill` and a `start`.
  public var environment: [String: String]
  /// The program; may be changed between a `kill` and a `start`.
  public var program = WorkerProcess.product("segued")
  private let folder: TemporaryFolder
  /// The runtime folder of the daemon.
  public let runtimeFolder: FilePath
  /// The owner of `runtimeFolder` where that is not in `folder`.
  private let runtime: TemporaryFolder?
  private let notifications: NotifySocket
  private var process: ChildProcess?

  /// Starts it with `arguments` and returns once it listens. Without `pulse` it finds no sound server. With `running`
  /// false it is left to the test to start it. Its runtime folder is in memory where the machine has such a place, as
  /// users have it, unless `runtimeOnDisk` is true: then it is "run" in `directory`.
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
      // The machine's own is none of a test's business.
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
    // Nobody told it to. What the test says of it is that nobody answers.
    let report = Array("segued \(process.pid) ended by itself, wait status \(process.wait()):\n\(errors)\n".utf8)
    _ = write(2, report, report.count)
  }

  public var pid: Int32? { process?.pid }

  /// Starts it (again), and returns once it listens. `listener`: a socket it inherits as systemd's units hand it on.
  public func start(_ arguments: [String] = [], listener: Int32? = nil) throws {
    precondition(process == nil, "one daemon at a time")
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

  /// Starts a daemon that is expected to refuse, beside a running one if there is one, and waits for its end.
  public func runToEnd(_ arguments: [String], listener: Int32? = nil) throws -> (code: Int32?, errors: String) {
    let before = errors.utf8.count
    let code = try spawn(arguments, listener: listener).end(0)
    return (code, String(errors.utf8.dropFirst(before)) ?? "")
  }

  /// As a crash: SIGKILL.
  public func kill() {
    process?.end(SIGKILL)
    process = nil
  }

  /// Ends it as the service manager does. Its exit code; nil if it died of the signal.
  @discardableResult
  public func stop(_ signal: Int32 = SIGTERM) -> Int32? {
    defer { process = nil }
    return process?.end(signal)
  }

  /// Waits for the end of a daemon that was told to stop over the socket.
  public func waitForEnd() -> Int32? { stop(0) }

  public func signal(_ number: Int32) {
    guard let process else { return }
    Glibc.kill(process.pid, number)
  }

  public func connect() throws(SystemError) -> SocketClient { try SocketClient(to: socket) }

  /// Passes messages to the service manager over until one satisfies `condition`.
  public func notification(where condition: (String) -> Bool) throws -> String {
    for _ in 0..<(SocketClient.patience * 10) {
      if let message = try notifications.next(waiting: 100), condition(message) { return message }
    }
    throw Unexpected("no such notification")
  }

  /// All it has written to stderr.
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
    // Only the process itself knows the number that LISTEN_PID has to name.
    let command = ["sh", "-c", "LISTEN_FDS=1 LISTEN_PID=$$ exec \"$0\" \"$@\"", program] + arguments
    return try ChildProcess(command, environment: environment, errors: errors.raw, third: listener)
  }
}
