internal import Glibc
public import SegueSystem
internal import Synchronization

/// PipeWire with its PulseAudio server, with a folder and a bus of their own. Any thread may use it.
public final class PipeWireServer: Sendable {
  private let folder: TemporaryFolder
  private let bus: ChildProcess
  private let processes = Mutex<[ChildProcess]>([])

  /// Whether the required programs are installed.
  public static let isInstalled = ["pipewire", "pipewire-pulse", "wireplumber", "dbus-daemon"].allSatisfy {
    access("/usr/bin/" + $0, X_OK) == 0
  }

  /// The number of frames of a cycle. On a busy machine, PipeWire skips or silences whole cycles.
  public static let cycle = 1_024

  /// `PULSE_SERVER` for its clients.
  public var address: String { "unix:\(directory)/pulse/native" }

  public var directory: String { folder.path.description }

  /// Starts the programs and returns when there is a null sink `test` of 44,100 Hz.
  public init() throws {
    folder = try TemporaryFolder()
    // At the rate of the test tracks and without the resampler, output is bit-exact. With its default cycles of 128
    // frames, PipeWire would drop some on a busy machine.
    let clock = "default.clock.rate = 44100 default.clock.min-quantum = \(Self.cycle)"
    try folder.makeFolder("pipewire")
    for (program, settings) in [
      ("pipewire", "context.properties = { \(clock) }"),
      ("pipewire-pulse", "stream.properties = { resample.disable = true }"),
    ] {
      let own = "pipewire/\(program).conf.d"
      try folder.makeFolder(own)
      try folder.write(own + "/test.conf", Array(settings.utf8))
    }
    let directory = folder.path.description
    bus = try ChildProcess(
      ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=unix:path=\(directory)/bus"],
      environment: ["PATH": "/usr/bin:/bin"])
    // Without a bus WirePlumber ends, and no sink becomes the default.
    try waitUntil("the bus listens") { isListening(at: "\(directory)/bus") }
    try start()
  }

  deinit {
    kill()
    bus.end(SIGKILL)
  }

  /// Starts the programs again after `kill`.
  public func start() throws {
    // Now and then WirePlumber does not work after the start, or PipeWire does not respond. Tests do not depend on
    // that.
    for _ in 0..<Self.maximumAttempts {
      try startPrograms()
      do { return try makeSink() } catch is Unexpected { kill() }
    }
    throw Unexpected("PipeWire was started \(Self.maximumAttempts) times and has no sink")
  }

  private static let maximumAttempts = 5

  private func startPrograms() throws {
    for program in ["pipewire", "wireplumber", "pipewire-pulse"] {
      let child = try ChildProcess([program], environment: environment)
      processes.withLock { $0.append(child) }
      // The other programs connect to PipeWire and end if they cannot.
      if program == "pipewire" {
        try waitUntil("PipeWire listens") { isListening(at: "\(directory)/pipewire-0") }
      }
    }
  }

  private func makeSink() throws {
    let interval = MediaTime.milliseconds(50)
    let timeout = MediaTime.seconds(20)
    try waitUntil("PipeWire responds", every: interval, within: timeout) { try pactl("info").contains("PipeWire") }
    try pactl("load-module", "module-null-sink", "sink_name=test", "rate=44100")
    try waitUntil("the sink is the default", every: interval, within: timeout) {
      try pactl("set-default-sink", "test")
      return try pactl("info").contains("Default Sink: test")
    }
  }

  /// Ends all programs as a crash does, by SIGKILL.
  public func kill() {
    processes.withLock { processes in
      for process in processes.reversed() { process.end(SIGKILL) }
      processes = []
    }
  }

  /// Stops PipeWire until `thaw`. Its PulseAudio server continues to respond.
  public func freeze() { processes.withLock { _ = Glibc.kill($0[0].pid, SIGSTOP) } }
  public func thaw() { processes.withLock { _ = Glibc.kill($0[0].pid, SIGCONT) } }

  /// Runs `pactl` and returns its output, which is empty if PipeWire does not respond.
  @discardableResult
  public func pactl(_ arguments: String...) throws(SystemError) -> String {
    try ChildProcess.run(["timeout", "5", "pactl"] + arguments, environment: environment).text
  }

  /// Records the monitor of the sink.
  public func record() throws(SystemError) -> Recorder { try PulseServer.record("test.monitor", environment) }

  /// Loads a sink that writes to a FIFO, and returns a recorder of that, and the number of the module.
  public func loadPipeSink(_ name: String) throws -> (recorder: Recorder, module: String) {
    let path = "\(directory)/\(name).fifo"
    unlink(path)
    try checked("mkfifo", path) { mkfifo(path, 0o600) }
    let recorder = try PulseServer.record(fifo: path)
    let module = try pactl(
      "load-module", "module-pipe-sink", "sink_name=\(name)", "file=\(path)", "rate=44100", "format=s16le", "channels=2"
    )
    return (recorder, String(module.prefix { $0.isNumber }))
  }

  private var environment: [String: String] {
    [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": directory, "XDG_RUNTIME_DIR": directory,
      "XDG_CONFIG_HOME": directory, "XDG_STATE_HOME": directory, "PULSE_SERVER": address, "LC_ALL": "C.UTF-8",
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(directory)/bus",
    ]
  }
}
