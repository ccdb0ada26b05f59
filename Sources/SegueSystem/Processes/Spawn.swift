internal import CSegue
internal import Glibc

/// A child process. The caller must wait for its end (waitpid(2)).
public struct SpawnedProcess {
  public let pid: Int32
  public let output: ChildOutputLogger
}

/// A child process that reads from a pipe. The caller must wait for its end (waitpid(2)).
public struct ReadingProcess: ~Copyable {
  public let pid: Int32
  /// The writing end of the pipe. Releasing it ends the input of the process.
  public var input: Descriptor?
}

/// The way a child process ended.
public enum ExitStatus: Equatable, Sendable, CustomStringConvertible {
  case exited(Int32)
  case killed(signal: Int32)

  public var description: String {
    switch self {
    case .exited(let code): "exited with \(code)"
    // The kernel sends this signal when memory runs out.
    case .killed(SIGKILL): "was killed from outside (signal 9), perhaps because memory ran out"
    case .killed(let signal): "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
    }
  }
}

/// Functions that start programs.
public enum Spawn {
  /// The variables that every program inherits: the path of libraries, and the options of sanitizers and of coverage.
  private static let inheritedVariables = ["LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE"]

  /// Starts `program` with one argument. Its environment has `variables` (as in environ(7)) and, of the other variables
  /// in `names` and `inheritedVariables`, those of this process. It has no blocked signals. Its standard input is
  /// `/dev/null`, its output and errors go to a pipe to this process, and its descriptor 3 is `channel`, which must not
  /// be descriptor 3 in this process. It has no other descriptors. Any thread may call this.
  public static func start(
    _ program: FilePath, argument: String, inheriting names: [String], setting variables: [String] = [], channel: Int32
  ) throws(SystemError) -> SpawnedProcess {
    var ends: [Int32] = [-1, -1]
    try checked("pipe2") { segue_pipe(&ends) }
    let reading = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, writing.raw, 1)
    posix_spawn_file_actions_adddup2(&actions, writing.raw, 2)
    // dup2 clears close-on-exec, but not if both numbers are equal.
    precondition(channel != 3, "the channel must not be descriptor 3 in this process")
    posix_spawn_file_actions_adddup2(&actions, channel, 3)

    let new = variables.map { strdup($0) }
    defer { for variable in new { free(variable) } }
    let changed = variables.map { String($0.prefix { $0 != "=" }) }
    var environment = new + inherited((inheritedVariables + names).filter { !changed.contains($0) })
    var pid: Int32 = 0
    let failure = program.withCString { path in
      var arguments = [strdup(path), strdup(argument), nil]
      defer { for string in arguments { free(string) } }
      return withUnblockedSignals { posix_spawn(&pid, path, &actions, $0, &arguments, &environment) }
    }
    if failure != 0 { throw SystemError("posix_spawn", program.description, code: failure) }
    let name = "\(String(decoding: program.lastComponent, as: UTF8.self)) \(pid)"
    return SpawnedProcess(pid: pid, output: ChildOutputLogger(reading: reading, of: name))
  }

  /// Runs a program, which is looked up in PATH, and returns what it writes to its standard output. It inherits the
  /// environment, the other descriptors that are not close-on-exec, and neither blocked nor ignored signals. Returns
  /// nil if the program fails, writes more than `maximum` bytes, or has not ended after the time `limit`; then it is
  /// killed. Blocks until then.
  public static func output(
    of program: String, _ arguments: [String], upTo maximum: Int, within limit: MediaTime
  ) throws(SystemError) -> [UInt8]? {
    let deadline = MonotonicTime.now + limit
    var ends: [Int32] = [-1, -1]
    try checked("pipe2") { segue_pipe(&ends) }
    let output = Descriptor(owning: ends[0])
    // Other programs do not expect that writing fails because they are faster than the reader.
    _ = fcntl(ends[1], F_SETFL, 0)
    let pid = try start(program, arguments, Descriptor(owning: ends[1]), as: 1)
    let bytes = read(output.raw, upTo: maximum, until: deadline)
    // A program that has closed its output ends soon.
    let end = bytes == nil ? MonotonicTime.now : max(deadline, MonotonicTime.now + .milliseconds(100))
    var status: Int32 = 0
    while waitpid(pid, &status, WNOHANG) == 0 {
      if MonotonicTime.now >= end { kill(pid, SIGKILL) }
      poll(nil, 0, 1)
    }
    return status == 0 ? bytes : nil
  }

  /// Starts a program whose descriptor `number` is `descriptor`, which this process closes. Returns its process id.
  private static func start(
    _ program: String, _ arguments: [String], _ descriptor: consuming Descriptor, as number: Int32
  ) throws(SystemError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, descriptor.raw, number)
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pid: Int32 = 0
    let failure = withUnblockedSignals(resetsIgnored: true) {
      posix_spawnp(&pid, program, &actions, $0, words, environ)
    }
    if failure != 0 { throw SystemError("posix_spawn", program, code: failure) }
    return pid
  }

  /// Starts a program, which is looked up in PATH, with a pipe as its standard input. It inherits the environment, the
  /// other descriptors that are not close-on-exec, and neither blocked nor ignored signals.
  public static func startReading(_ program: String, _ arguments: [String]) throws(SystemError) -> ReadingProcess {
    var ends: [Int32] = [-1, -1]
    try checked("pipe2") { segue_pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFL, 0) }
    let reading = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])
    let pid = try start(program, arguments, reading, as: 0)
    return ReadingProcess(pid: pid, input: consume writing)
  }

  /// Reads to the end. Returns nil if there are more than `maximum` bytes, or if the end has not come at the deadline.
  private static func read(_ descriptor: Int32, upTo maximum: Int, until deadline: MonotonicTime) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= maximum {
      var entries = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      guard deadline > .now, poll(&entries, until: deadline) > 0 else { return nil }
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      guard count > 0 else { return nil }
      bytes += chunk[..<count]
    }
    return nil
  }

  /// Starts a program, which is looked up in PATH, in a session of its own, and does not wait for its end. Its input is
  /// empty, and its output is discarded. It is no child of this process, which need not wait for it. Returns false if
  /// there is no such program.
  public static func startDetached(_ program: String, _ arguments: [String]) throws(SystemError) -> Bool {
    // The shell ends at once, and the program gets another parent.
    let script = #"command -v "$1" >/dev/null && { setsid "$@" </dev/null >/dev/null 2>&1 & } && echo started"#
    let command = ["-c", script, "sh", program] + arguments
    let output = try output(of: "sh", command, upTo: 64, within: .seconds(2))
    return output == Array("started\n".utf8)
  }

  /// Passes attributes to `start` with which a program is started without blocked signals, and without ignored ones if
  /// `resetsIgnored` is true.
  private static func withUnblockedSignals(
    resetsIgnored: Bool = false, _ start: (UnsafePointer<posix_spawnattr_t>) -> Int32
  ) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, reset) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    if resetsIgnored { sigfillset(&reset) } else { sigemptyset(&reset) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &reset)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    return start(&attributes)
  }

  /// Returns the strings of the environment (environ(7)) that set a variable in `names`, terminated by a null pointer.
  private static func inherited(_ names: [String]) -> [UnsafeMutablePointer<CChar>?] {
    var found: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let variable = next.pointee {
      if names.contains(where: { strncmp(variable, "\($0)=", $0.utf8.count + 1) == 0 }) { found.append(variable) }
      next += 1
    }
    return found + [nil]
  }
}
