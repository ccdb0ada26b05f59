internal import CSystemd
internal import Glibc
public import SegueSystem

/// A child process, the news of its end, and its messages, which are logged. Letting go of it kills the child; it is
/// reaped in any case.
@MainActor
public final class ChildProcess {
  public let pid: Int32
  // Proof: set once in init, used on the loop thread only; deinit runs where the last @MainActor owner lets go.
  private nonisolated(unsafe) var source: OpaquePointer?
  private let ended: @MainActor (ExitStatus) -> Void
  private nonisolated(unsafe) var isRunning = true
  /// The messages of the process. It is nil once no more of them are read.
  private var messages: ChildOutputLogger?
  private var messagesSource: IOSource?

  /// Starts `program` as `Spawn` does.
  public init(
    on loop: EventLoop, program: FilePath, argument: String, inheriting names: [String], channel: Int32,
    ended: @escaping @MainActor (ExitStatus) -> Void
  ) throws(SystemError) {
    self.ended = ended
    // sd-event wants SIGCHLD blocked before it watches a child.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGCHLD)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    let process = try Spawn.start(program, argument: argument, inheriting: names, channel: channel)
    pid = process.pid
    messages = process.messages
    let context = Unmanaged.passUnretained(self).toOpaque()
    try sdChecked("sd_event_add_child") {
      sd_event_add_child(loop.event, &source, pid, Int32(WEXITED), childEnded, context)
    }
    let messages = process.messages
    messagesSource = try IOSource(on: loop, descriptor: messages.raw, of: messages, for: .readable) { [weak self] _ in
      self?.forwardMessages()
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

  private func forwardMessages() {
    guard let messages, !messages.forward() else { return }
    (self.messages, messagesSource) = (nil, nil)
  }

  fileprivate func dispatch(_ status: ExitStatus) {
    isRunning = false
    // The last message of the process may say why it ended.
    forwardMessages()
    ended(status)
  }
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
