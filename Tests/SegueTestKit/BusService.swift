internal import CSystemd
internal import Glibc
public import SegueSystem
internal import Synchronization

/// A service on a private bus, with a name and one object, whose replies a test defines. It runs on a thread of its
/// own. Any thread may use it.
public final class BusService: @unchecked Sendable {
  // Proof: only the thread uses `bus` from its start until it is joined. The lock guards the rest.

  /// A method call with its arguments. Arrays, structs and dictionary entries are lists.
  public struct Call: Sendable, Equatable {
    public let member: String
    public let arguments: [Argument]
  }

  public indirect enum Argument: Sendable, Equatable {
    case text(String)
    case number(Int64)
    case list([Argument])

    /// The value of a dictionary entry.
    public subscript(key: String) -> Argument? {
      guard case .list(let entries) = self else { return nil }
      for case .list(let entry) in entries where entry.first == .text(key) { return entry.last }
      return nil
    }
  }

  public enum Reply: Sendable {
    case texts([String])
    case number(UInt32)
    /// A descriptor, which is copied.
    case descriptor(Int32)
    case error
    case noReply
  }

  private struct State {
    var calls: [Call] = []
    var tasks: [@Sendable (OpaquePointer) -> Void] = []
    var isClosing = false
  }

  private let state = Mutex(State())
  private let reply: @Sendable (Call) -> Reply
  private var bus: OpaquePointer?
  private var thread: TestThread?

  /// Connects and requests the name. The service owns it when this returns.
  public init(
    on address: String, name: String, path: String, reply: @escaping @Sendable (Call) -> Reply
  ) throws(SystemError) {
    self.reply = reply
    var made: OpaquePointer?
    try Self.checked("sd_bus_new", sd_bus_new(&made))
    bus = made
    try Self.checked("sd_bus_set_address", sd_bus_set_address(made, address))
    try Self.checked("sd_bus_set_bus_client", sd_bus_set_bus_client(made, 1))
    try Self.checked("sd_bus_negotiate_fds", sd_bus_negotiate_fds(made, 1))
    // Proof: `deinit` closes the bus and waits for the thread that uses it.
    try Self.checked(
      "sd_bus_add_object",
      sd_bus_add_object(made, nil, path, serviceCalled, Unmanaged.passUnretained(self).toOpaque()))
    try Self.checked("sd_bus_start", sd_bus_start(made))
    try Self.checked("sd_bus_request_name", sd_bus_request_name(made, name, 0))
    thread = TestThread { [unowned self] in run() }
  }

  deinit { close() }

  /// Disconnects from the bus. Called once.
  public func close() {
    guard let thread else { return }
    self.thread = nil
    state.withLock { $0.isClosing = true }
    thread.join()
    sd_bus_flush_close_unref(bus)
    bus = nil
  }

  public var calls: [Call] { state.withLock { $0.calls } }

  /// Waits until `count` calls of `member` have arrived, and returns all of them.
  @discardableResult
  public func wait(for count: Int, _ member: String) throws -> [Call] {
    try waitUntil("\(count) calls of \(member) have arrived; so far: \(calls)") {
      calls.count { $0.member == member } >= count
    }
    return calls.filter { $0.member == member }
  }

  /// Sends a signal with one Boolean argument.
  public func emit(_ member: String, of interface: String, at path: String, _ value: Bool) {
    let task: @Sendable (OpaquePointer) -> Void = { bus in
      var message: OpaquePointer?
      guard sd_bus_message_new_signal(bus, &message, path, interface, member) >= 0, let message else { return }
      var number = Int32(value ? 1 : 0)
      sd_bus_message_append_basic(message, code("b"), &number)
      sd_bus_send(bus, message, nil)
      sd_bus_message_unref(message)
    }
    state.withLock { $0.tasks.append(task) }
  }

  private func run() {
    guard let bus else { return }
    while !state.withLock({ $0.isClosing }) {
      for task in state.withLock({ state in
        defer { state.tasks = [] }
        return state.tasks
      }) { task(bus) }
      let result = sd_bus_process(bus, nil)
      // The bus has ended.
      if result < 0 { return }
      if result == 0 { sd_bus_wait(bus, 5_000) }
    }
  }

  fileprivate func handle(_ message: OpaquePointer) {
    let member = sd_bus_message_get_member(message).map { String(cString: $0) } ?? ""
    var arguments: [Argument] = []
    while let argument = Self.read(message) { arguments.append(argument) }
    let call = Call(member: member, arguments: arguments)
    let reply = self.reply(call)
    // Recorded at the end: a test that waits for the call may then change what the reply refers to.
    defer { state.withLock { $0.calls.append(call) } }
    if case .noReply = reply { return }
    if case .error = reply {
      sd_bus_reply_method_errno(message, EPERM, nil)
      return
    }
    var response: OpaquePointer?
    guard sd_bus_message_new_method_return(message, &response) >= 0, let response else { return }
    switch reply {
    case .number(var number): sd_bus_message_append_basic(response, code("u"), &number)
    case .descriptor(var raw): sd_bus_message_append_basic(response, code("h"), &raw)
    case .texts(let texts):
      sd_bus_message_open_container(response, code("a"), "s")
      for text in texts { _ = text.withCString { sd_bus_message_append_basic(response, code("s"), $0) } }
      sd_bus_message_close_container(response)
    case .error, .noReply: break
    }
    sd_bus_send(nil, response, nil)
    sd_bus_message_unref(response)
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
    default: preconditionFailure("no test reads values of this type")
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
  // sd-bus itself handles the standard interfaces, such as Peer and Introspectable.
  let interface = sd_bus_message_get_interface(message).map { String(cString: $0) } ?? ""
  guard !interface.hasPrefix("org.freedesktop.DBus.") else { return 0 }
  Unmanaged<BusService>.fromOpaque(context).takeUnretainedValue().handle(message)
  return 1
}
