internal import Glibc
public import SegueSystem
internal import Synchronization

/// A process of the real `segue`, whose output goes to pipes or to a terminal of a given width. Only the thread of the
/// test uses it.
public final class ClientProcess {
  /// The exit code and the output of a process.
  public struct Outcome: Sendable {
    public var output: [UInt8]
    public var errors: [UInt8]
    /// The exit code, or the negated number of the signal that ended the process.
    public var code: Int32

    public var text: String { String(decoding: output, as: UTF8.self) }
    public var errorText: String { String(decoding: errors, as: UTF8.self) }
    /// The lines of standard output, without line feeds.
    public var lines: [String] {
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      if lines.last == "" { lines.removeLast() }
      return lines
    }
  }

  /// The destination of the output.
  public enum Place: Sendable {
    case pipe
    /// A raw terminal of this width for standard output, and a pipe for standard error.
    case terminal(columns: UInt16)
    /// A raw terminal of this width for standard output and standard error.
    case terminalWithErrors(columns: UInt16)
    /// An existing file, such as `/dev/full`.
    case file(String)

    /// Whether the output is a terminal. Then the process has a process group of its own, as if it were started by an
    /// interactive shell.
    fileprivate var isTerminal: Bool {
      switch self {
      case .pipe, .file: false
      case .terminal, .terminalWithErrors: true
      }
    }
  }

  /// An error that is thrown if there is no output and no end for 30 seconds.
  public struct TimeOut: Error {}

  public let pid: Int32
  private var output: Int32
  private var errors: Int32
  private var outputBytes: [UInt8] = []
  private var errorBytes: [UInt8] = []
  private var isReaped = false

  public convenience init(
    _ arguments: [String], environment: [String: String] = [:], on place: Place = .pipe, folder: FilePath? = nil
  ) throws {
    try self.init(bytes: arguments.map { Array($0.utf8) }, environment: environment, on: place, folder: folder)
  }

  /// Starts `segue` with `environment`, `PATH` and a UTF-8 locale, and no other variables.
  public init(
    bytes arguments: [[UInt8]], environment: [String: String] = [:], on place: Place = .pipe, folder: FilePath? = nil
  ) throws {
    (pid, output, errors) = try Self.spawning.withLock { _ in
      try Self.spawn(arguments, environment, place, folder)
    }
  }

  /// The lock held while descriptors exist that no other child may inherit: `pipe` and `openpty` cannot set
  /// close-on-exec.
  private static let spawning = Mutex(())

