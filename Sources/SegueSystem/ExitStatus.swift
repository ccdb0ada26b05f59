internal import Glibc

/// How a child process ended.
public enum ExitStatus: Equatable, Sendable, CustomStringConvertible {
  case exited(Int32)
  case killed(signal: Int32)

  public var description: String {
    switch self {
    case .exited(let code): "exited with \(code)"
    // Nobody but the kernel, where memory runs out, ends programs so by itself.
    case .killed(SIGKILL): "was killed from outside (signal 9), perhaps because memory ran out"
    case .killed(let signal): "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
    }
  }
}
