// On the thread that made it only.

internal import Glibc
internal import SegueLink
internal import SegueSystem

/// A `segue-worker` of the library's own, from its start to its end. Letting go of it ends it.
final class WorkerChild {
  let link: LinkSocket
  private let pid: Int32
  private var isReaped = false

  /// `niceness`: whoever listens to music goes first.
  init(_ program: FilePath, niceness: Int32) throws(SystemError) {
    let (ours, theirs) = try LinkSocket.pair()
    link = ours
    pid = try Spawn.start(program, argument: WorkerRole.files.rawValue, channel: theirs.raw)
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(pid), niceness)
  }

  deinit { _ = end() }

  /// Ends it, if it has not ended by itself; answers how.
  func end() -> ExitStatus? {
    guard !isReaped else { return nil }
    isReaped = true
    // One that has ended keeps its own status.
    kill(pid, SIGKILL)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
  }
}
