public import Glibc
public import SegueSystem
internal import Synchronization

/// A session bus of a test's own. It can be killed and started again on the same socket. Any thread.
public final class SessionBus: Sendable {
  public let socket: FilePath
  private let process = Mutex<ChildProcess?>(nil)

  /// Starts it, unless it is left to the test to do that, and returns once it takes connections.
  public init(at socket: FilePath, running: Bool = true) throws {
    self.socket = socket
    if running { try start() }
  }

  deinit { process.withLock { _ = $0?.end(SIGKILL) } }

  /// `DBUS_SESSION_BUS_ADDRESS` for its clients.
  public var address: String { "unix:path=" + FileURI.encode(socket).dropFirst("file://".count) }

  /// Starts it (again).
  public func start() throws {
    let child = try ChildProcess(
      ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=\(address)"],
      environment: ["PATH": "/usr/bin:/bin"])
    process.withLock { $0 = child }
    try waitUntil("the private bus listens") { listens(at: socket.description) }
  }

  /// Starts it on a socket that it inherits, as systemd hands them over. `between` is called when the socket is there,
  /// and nobody listens at it yet.
  public func startInheriting(between: () throws -> Void) throws {
    let listener = Descriptor(
      owning: try checked("socket") {
        Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      })
    try checked("bind", socket.description) { withUnixAddress(socket.bytes) { bind(listener.raw, $0, $1) } }
    try between()
    try checked("listen") { listen(listener.raw, 16) }
    // Only the process itself knows the number that LISTEN_PID has to name.
    let command = ["sh", "-c", "LISTEN_FDS=1 LISTEN_PID=$$ exec \"$0\" \"$@\""]
    let child = try ChildProcess(
      command + ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=systemd:"],
      environment: ["PATH": "/usr/bin:/bin"], third: listener.raw)
    process.withLock { $0 = child }
  }

  /// As a crash, which leaves the socket behind, or with another signal; waits for the end.
  public func kill(_ signal: Int32 = SIGKILL) {
    process.withLock { process in
      process?.end(signal)
      process = nil
    }
  }

  /// It hangs: it neither reads nor dies, until `thaw`.
  public func freeze() { signal(SIGSTOP) }
  public func thaw() { signal(SIGCONT) }

  private func signal(_ number: Int32) {
    process.withLock { process in
      if let process { Glibc.kill(process.pid, number) }
    }
  }

  /// How a program ended, and all it wrote.
  public struct Outcome: Sendable {
    public let code: Int32?
    public let text: String
  }

  /// Runs a program with this as its session bus, to its end.
  public func run(_ command: [String]) throws(SystemError) -> Outcome {
    let (code, text) = try ChildProcess.run(["timeout", "60"] + command, environment: environment, errors: true)
    return Outcome(code: code, text: text)
  }

  /// Whether the process has a connection to this bus, under any name. The bus itself is asked: which columns `busctl list`
  /// can fill depends on its version.
  public func hasConnection(of process: Int32) throws(SystemError) -> Bool {
    for name in try ask("ListNames").split(separator: "\"") where name.hasPrefix(":") {
      // A connection may be gone meanwhile, and then that is what the answer says.
      if try ask("GetConnectionUnixProcessID", "s", String(name)) == "u \(process)\n" { return true }
    }
    return false
  }

  /// Calls a method of the bus driver (D-Bus Specification, "Message Bus Messages"): what busctl prints.
  private func ask(_ member: String, _ arguments: String...) throws(SystemError) -> String {
    let driver = "org.freedesktop.DBus"
    return try run(
      ["busctl", "--address=\(address)", "call", driver, "/org/freedesktop/DBus", driver, member] + arguments
    ).text
  }

  /// Starts a program with this as its session bus that goes on writing.
  public func follow(_ command: [String]) throws(SystemError) -> LineReader {
    LineReader(try PipedProcess(command, environment: environment, errors: true).record())
  }

  private var environment: [String: String] {
    ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "DBUS_SESSION_BUS_ADDRESS": address]
  }
}

/// What a program writes, line by line. One thread, the test's, has it.
public final class LineReader {
  private let recorder: Recorder
  private var next = 0
  private var rest: [UInt8] = []
  /// Those that were read, without their ends.
  public private(set) var lines: [String] = []

  init(_ recorder: Recorder) { self.recorder = recorder }

  /// Whether anything has come that was not read yet.
  public var hasMore: Bool { !rest.isEmpty || recorder.pieces.all.count > next }

  /// Reads on until a line satisfies `condition`.
  @discardableResult
  public func line(where condition: (String) -> Bool = { _ in true }) throws -> String {
    while true {
      while let end = rest.firstIndex(of: 0x0A) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeSubrange(...end)
        lines.append(line)
        if condition(line) { return line }
      }
      guard let (piece, next) = recorder.pieces.wait(from: next, seconds: 30, { $0 }), !piece.bytes.isEmpty else {
        throw Unexpected("no such line among \(lines)")
      }
      self.next = next
      rest += piece.bytes
    }
  }
}
