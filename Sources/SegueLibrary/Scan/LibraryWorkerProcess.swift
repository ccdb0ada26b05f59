// On the thread that made it only.

internal import Glibc
internal import SegueLink
internal import SegueSystem

/// A `segue-worker` of the library's own, from its start to its end. Letting go of it ends it.
final class LibraryWorkerProcess {
  private let link: LinkSocket
  private let pid: Int32
  /// The messages of the worker. It is nil once no more of them are read.
  private var messages: ChildOutputLogger?
  private var isReaped = false

  /// `niceness`: whoever listens to music goes first.
  init(_ program: FilePath, niceness: Int32) throws(SystemError) {
    let (ours, theirs) = try LinkSocket.pair()
    link = ours
    let role = WorkerRole.files
    let process = try Spawn.start(
      program, argument: role.rawValue, inheriting: role.inheritedVariables, channel: theirs.raw)
    (pid, messages) = (process.pid, process.output)
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(pid), niceness)
  }

  deinit { _ = end() }

  /// Readable when there is something to `receive`.
  var raw: Int32 { link.raw }

  func send(_ order: WorkerCommand, descriptors: [Int32] = []) throws(SystemError) {
    try link.send(order, descriptors: descriptors)
  }

  /// Receives a packet as `LinkSocket` does, and logs what the worker wrote before.
  func receive() throws(SystemError) -> LinkPacket? {
    forwardMessages()
    return try link.receive()
  }

  private func forwardMessages() {
    if messages?.forward() == false { messages = nil }
  }

  /// Sends `order` with descriptors, which stay the caller's, and waits for the answer: what `take` makes of a report.
  /// nil if the worker ends, sends something else, or takes longer than `patience`; then it is of no more use.
  func ask<Answer>(
    _ order: WorkerCommand, descriptors: [Int32] = [], patience: MediaTime, take: (WorkerEvent) -> Answer?
  ) -> Answer? {
    guard (try? send(order, descriptors: descriptors)) != nil else { return nil }
    let deadline = MonotonicTime.now + patience
    while true {
      do {
        guard let packet = try receive(), let report = WorkerEvent(packet) else { return nil }
        if case .ready = report { continue }
        return take(report)
      } catch {
        guard error.code == EAGAIN else { return nil }
      }
      let left = (deadline - .now).nanoseconds
      guard left > 0 else { return nil }
      var waiting = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
      poll(&waiting, 1, Int32(clamping: (left + 999_999) / 1_000_000))
    }
  }

  /// Ends it, if it has not ended by itself; answers how.
  func end() -> ExitStatus? {
    guard !isReaped else { return nil }
    isReaped = true
    // One that has ended keeps its own status.
    kill(pid, SIGKILL)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    // The worker's last message may say why it ended.
    forwardMessages()
    return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
  }
}
