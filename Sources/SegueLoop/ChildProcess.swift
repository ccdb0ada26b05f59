internal import CSystemd
internal import Glibc
public import SegueSystem

/// A child process whose end is reported and whose output is logged. Releasing the object kills the child, which is
/// reaped in any case.
@MainActor
public final class ChildProcess {
  public let pid: Int32
  // Proof: set once in init, used on the loop thread only; deinit runs where the last @MainActor owner releases it.
  private nonisolated(unsafe) var source: OpaquePointer?
  private let onEnd: @MainActor (ExitStatus) -> Void
  private nonisolated(unsafe) var isRunning = true
  /// The logger of the output; nil when no more output is read.
  private var output: ChildOutputLogger?
  private var outputSource: IOSource?

  /// Starts `program` as `Spawn` does.
  public init(
    on loop: EventLoop, program: FilePath, argument: String, inheriting names: [String], setting variables: [String],
    channel: Int32,
    onEnd: @escaping @MainActor (ExitStatus) -> Void
  ) throws(SystemError) {
    self.onEnd = onEnd
    // sd-event requires SIGCHLD to be blocked before it watches a child.
    blockSignal(SIGCHLD)
    let process = try Spawn.start(
      program, argument: argument, inheriting: names, setting: variables, channel: channel)
    pid = process.pid
    output = process.output
    // Proof: `deinit` removes the source or its context, and sd-event calls on the loop thread only.
    let context = Unmanaged.passUnretained(self).toOpaque()
    try sdChecked("sd_event_add_child") {
      sd_event_add_child(loop.event, &source, pid, Int32(WEXITED), childEnded, context)
    }
    let output = process.output
    outputSource = try IOSource(on: loop, descriptor: output.raw, of: output, for: .readable) { [weak self] _ in
      self?.forwardOutput()
    }
  }

  deinit {
    guard isRunning else {
      sd_event_source_disable_unref(source)
      return
    }
    // The event source still reaps the child. It is released afterwards, because it holds a descriptor.
    sd_event_source_set_userdata(source, nil)
    Glibc.kill(pid, SIGKILL)
  }

  /// Sends SIGKILL: a worker has no state to save.
  public func kill() {
    if isRunning { Glibc.kill(pid, SIGKILL) }
  }

  private func forwardOutput() {
    guard let output, !output.forward() else { return }
    (self.output, outputSource) = (nil, nil)
  }

  fileprivate func dispatch(_ status: ExitStatus) {
    isRunning = false
    // The last line of the output may contain the reason.
    forwardOutput()
    onEnd(status)
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
