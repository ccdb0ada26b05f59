internal import CSegue
internal import CSystemd
internal import Glibc
public import SegueSystem

/// How a child ended.
public enum ExitStatus: Equatable, Sendable, CustomStringConvertible {
  case exited(Int32)
  case killed(signal: Int32)

  public var description: String {
    switch self {
    case .exited(let code): "exited with \(code)"
    case .killed(let signal): "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
    }
  }
}

/// A child process and the news of its end. Letting go of it kills the child; it is reaped in any case.
@MainActor
public final class ChildProcess {
  public let pid: Int32
  // Proof: set once in init, used on the loop thread only; deinit runs where the last @MainActor owner lets go.
  private nonisolated(unsafe) var source: OpaquePointer?
  private let ended: @MainActor (ExitStatus) -> Void
  private nonisolated(unsafe) var isRunning = true

  /// Starts `program` with one argument, an unblocked signal mask, `/dev/null` as its input, our stderr as its output and
  /// `channel` as its descriptor 3; nothing else is open in it.
  public init(
    on loop: EventLoop, program: FilePath, argument: String, channel: Int32,
    ended: @escaping @MainActor (ExitStatus) -> Void
  ) throws(SystemError) {
    self.ended = ended
    // sd-event wants SIGCHLD blocked before it watches a child.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGCHLD)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    pid = try spawn(program, argument, channel: channel)
    let context = Unmanaged.passUnretained(self).toOpaque()
    try sdChecked("sd_event_add_child") {
      sd_event_add_child(loop.event, &source, pid, Int32(WEXITED), childEnded, context)
    }
  }

  deinit {
    guard isRunning else {
      sd_event_source_disable_unref(source)
      return
    }
    // The event source reaps it, with nobody left to tell, and is let go of then: it holds a descriptor.
    sd_event_source_set_userdata(source, nil)
    Glibc.kill(pid, SIGKILL)
  }

  /// SIGKILL: a worker has nothing to save.
  public func kill() {
    if isRunning { Glibc.kill(pid, SIGKILL) }
  }

  fileprivate func dispatch(_ status: ExitStatus) {
    isRunning = false
    ended(status)
  }
}

private func spawn(_ program: FilePath, _ argument: String, channel: Int32) throws(SystemError) -> Int32 {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, 2, 1)
  // dup2 clears close-on-exec, and clears nothing when both numbers are one: so never 3 to 3.
  precondition(channel != 3, "the worker's channel may not be descriptor 3 on our side")
  posix_spawn_file_actions_adddup2(&actions, channel, 3)

  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

  var pid: Int32 = 0
  let failure = program.withCString { path in
    var arguments = [strdup(path), strdup(argument), nil]
    defer { for string in arguments { free(string) } }
    return posix_spawn(&pid, path, &actions, &attributes, &arguments, environ)
  }
  if failure != 0 { throw SystemError("posix_spawn", program.description, code: failure) }
  return pid
}

private nonisolated func childEnded(
  source: OpaquePointer?, information: UnsafePointer<siginfo_t>?, context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let information, let context else {
    sd_event_source_disable_unref(source)
    return 0
  }
  let code = information.pointee._sifields._sigchld.si_status
  let status: ExitStatus = information.pointee.si_code == Int32(CLD_EXITED) ? .exited(code) : .killed(signal: code)
  let child = Unmanaged<ChildProcess>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { child.dispatch(status) }
  return 0
}
