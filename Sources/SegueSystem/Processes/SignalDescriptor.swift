internal import CSegue
internal import Glibc

/// Signals that are read from a descriptor instead of interrupting the program (signalfd(2)). It is created before the
/// first other thread, and one thread uses it.
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

  /// Stops the process group by SIGTSTP or SIGTTOU until SIGCONT, which is then the next signal of a descriptor that
  /// has it. Returns false, at once, if no shell could continue the process group.
  public static func stopProcessGroup(by signal: Int32) -> Bool { segue_stop_processes(signal) }
}
