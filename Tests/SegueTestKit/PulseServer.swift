public import Glibc
public import SegueSystem
internal import Synchronization

/// A PulseAudio server with a folder and a socket of its own. It can be killed and started again on the same socket.
/// Any thread may use it.
public final class PulseServer: Sendable {
  /// A sink to load.
  public enum Sink: Sendable {
    /// A null sink, which plays in real time. Its monitor is `NAME.monitor`.
    case null(String, rate: Int = 44_100, format: String = "s16le", channels: Int = 2)
    /// A sink that writes to the FIFO `fifo(NAME)`, bit-exact and in real time. It cannot rewind.
    case pipe(String, rate: Int = 44_100, format: String = "s16le", channels: Int = 2)
    /// A sink that writes to the FIFO `fifo(NAME)` at the pace of its reader, and waits for it.
    case pacedPipe(String)
  }

  private let folder: TemporaryFolder
  private let sinks: [Sink]
  private let process = Mutex<ChildProcess?>(nil)

  public var pid: pid_t { process.withLock { $0?.pid ?? -1 } }

  /// `PULSE_SERVER` for its clients.
  public var address: String { "unix:\(socket)" }

  public var directory: String { folder.path.description }

  public var socket: String { directory + "/socket" }

  /// Starts the server and returns when it accepts connections.
  public init(_ sinks: [Sink] = [.null("test")]) throws {
    folder = try TemporaryFolder()
    self.sinks = sinks
    try start()
  }

  deinit { process.withLock { _ = $0?.end(SIGKILL) } }

  /// The environment with which a client finds the server and ignores the settings of the user.
  public var environment: [String: String] {
    [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": directory, "XDG_RUNTIME_DIR": directory,
      "XDG_CONFIG_HOME": directory, "PULSE_SERVER": address, "LC_ALL": "C.UTF-8",
    ]
  }

  /// Returns the path of the FIFO of a pipe sink.
  public func fifo(_ name: String) -> String { directory + "/\(name).fifo" }

  /// Starts the server again after `kill`.
  public func start() throws {
    unlink(socket)
    var command = [
      "pulseaudio", "-n", "--exit-idle-time=-1", "--daemonize=no", "--use-pid-file=no", "--log-level=error",
    ]
    // The native protocol is last, so that the sinks exist when the socket does.
    for module in sinks.map(load) + ["module-native-protocol-unix socket=\(socket) auth-anonymous=1"] {
      command += ["-L", module]
    }
    var variables = environment
    variables["PULSE_SERVER"] = nil
    let child = try ChildProcess(command, environment: variables)
    process.withLock { $0 = child }
    try waitUntil("the PulseAudio of the test listens") { isListening(at: socket) }
  }

  /// Ends the server as a crash does, or by another signal, and waits for its end.
  public func kill(_ signal: Int32 = SIGKILL) {
    process.withLock { process in
      process?.end(signal)
      process = nil
    }
  }

  /// Stops the server, which hangs until `thaw`.
  public func freeze() { Glibc.kill(pid, SIGSTOP) }
  public func thaw() { Glibc.kill(pid, SIGCONT) }

  /// Runs `pactl` and returns its output.
  @discardableResult
  public func pactl(_ arguments: String...) throws(SystemError) -> String {
    try ChildProcess.run(["pactl"] + arguments, environment: environment).text
  }

  /// Records a source, by default the monitor of the sink `test`, in pieces of 5 ms. A sink reads no further ahead than
  /// the `latency` of the recorder of its monitor.
  public func record(
    _ source: String = "test.monitor", rate: Int = 44_100, format: String = "s16le", channels: Int = 2,
    latency: MediaTime = .milliseconds(5)
  ) throws(SystemError) -> Recorder {
    try Self.record(source, rate: rate, format: format, channels: channels, latency: latency, environment)
  }

  static func record(
    _ source: String, rate: Int = 44_100, format: String = "s16le", channels: Int = 2,
    latency: MediaTime = .milliseconds(5), _ environment: [String: String]
  ) throws(SystemError) -> Recorder {
    let command = [
      "parec", "--raw", "--device=\(source)", "--rate=\(rate)", "--format=\(format)", "--channels=\(channels)",
      "--latency-msec=\(latency.nanoseconds / 1_000_000)", "--process-time-msec=5",
    ]
    return try PipedProcess(command, environment: environment).record()
  }

  /// F_SETPIPE_SZ of linux/fcntl.h, which is not in the Glibc module.
  private static let setPipeSize: Int32 = 1_031

  /// Records the output of a pipe sink.
  public func readFIFO(_ name: String) throws(SystemError) -> Recorder { try Self.record(fifo: fifo(name)) }

  static func record(fifo path: String) throws(SystemError) -> Recorder {
    let descriptor = try checked("open", path) { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    // The sink drops output that does not fit into the pipe. This size holds six seconds, the default a third of a
    // second.
    try checked("fcntl", path) { fcntl(descriptor, Self.setPipeSize, 1 << 20) }
    return Recorder(reading: Descriptor(owning: descriptor), from: nil)
  }

  private func load(_ sink: Sink) -> String {
    switch sink {
    case .null(let name, let rate, let format, let channels):
      "module-null-sink sink_name=\(name) rate=\(rate) format=\(format) channels=\(channels)"
    case .pipe(let name, let rate, let format, let channels):
      "module-pipe-sink sink_name=\(name) file=\(fifo(name)) rate=\(rate) format=\(format) channels=\(channels) use_system_clock_for_timing=yes"
    case .pacedPipe(let name):
      "module-pipe-sink sink_name=\(name) file=\(fifo(name)) rate=44100 format=s16le channels=2"
    }
  }
}
