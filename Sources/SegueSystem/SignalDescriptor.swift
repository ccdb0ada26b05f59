internal import CSegue
internal import Glibc

/// Signals that are read from a descriptor instead of interrupting the program (signalfd(2)). It is created before the first
/// other thread, and one thread uses it.
public final class SignalDescriptor {
  private let descriptor: Descriptor

  /// Blocks `signals`, which are read with `next` from now on.
  public init(_ signals: [Int32]) throws(SystemError) {
    descriptor = Descriptor(owning: try checked("signalfd") { segue_signal_descriptor(signals + [0]) })
  }

  /// The descriptor, which is readable when signals are waiting.
  public var raw: Int32 { descriptor.raw }

  /// Returns the next signal; nil if none is waiting.
  public func next() -> Int32? {
    let number = segue_next_signal(descriptor.raw)
    return number == 0 ? nil : number
  }

  /// Stops the process group as SIGTSTP does, until SIGCONT. Returns at once if no shell could continue it.
  public static func stopProcessGroup() { segue_stop_process_group() }
}
