public import Glibc
public import SegueSystem
internal import Synchronization

/// A sound server of a test's own: its own folder, socket and home; nobody else's is touched. It can be killed and started
/// again on the same socket. Any thread.
public final class PulseServer: Sendable {
  /// A sink to load.
  public enum Sink: Sendable {
    /// Plays into nothing in real time; `NAME.monitor` gives back what was played.
    case null(String, rate: Int = 44_100, format: String = "s16le", channels: Int = 2)
    /// Writes what is played into a FIFO, `fifo(NAME)`, bit for bit, in real time. It cannot rewind.
    case pipe(String, rate: Int = 44_100, format: String = "s16le", channels: Int = 2)
  }

  private let folder: TemporaryFolder
  private let sinks: [Sink]
  private let process = Mutex<ChildProcess?>(nil)

  public var pid: pid_t { process.withLock { $0?.pid ?? -1 } }

  /// `PULSE_SERVER` for its clients.
  public var address: String { "unix:\(socket)" }

  public var directory: String { folder.path.description }

  public var socket: String { directory + "/socket" }

  /// Starts it, and returns once it takes connections.
  public init(_ sinks: [Sink] = [.null("test")]) throws {
    folder = try TemporaryFolder()
    self.sinks = sinks
    try start()
  }

  deinit { process.withLock { _ = $0?.end(SIGKILL) } }

  /// What a client needs to find it, and to leave the user's own settings alone.
  public var environment: [String: String] {
    [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": directory, "XDG_RUNTIME_DIR": directory,
      "XDG_CONFIG_HOME": directory, "PULSE_SERVER": address, "LC_ALL": "C.UTF-8",
    ]
  }

  /// Where a pipe sink writes.
  public func fifo(_ name: String) -> String { directory + "/\(name).fifo" }

  /// Starts it again after `kill`.
  public func start() throws {
    unlink(socket)
    var command = [
      "pulseaudio", "-n", "--exit-idle-time=-1", "--daemonize=no", "--use-pid-file=no", "--log-level=error",
    ]
    // The native protocol last: once the socket is there, so are the sinks.
    for module in sinks.map(load) + ["module-native-protocol-unix socket=\(socket) auth-anonymous=1"] {
      command += ["-L", module]
    }
    var variables = environment
    variables["PULSE_SERVER"] = nil
    let child = try ChildProcess(command, environment: variables)
    process.withLock { $0 = child }
    try waitUntil("the private PulseAudio listens") { listens(at: socket) }
  }

  /// As a crash, or with another signal; waits for the end.
  public func kill(_ signal: Int32 = SIGKILL) {
    process.withLock { process in
      process?.end(signal)
      process = nil
    }
  }

  /// It hangs: it neither answers nor dies, until `thaw`.
  public func freeze() { Glibc.kill(pid, SIGSTOP) }
  public func thaw() { Glibc.kill(pid, SIGCONT) }

  /// Runs `pactl` against it and returns what it printed.
  @discardableResult
  public func control(_ arguments: String...) throws(SystemError) -> String {
    try ChildProcess.run(["pactl"] + arguments, environment: environment).text
  }

  /// Records a source, by default the monitor of the sink `test`, in pieces of 5 ms.
  public func record(
    _ source: String = "test.monitor", rate: Int = 44_100, format: String = "s16le", channels: Int = 2
  ) throws(SystemError) -> Recorder {
    try Self.record(source, rate: rate, format: format, channels: channels, environment)
  }

  static func record(
    _ source: String, rate: Int = 44_100, format: String = "s16le", channels: Int = 2, _ environment: [String: String]
  ) throws(SystemError) -> Recorder {
    let command = [
      "parec", "--raw", "--device=\(source)", "--rate=\(rate)", "--format=\(format)", "--channels=\(channels)",
      "--latency-msec=5", "--process-time-msec=5",
    ]
    return try PipedProcess(command, environment: environment).record()
  }

  /// F_SETPIPE_SZ of linux/fcntl.h, which Glibc's module leaves out.
  private static let setPipeSize: Int32 = 1_031

  /// Reads what a pipe sink plays.
  public func readFIFO(_ name: String) throws(SystemError) -> Recorder {
    let path = fifo(name)
    let descriptor = try checked("open", path) { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    // The sink drops what the pipe cannot take: six seconds of it, where the kernel's usual size is a third of one.
    try checked("fcntl", path) { fcntl(descriptor, Self.setPipeSize, 1 << 20) }
    return Recorder(reading: Descriptor(owning: descriptor), from: nil)
  }

  private func load(_ sink: Sink) -> String {
    switch sink {
    case .null(let name, let rate, let format, let channels):
      "module-null-sink sink_name=\(name) rate=\(rate) format=\(format) channels=\(channels)"
    case .pipe(let name, let rate, let format, let channels):
      "module-pipe-sink sink_name=\(name) file=\(fifo(name)) rate=\(rate) format=\(format) channels=\(channels) use_system_clock_for_timing=yes"
    }
  }
}
