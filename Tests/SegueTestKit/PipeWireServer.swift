internal import Glibc
public import SegueSystem
internal import Synchronization

/// PipeWire with its PulseAudio server, in a folder, and on a bus, of a test's own. Any thread.
public final class PipeWireServer: Sendable {
  private let folder: TemporaryFolder
  private let bus: ChildProcess
  private let processes = Mutex<[ChildProcess]>([])

  /// Whether its programs are installed.
  public static let isInstalled = ["pipewire", "pipewire-pulse", "wireplumber", "dbus-daemon"].allSatisfy {
    access("/usr/bin/" + $0, X_OK) == 0
  }

  /// Frames of a cycle: what a busy machine makes it leave out, or play silence instead of, are whole ones.
  public static let cycle = 1_024

  /// `PULSE_SERVER` for its clients.
  public var address: String { "unix:\(directory)/pulse/native" }

  public var directory: String { folder.path.description }

  /// Starts it, with a null sink `test` of 44,100 Hz, and returns once that is there.
  public init() throws {
    folder = try TemporaryFolder()
    // At the rate of what is played, and without its resampler, it plays what it is given to the bit. In the cycles of 128
    // frames that it chooses otherwise it would stumble whenever a busy machine has no time for one.
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
    // Without it WirePlumber ends, and nobody makes a sink the default.
    try waitUntil("the bus listens") { listens(at: "\(directory)/bus") }
    try start()
  }

  deinit {
    kill()
    bus.end(SIGKILL)
  }

  /// Starts it again after `kill`.
  public func start() throws {
    // Now and then WirePlumber comes up and takes no part, or nobody is answered. That is not what is tested here.
    for _ in 0..<Self.tries {
      try startPrograms()
      do { return try makeSink() } catch is Unexpected { kill() }
    }
    throw Unexpected("PipeWire was started \(Self.tries) times and has no sink")
  }

  private static let tries = 5

  private func startPrograms() throws {
    for program in ["pipewire", "wireplumber", "pipewire-pulse"] {
      let child = try ChildProcess([program], environment: environment)
      processes.withLock { $0.append(child) }
      // Those that come after connect to it, and end where they cannot.
      if program == "pipewire" {
        try waitUntil("PipeWire listens") { listens(at: "\(directory)/pipewire-0") }
      }
    }
  }

  private func makeSink() throws {
    let often = MediaTime.milliseconds(50)
    let patience = MediaTime.seconds(20)
    try waitUntil("PipeWire answers", every: often, within: patience) { try control("info").contains("PipeWire") }
    try control("load-module", "module-null-sink", "sink_name=test", "rate=44100")
    try waitUntil("its sink is the default", every: often, within: patience) {
      try control("set-default-sink", "test")
      return try control("info").contains("Default Sink: test")
    }
  }

  /// As a crash of all of it: SIGKILL.
  public func kill() {
    processes.withLock { processes in
      for process in processes.reversed() { process.end(SIGKILL) }
      processes = []
    }
  }

  /// Runs `pactl` against it and returns what it printed: nothing if it is not answered.
  @discardableResult
  public func control(_ arguments: String...) throws(SystemError) -> String {
    try ChildProcess.run(["timeout", "5", "pactl"] + arguments, environment: environment).text
  }

  /// Records the monitor of the sink.
  public func record() throws(SystemError) -> Recorder { try PulseServer.record("test.monitor", environment) }

  private var environment: [String: String] {
    [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": directory, "XDG_RUNTIME_DIR": directory,
      "XDG_CONFIG_HOME": directory, "XDG_STATE_HOME": directory, "PULSE_SERVER": address, "LC_ALL": "C.UTF-8",
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(directory)/bus",
    ]
  }
}
