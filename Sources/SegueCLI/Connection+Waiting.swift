internal import Glibc
internal import SegueRPC
internal import SegueSystem

extension Connection {
  /// Waits until a message can be read, standard output is closed by its reader, or `deadline` passes.
  func wait(until deadline: MonotonicTime? = nil) -> WakeReason {
    hasBufferedLine ? .readable : WakeReason(waitingFor: raw, until: deadline)
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

  /// Waits until `descriptor` is readable or at its end, standard output is closed, or `deadline` passes. If
  /// `descriptor` is -1, only the last two end the wait.
  init(waitingFor descriptor: Int32, until deadline: MonotonicTime? = nil) {
    while true {
      var entries = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: 1, events: 0, revents: 0),
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
