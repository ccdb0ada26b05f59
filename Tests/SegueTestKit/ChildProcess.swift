public import Glibc
public import SegueSystem

/// A child process of a test, which ends it by its process id and never by its name.
public final class ChildProcess: Sendable {
  public let pid: pid_t

  /// Starts `command`, which is looked up in PATH, with exactly this environment. Standard output goes to `output` and
  /// standard error to `errors`, or to /dev/null. `third` becomes descriptor 3.
  public init(
    _ command: [String], environment: [String: String], output: Int32? = nil, errors: Int32? = nil, third: Int32? = nil
  ) throws(SystemError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (target, source) in [(Int32(1), output), (Int32(2), errors)] {
      if let source {
        posix_spawn_file_actions_adddup2(&actions, source, target)
      } else {
        posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_WRONLY, 0)
      }
    }
    if let third {
      precondition(third != 3, "descriptor 3 would stay close-on-exec")
      posix_spawn_file_actions_adddup2(&actions, third, 3)
    }
    // The thread of the test may block signals. A child that inherits that could not be terminated.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // The processes that a shell starts in the background ignore these signals.
    var reset = none
    sigaddset(&reset, SIGINT)
    sigaddset(&reset, SIGQUIT)
    posix_spawnattr_setsigdefault(&attributes, &reset)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments = command.map { strdup($0) } + [nil]
    var variables = environment.merging(Sanitizer.environment) { $1 }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for string in arguments + variables { free(string) } }
    var pid: pid_t = 0
    let result = posix_spawnp(&pid, command[0], &actions, &attributes, &arguments, &variables)
    guard result == 0 else { throw SystemError("posix_spawn", command[0], code: result) }
    self.pid = pid
  }

  /// Whether the process is running. Not valid after `end`.
  public var isRunning: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0
      && information._sifields._kill.si_pid == 0
  }

  /// Sends `signal` (0: none) and waits for the end. Returns the exit code; nil if a signal ended the process. Called
  /// once.
  @discardableResult
  public func end(_ signal: Int32 = SIGTERM) -> Int32? {
    kill(pid, signal)
    let status = wait()
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
  }

  /// Waits for the end and returns the status of wait(2). Called once, and not in addition to `end`.
  public func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
