internal import Glibc
internal import SegueSystem

/// The bytes on their way to the terminal. Writing never blocks: what the terminal does not read is kept, and `flush`
/// continues. One thread uses it.
final class TerminalOutput {
  /// A description of the terminal of its own, so that the other programs of the terminal do not get EAGAIN.
  private let descriptor: Descriptor
  private var pending: ArraySlice<UInt8> = []

  init() {
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let opened = (["/proc/self/fd/1", "/dev/tty"] as [String]).lazy.map { open($0, flags) }.first { $0 >= 0 }
    // The terminal of another user cannot be opened, only be used. Then a terminal that does not read delays the
    // program.
    descriptor = Descriptor(owning: opened ?? fcntl(1, F_DUPFD_CLOEXEC, 0))
  }

  /// The descriptor to wait for while the output is not complete.
  var raw: Int32 { descriptor.raw }
  /// Whether the terminal has taken everything.
  var isComplete: Bool { pending.isEmpty }

  func write(_ bytes: [UInt8]) {
    pending += bytes
    flush()
  }

  /// Writes as much as the terminal takes. A terminal that is gone takes everything; its end is noticed when it is
  /// read.
  func flush() {
    while !pending.isEmpty {
      let count = pending.withUnsafeBytes { Glibc.write(descriptor.raw, $0.baseAddress, $0.count) }
      if count > 0 {
        pending = pending.dropFirst(count)
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        pending = []
      }
    }
  }

  /// Discards what the terminal has not read, so that it takes what follows at once. The next bytes must begin with the
  /// end of a sequence, because one may be incomplete.
  func discard() {
    pending = []
    Terminal.discardOutput(of: descriptor.raw)
  }
}
