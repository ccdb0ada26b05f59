internal import CSystemd
internal import Glibc
public import SegueSystem
internal import Synchronization

/// A program on a private bus that answers calls, as a test has it: a name, and one object. Any thread; it runs on a
/// thread of its own.
public final class BusService: @unchecked Sendable {
  // Proof: `bus` is used on the thread alone once that runs, until it was joined; the rest is behind the lock.

  /// What it was called with, each argument as text, and arrays and dictionaries as their parts: of an entry key, value.
  public struct Call: Sendable, Equatable {
    public let member: String
    public let arguments: [Argument]
  }

  public indirect enum Argument: Sendable, Equatable {
    case text(String)
    case number(Int64)
    case list([Argument])

    /// The value of a dictionary's entry.
    public subscript(key: String) -> Argument? {
      guard case .list(let entries) = self else { return nil }
      for case .list(let entry) in entries where entry.first == .text(key) { return entry.last }
      return nil
    }
  }

  public enum Answer: Sendable {
    case texts([String])
    case number(UInt32)
    /// It is copied.
    case descriptor(Int32)
    case refusal
    /// None at all.
    case silence
  }

  private struct State {
    var calls: [Call] = []
    var errands: [@Sendable (OpaquePointer) -> Void] = []
    var isClosing = false
  }

  private let state = Mutex(State())
  private let answer: @Sendable (Call) -> Answer
  private var bus: OpaquePointer?
  private var thread: TestThread?

  /// Has the name once this returns.
  public init(
    on address: String, name: String, path: String, answer: @escaping @Sendable (Call) -> Answer
  ) throws(SystemError) {
    self.answer = answer
    var made: OpaquePointer?
    try Self.checked("sd_bus_new", sd_bus_new(&made))
    bus = made
    try Self.checked("sd_bus_set_address", sd_bus_set_address(made, address))
    try Self.checked("sd_bus_set_bus_client", sd_bus_set_bus_client(made, 1))
    try Self.checked("sd_bus_negotiate_fds", sd_bus_negotiate_fds(made, 1))
    try Self.checked(
      "sd_bus_add_object",
      sd_bus_add_object(made, nil, path, serviceCalled, Unmanaged.passUnretained(self).toOpaque()))
    try Self.checked("sd_bus_start", sd_bus_start(made))
    try Self.checked("sd_bus_request_name", sd_bus_request_name(made, name, 0))
    thread = TestThread { [unowned self] in run() }
  }

  deinit { close() }

  /// It leaves the bus. Once.
  public func close() {
    guard let thread else { return }
    self.thread = nil
    state.withLock { $0.isClosing = true }
    thread.join()
    sd_bus_flush_close_unref(bus)
    bus = nil
  }

  public var calls: [Call] { state.withLock { $0.calls } }

  /// Waits until so many calls of this name have come; answers them all.
  @discardableResult
  public func wait(for count: Int, _ member: String) throws -> [Call] {
    try waitUntil("\(count) calls of \(member) have come, and not \(calls)") {
      calls.count { $0.member == member } >= count
    }
    return calls.filter { $0.member == member }
  }

  /// Sends a signal with one truth value.
  public func emit(_ member: String, of interface: String, at path: String, _ value: Bool) {
    let errand: @Sendable (OpaquePointer) -> Void = { bus in
      var message: OpaquePointer?
      guard sd_bus_message_new_signal(bus, &message, path, interface, member) >= 0, let message else { return }
      var number = Int32(value ? 1 : 0)
      sd_bus_message_append_basic(message, code("b"), &number)
      sd_bus_send(bus, message, nil)
      sd_bus_message_unref(message)
    }
    state.withLock { $0.errands.append(errand) }
  }

  private func run() {
    guard let bus else { return }
    while !state.withLock({ $0.isClosing }) {
      for errand in state.withLock({ state in
        defer { state.errands = [] }
        return state.errands
      }) { errand(bus) }
      if sd_bus_process(bus, nil) == 0 { sd_bus_wait(bus, 5_000) }
    }
  }

  fileprivate func take(_ message: OpaquePointer) {
    let member = sd_bus_message_get_member(message).map { String(cString: $0) } ?? ""
    var arguments: [Argument] = []
    while let argument = Self.read(message) { arguments.append(argument) }
    let call = Call(member: member, arguments: arguments)
    let given = answer(call)
    // Whoever waits for it may do with what it was answered with as he likes.
    defer { state.withLock { $0.calls.append(call) } }
    if case .silence = given { return }
    if case .refusal = given {
      sd_bus_reply_method_errno(message, EPERM, nil)
      return
    }
    var reply: OpaquePointer?
    guard sd_bus_message_new_method_return(message, &reply) >= 0, let reply else { return }
    switch given {
    case .number(var number): sd_bus_message_append_basic(reply, code("u"), &number)
    case .descriptor(var raw): sd_bus_message_append_basic(reply, code("h"), &raw)
    case .texts(let texts):
      sd_bus_message_open_container(reply, code("a"), "s")
      for text in texts { _ = text.withCString { sd_bus_message_append_basic(reply, code("s"), $0) } }
      sd_bus_message_close_container(reply)
    case .refusal, .silence: break
    }
    sd_bus_send(nil, reply, nil)
    sd_bus_message_unref(reply)
  }

  private static func read(_ message: OpaquePointer) -> Argument? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard sd_bus_message_peek_type(message, &type, &contents) > 0 else { return nil }
    switch Unicode.Scalar(UInt8(bitPattern: type)) {
    case "s", "o", "g":
      var text: UnsafePointer<CChar>?
      sd_bus_message_read_basic(message, type, &text)
      return .text(text.map { String(cString: $0) } ?? "")
    case "a", "e", "r", "v":
      let isVariant = type == code("v")
      sd_bus_message_enter_container(message, type, contents)
      var parts: [Argument] = []
      while let part = read(message) { parts.append(part) }
      sd_bus_message_exit_container(message)
      return isVariant ? parts.first : .list(parts)
    case "y":
      var number: UInt8 = 0
      sd_bus_message_read_basic(message, type, &number)
      return .number(Int64(number))
    case "u":
      var number: UInt32 = 0
      sd_bus_message_read_basic(message, type, &number)
      return .number(Int64(number))
    case "b", "i":
      var number: Int32 = 0
      sd_bus_message_read_basic(message, type, &number)
      return .number(Int64(number))
    default: preconditionFailure("no test wants to read this")
    }
  }

  private static func checked(_ call: String, _ result: Int32) throws(SystemError) {
    if result < 0 { throw SystemError(call, code: -result) }
  }
}

private func code(_ type: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: type.value) }

private func serviceCalled(
  message: OpaquePointer?, context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let message, let context else { return 0 }
  // The bus' own calls, as of Peer and Introspectable, are answered by sd-bus.
  let interface = sd_bus_message_get_interface(message).map { String(cString: $0) } ?? ""
  guard !interface.hasPrefix("org.freedesktop.DBus.") else { return 0 }
  Unmanaged<BusService>.fromOpaque(context).takeUnretainedValue().take(message)
  return 1
}
