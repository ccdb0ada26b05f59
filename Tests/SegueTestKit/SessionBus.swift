public import Glibc
public import SegueSystem
internal import Synchronization

/// A session bus for a test. It can be killed and started again on the same socket. Any thread may use it.
public final class SessionBus: Sendable {
  public let socket: FilePath
  private let process = Mutex<ChildProcess?>(nil)

  /// Starts the bus, unless `running` is false, and returns when it accepts connections.
  public init(at socket: FilePath, running: Bool = true) throws {
    self.socket = socket
    if running { try start() }
  }

  deinit { process.withLock { _ = $0?.end(SIGKILL) } }

  /// `DBUS_SESSION_BUS_ADDRESS` for its clients.
  public var address: String { "unix:path=" + FileURI.encode(socket).dropFirst("file://".count) }

  /// Starts the bus.
  public func start() throws {
    let child = try ChildProcess(
      ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=\(address)"],
      environment: ["PATH": "/usr/bin:/bin"])
    process.withLock { $0 = child }
    try waitUntil("the bus of the test listens") { isListening(at: socket.description) }
  }

  /// Starts the bus on a socket that it inherits as from a socket unit. `between` is called when the socket exists and
  /// does not listen yet.
  public func startInheriting(between: () throws -> Void) throws {
    let listener = Descriptor(
      owning: try checked("socket") {
        Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      })
    try checked("bind", socket.description) { withUnixAddress(socket.bytes) { bind(listener.raw, $0, $1) } }
    try between()
    try checked("listen") { listen(listener.raw, 16) }
    // Only the child itself knows its process id, which LISTEN_PID must contain.
    let command = ["sh", "-c", "LISTEN_FDS=1 LISTEN_PID=$$ exec \"$0\" \"$@\""]
    let child = try ChildProcess(
      command + ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=systemd:"],
      environment: ["PATH": "/usr/bin:/bin"], third: listener.raw)
    process.withLock { $0 = child }
  }

  /// Ends the bus as a crash does, which leaves the socket behind, or by another signal, and waits for its end.
  public func kill(_ signal: Int32 = SIGKILL) {
    process.withLock { process in
      process?.end(signal)
      process = nil
    }
  }

  /// Stops the bus, which hangs until `thaw`.
  public func freeze() { signal(SIGSTOP) }
  public func thaw() { signal(SIGCONT) }

  private func signal(_ number: Int32) {
    process.withLock { process in
      if let process { Glibc.kill(process.pid, number) }
    }
  }

  /// The exit code and the output of a program.
  public struct Outcome: Sendable {
    public let code: Int32?
    public let text: String
  }

  /// Runs a program with this session bus to its end.
  public func run(_ command: [String]) throws(SystemError) -> Outcome {
    let (code, text) = try ChildProcess.run(["timeout", "60"] + command, environment: environment, errors: true)
    return Outcome(code: code, text: text)
  }

  /// Returns whether a process has a connection to this bus. The bus itself is queried, because the columns of
  /// `busctl list` depend on its version.
  public func hasConnection(of process: Int32) throws(SystemError) -> Bool {
    for name in try callDriver("ListNames").split(separator: "\"") where name.hasPrefix(":") {
      // If the connection has ended meanwhile, the reply is an error.
      if try callDriver("GetConnectionUnixProcessID", "s", String(name)) == "u \(process)\n" { return true }
    }
    return false
  }

  /// Calls a method of the bus (D-Bus Specification, "Message Bus Messages") and returns the output of busctl.
  private func callDriver(_ member: String, _ arguments: String...) throws(SystemError) -> String {
    let driver = "org.freedesktop.DBus"
    return try run(
      ["busctl", "--address=\(address)", "call", driver, "/org/freedesktop/DBus", driver, member] + arguments
    ).text
  }

  /// Starts a program with this session bus and returns a reader of its output.
  public func follow(_ command: [String]) throws(SystemError) -> LineReader {
    LineReader(try PipedProcess(command, environment: environment, errors: true).record())
  }

  private var environment: [String: String] {
    ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "DBUS_SESSION_BUS_ADDRESS": address]
  }
}

/// A reader of the output of a program, line by line. Only the thread of the test uses it.
public final class LineReader {
  private let recorder: Recorder
  private var next = 0
  private var rest: [UInt8] = []
  /// The lines that were read, without line feeds.
  public private(set) var lines: [String] = []

  init(_ recorder: Recorder) { self.recorder = recorder }

  /// Whether there is output that was not read yet.
  public var hasMore: Bool { !rest.isEmpty || recorder.pieces.all.count > next }

  /// Reads until a line satisfies `condition`, and returns that line.
  @discardableResult
  public func line(where condition: (String) -> Bool = { _ in true }) throws -> String {
    while true {
      while let end = rest.firstIndex(of: 0x0A) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeSubrange(...end)
        lines.append(line)
        if condition(line) { return line }
      }
      guard let (piece, next) = recorder.pieces.wait(from: next, within: .seconds(30), { $0 }), !piece.bytes.isEmpty
      else {
        throw Unexpected("no such line among \(lines)")
      }
      self.next = next
      rest += piece.bytes
    }
  }
}
