internal import Glibc
internal import SegueRPC
internal import SegueSystem

extension Connection {
  /// Waits until a message can be read, standard output is closed by its reader, or `deadline` passes.
  func wait(until deadline: MonotonicTime? = nil) -> WakeReason {
    hasBufferedLine ? .readable : WakeReason(waitingFor: interest, until: deadline)
  }

  /// Waits until a message can be read. Returns false if standard output is closed by its reader first.
  func waitForMessage() -> Bool {
    switch wait() {
    case .readable: true
    case .deadline, .outputClosed: false
    }
  }
}

/// The event that ends a wait. A verb that prints continuously waits for the daemon and, at the same time, for the
/// closing of its standard output.
enum WakeReason {
  case readable
  case deadline
  /// The reader of standard output closed it.
  case outputClosed

  /// Waits until something can be done for a connection, standard output is closed, or `deadline` or that of the
  /// connection passes.
  init(waitingFor connection: ConnectionInterest, until deadline: MonotonicTime?) {
    let deadline = [connection.deadline, deadline].compactMap { $0 }.min()
    while true {
      var entries = [
        pollfd(fd: connection.descriptor, events: connection.events, revents: 0), pollfd(fd: 1, events: 0, revents: 0),
      ]
      let count = poll(&entries, until: deadline)
      if count < 0 { continue }
      if entries[1].revents & Int16(POLLERR | POLLHUP) != 0 {
        self = .outputClosed
      } else if entries[0].revents != 0 {
        self = .readable
      } else if count == 0 {
        self = .deadline
      } else {
        continue
      }
      return
    }
  }
}
