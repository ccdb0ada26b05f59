internal import Glibc
internal import SegueSystem

/// What a program that prints for as long as it is read wakes up for.
enum WakeReason {
  case readable
  case deadline
  /// Whoever reads standard output has gone.
  case readerGone

  /// Sleeps until `descriptor` (-1: none) can be read or has ended, or until `deadline`.
  init(waitingFor descriptor: Int32, until deadline: MonotonicTime? = nil) {
    while true {
      var entries = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: 1, events: 0, revents: 0),
      ]
      var milliseconds: Int32 = -1
      if let deadline {
        let left = max(0, (deadline - .now).nanoseconds)
        milliseconds = Int32(clamping: (left + 999_999) / 1_000_000)
      }
      let count = poll(&entries, 2, milliseconds)
      if count < 0 { continue }
      if entries[1].revents & Int16(POLLERR | POLLHUP) != 0 {
        self = .readerGone
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
