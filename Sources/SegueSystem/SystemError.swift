public import Glibc

/// A system call that failed: which, on what, and why.
public struct SystemError: Error, Equatable, CustomStringConvertible {
  /// `errno` as the call left it.
  public let code: Int32
  /// The call, as its manual page is named.
  public let call: String
  /// What it was asked for (a path, a role), or empty.
  public let subject: String

  public init(_ call: String, _ subject: String = "", code: Int32 = errno) {
    self.code = code
    self.call = call
    self.subject = subject
  }

  /// The reason alone: "No such file or directory".
  public var reason: String { String(cString: strerror(code)) }

  public var description: String {
    subject.isEmpty ? "\(call): \(reason)" : "\(subject): \(reason)"
  }
}

/// Calls `body` again for as long as a signal interrupts it; throws `errno` when it answers below zero. Inlinable: as a
/// generic function it would have Swift's runtime look for `Result` at every first call.
@discardableResult @inlinable
public func checked<Result: SignedInteger>(
  _ call: String, _ subject: @autoclosure () -> String = "", _ body: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = body()
    if result >= 0 { return result }
    if errno != EINTR { throw SystemError(call, subject()) }
  }
}
