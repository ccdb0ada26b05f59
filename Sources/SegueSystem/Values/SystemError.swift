public import Glibc

/// The failure of a system call.
public struct SystemError: Error, Equatable, CustomStringConvertible {
  /// The value of `errno`.
  public let code: Int32
  /// The name of the call, as in its manual page.
  public let call: String
  /// The object of the call, such as a path; may be empty.
  public let subject: String

  public init(_ call: String, _ subject: String = "", code: Int32 = errno) {
    self.code = code
    self.call = call
    self.subject = subject
  }

  /// The reason without the subject: "No such file or directory".
  public var reason: String { String(cString: strerror(code)) }

  public var description: String {
    subject.isEmpty ? "\(call): \(reason)" : "\(subject): \(reason)"
  }
}

/// Calls `body` until no signal interrupts it, and returns its result. Throws `errno` if the result is below zero.
///
/// The function is inlinable so that callers in other modules can specialise it. Otherwise the Swift runtime would look
/// up the type that `Result` stands for when it is first called.
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