  private static func spawn(
    _ arguments: [[UInt8]], _ environment: [String: String], _ place: Place, _ folder: FilePath?
  ) throws -> (pid: pid_t, output: Int32, errors: Int32) {
    let (errorsRead, errorsWrite) = try pipe()
    let (outputRead, outputWrite) = try open(place)
    defer {
      close(errorsWrite)
      close(outputWrite)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, outputWrite, 1)
    if case .terminalWithErrors = place {
      posix_spawn_file_actions_adddup2(&actions, outputWrite, 2)
    } else {
      posix_spawn_file_actions_adddup2(&actions, errorsWrite, 2)
    }
    // The thread of the test may block or ignore signals. The client starts without that, as from a shell.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if place.isTerminal { flags |= POSIX_SPAWN_SETPGROUP }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var command = [WorkerProcess.product("segue").bytes] + arguments
    if let folder { command = [Array("/usr/bin/env".utf8), Array("-C".utf8), folder.bytes] + command }
    let variables = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(environment) { $1 }.merging(
      Sanitizer.environment
    ) { $1 }
    var words = command.map(copy) + [nil]
    var settings = variables.map { copy(Array("\($0.key)=\($0.value)".utf8)) } + [nil]
    defer { for word in words + settings { free(word) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, words[0]!, &actions, &attributes, &words, &settings)
    guard code == 0 else { throw SystemError("posix_spawn", "segue", code: code) }
    return (child, outputRead, errorsRead)
  }

  deinit {
    if !isReaped {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    if output >= 0 { close(output) }
    close(errors)
  }

  /// Runs `segue` to its end.
  public static func run(
    _ arguments: [String], environment: [String: String] = [:], on place: Place = .pipe, folder: FilePath? = nil
  ) throws -> Outcome {
    try ClientProcess(arguments, environment: environment, on: place, folder: folder).finish()
  }

  /// Returns the next line of standard output without its line feed; nil at the end.
  public func readLine() throws -> String? { try read(upTo: "\n").map { String($0.dropLast()) } }

  /// Waits for `duration`. Returns false at once if the program writes to standard output or closes it.
  public func printsNothing(for duration: MediaTime) throws -> Bool {
    var entries = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
    let count = try checked("poll") { poll(&entries, until: .now + duration) }
    return count == 0 && outputBytes.isEmpty
  }

  /// Returns standard output up to and including `delimiter`; nil at the end.
  public func read(upTo delimiter: String) throws -> String? {
    let delimiter = Array(delimiter.utf8)
    while true {
      if let found = outputBytes.firstRange(of: delimiter) {
        defer { outputBytes.removeSubrange(..<found.upperBound) }
        return String(decoding: outputBytes[..<found.upperBound], as: UTF8.self)
      }
      try waitReadable([output])
      guard Self.readInput(output, &outputBytes) else { return nil }
    }
  }

  /// Writes to the terminal, as a user who types, or as a terminal that responds to a query.
  public func type(_ keys: String) throws {
    let bytes = Array(keys.utf8)
    let count = try checked("write", "terminal") { write(output, bytes, bytes.count) }
    precondition(count == bytes.count, "the terminal accepts no more input")
  }

  public func send(signal: Int32) { kill(pid, signal) }

  /// Closes the reading end of standard output.
  public func closeOutput() {
    close(output)
    output = -1
  }

  /// Reads the rest of the output and waits for the end.
  public func finish() throws -> Outcome {
    var open = output >= 0 ? [output, errors] : [errors]
    while !open.isEmpty {
      for ready in try waitReadable(open) {
        let isOpen = ready == output ? Self.readInput(output, &outputBytes) : Self.readInput(errors, &errorBytes)
        if !isOpen { open.removeAll { $0 == ready } }
      }
    }
    var status: Int32 = 0
    _ = try checked("waitpid") { waitpid(pid, &status, 0) }
    isReaped = true
    let signal = status & 0x7F
    return Outcome(output: outputBytes, errors: errorBytes, code: signal == 0 ? status >> 8 & 0xFF : -signal)
  }

  @discardableResult
  private func waitReadable(_ descriptors: [Int32]) throws -> [Int32] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = try checked("poll") { poll(&entries, nfds_t(entries.count), 30_000) }
    guard count > 0 else { throw TimeOut() }
    return entries.filter { $0.revents != 0 }.map(\.fd)
  }

  /// Reads what is available. Returns false at the end, which is EIO on a terminal.
  private static func readInput(_ descriptor: Int32, _ bytes: inout [UInt8]) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(descriptor, &chunk, chunk.count)
    if count > 0 { bytes += chunk[..<count] }
    return count > 0
  }

  private static func copy(_ text: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    FilePath(bytes: text).withCString { strdup($0) }
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    _ = try checked("pipe") { Glibc.pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func open(_ place: Place) throws -> (read: Int32, write: Int32) {
    switch place {
    case .pipe: return try pipe()
    case .file(let path):
      let write = try checked("open", path) { Glibc.open(path, O_WRONLY | O_CLOEXEC) }
      return (try checked("open") { Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }, write)
    case .terminal(let columns), .terminalWithErrors(let columns):
      let ends = try PseudoTerminal(rows: 24, columns: columns, isRaw: true)
      return (ends.terminal, ends.program)
    }
  }
}
