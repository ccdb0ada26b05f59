// Thread: the loop. No call waits for the bus: replies are handled in later iterations of the loop.

internal import CSystemd
internal import Glibc
public import SegueSystem

/// A connection to a message bus: with a name and an object of this process, or only to call methods and receive
/// signals. Releasing it closes the connection and drops messages that the bus has not accepted yet.
@MainActor
public final class BusConnection {
  /// A change of the connection.
  public enum Event: Sendable {
    /// The connection is established and owns this name; nil if it requested none.
    case ready(name: String?)
    /// The connection has ended, or does not get a name. It is the last event.
    case ended
  }

  // Proof: set once in init, used on the loop thread only; deinit runs where the last @MainActor owner releases it.
  private nonisolated(unsafe) let bus: OpaquePointer
  private let mailbox: Mailbox
  private var names: ArraySlice<String>
  private let onCall: (@MainActor (BusCall) -> Void)?
  private let onEvent: @MainActor (Event) -> Void
  private var hasEnded = false
  /// The completion handler of `isBacklogged`; nil if the bus is not behind.
  private var onBacklogRead: (@MainActor () -> Void)?
  /// The completion handlers of pending calls, by cookie.
  private var pendingCalls: [UInt64: @MainActor (OpaquePointer) -> Void] = [:]
  private var subscriptions: [BusSubscription] = []

  /// The number of queued messages above which no more signals are sent until the bus has read them.
  private static let maximumQueued: UInt64 = 64
  /// The argument of sd_bus_call_async(3) for a call without a timeout.
  private static let noTimeout = UInt64.max

  /// Connects, and requests the first of `names` that no other connection owns, if there are any.
  /// - Parameters:
  ///   - address: The address of a Unix socket (D-Bus Specification, "Server Addresses"). Other addresses would block.
  ///   - path: The path of the object whose method calls `onCall` handles.
  ///   - acceptsDescriptors: Whether replies may contain descriptors.
  ///   - onEvent: The event handler. The loop calls it, and this initializer does not.
  /// - Throws: `ENOENT` or `ECONNREFUSED` if no bus listens.
  public init(
    on loop: EventLoop, address: String, names: [String] = [], path: String = "/", acceptsDescriptors: Bool = false,
    onCall: (@MainActor (BusCall) -> Void)? = nil, onEvent: @escaping @MainActor (Event) -> Void
  ) throws(SystemError) {
    var made: OpaquePointer?
    try sdChecked("sd_bus_new") { sd_bus_new(&made) }
    guard let bus = made else { throw SystemError("sd_bus_new", code: ENOMEM) }
    self.bus = bus
    self.names = names[...]
    self.onCall = onCall
    self.onEvent = onEvent
    mailbox = loop.mailbox
    try start(on: loop, address, path, acceptsDescriptors: acceptsDescriptors)
    if !names.isEmpty { try requestName() }
  }

  deinit { sd_bus_close_unref(bus) }

  /// The pointer that the callbacks of sd-bus get.
  // Proof: `deinit` closes the bus, after which sd-bus calls nothing; before, it calls on the loop thread.
  private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private func start(
    on loop: EventLoop, _ address: String, _ path: String, acceptsDescriptors: Bool
  ) throws(SystemError) {
    try sdChecked("sd_bus_set_address") { sd_bus_set_address(bus, address) }
    try sdChecked("sd_bus_set_bus_client") { sd_bus_set_bus_client(bus, 1) }
    // Descriptors are accepted only on connections that request one.
    try sdChecked("sd_bus_negotiate_fds") { sd_bus_negotiate_fds(bus, acceptsDescriptors ? 1 : 0) }
    // Otherwise sd-bus would wait for the bus when the loop exits.
    try sdChecked("sd_bus_set_close_on_exit") { sd_bus_set_close_on_exit(bus, 0) }
    if onCall != nil {
      try sdChecked("sd_bus_add_object") { sd_bus_add_object(bus, nil, path, methodCalled, context) }
    }
    // sd-bus itself sends these signals, so the bus gets no match rules for them.
    let own = "org.freedesktop.DBus.Local"
    try sdChecked("sd_bus_match_signal") {
      sd_bus_match_signal(bus, nil, own, nil, own, "Disconnected", connectionEnded, context)
    }
    if names.isEmpty {
      try sdChecked("sd_bus_set_connected_signal") { sd_bus_set_connected_signal(bus, 1) }
      try sdChecked("sd_bus_match_signal") {
        sd_bus_match_signal(bus, nil, own, nil, own, "Connected", connectionBegan, context)
      }
    }
    try sdChecked("sd_bus_start") { sd_bus_start(bus) }
    try sdChecked("sd_bus_attach_event") { sd_bus_attach_event(bus, loop.event, Int32(SD_EVENT_PRIORITY_NORMAL)) }
  }

  // MARK: Name

  private func requestName() throws(SystemError) {
    guard let name = names.first else { return }
    try sdChecked("sd_bus_request_name_async") { sd_bus_request_name_async(bus, nil, name, 0, nameReplied, context) }
  }

  /// - Parameter reply: The reply to RequestName (D-Bus Specification, "Message Bus Messages"); nil for an error.
  fileprivate func handleNameReply(_ reply: UInt32?) {
    guard let reply, let name = names.popFirst() else { return end() }
    // 1: this connection owns the name now; 4: it owned it already.
    if reply == 1 || reply == 4 { return onEvent(.ready(name: name)) }
    do throws(SystemError) {
      if names.isEmpty { end() } else { try requestName() }
    } catch {
      end()
    }
  }

  fileprivate func end() {
    guard !hasEnded else { return }
    hasEnded = true
    // Deferred, because the handler releases the connection, which sd-bus is still using.
    mailbox.post { [weak self] in self?.onEvent(.ended) }
  }

  fileprivate func begin() { if !hasEnded { onEvent(.ready(name: nil)) } }

  fileprivate func handle(_ call: BusCall) { onCall?(call) }

  // MARK: Calls

  /// Calls a method of another process.
  /// - Parameters:
  ///   - replyTypes: The signature of the expected reply.
  ///   - activating: Whether the bus may start a service that handles the call.
  ///   - completion: The handler of the reply, which gets the unique name of the sender and the values. It is not
  ///     called if this connection is released before.
  public func call(
    _ member: String, of interface: String, at path: String, on destination: String, _ values: [BusValue],
    replyTypes: String, activating: Bool = true,
    completion: @escaping @MainActor (Result<(sender: String, values: [BusValue]), BusError>) -> Void
  ) {
    do throws(SystemError) {
      let request = try BusMessage("sd_bus_message_new_method_call") {
        sd_bus_message_new_method_call(bus, $0, destination, path, interface, member)
      }
      if !activating {
        try sdChecked("sd_bus_message_set_auto_start") { sd_bus_message_set_auto_start(request.raw, 0) }
      }
      for value in values { try request.append(value) }
      try sdChecked("sd_bus_call_async") {
        sd_bus_call_async(bus, nil, request.raw, callReplied, context, Self.noTimeout)
      }
      var cookie: UInt64 = 0
      try sdChecked("sd_bus_message_get_cookie") { sd_bus_message_get_cookie(request.raw, &cookie) }
      pendingCalls[cookie] = { raw in completion(Self.read(raw, replyTypes)) }
    } catch {
      let error = BusError(.failed, "\(error)")
      mailbox.post { completion(.failure(error)) }
    }
  }

  private static func read(
    _ raw: OpaquePointer, _ types: String
  ) -> Result<(sender: String, values: [BusValue]), BusError> {
    if sd_bus_message_is_method_error(raw, nil) > 0, let error = sd_bus_message_get_error(raw)?.pointee {
      return .failure(
        BusError(
          name: error.name.map { String(cString: $0) } ?? "", message: error.message.map { String(cString: $0) } ?? ""))
    }
    guard let values = BusMessage(keeping: raw).values(types) else {
      return .failure(BusError(.invalidArguments, "the reply does not have the types \(types)"))
    }
    return .success((sd_bus_message_get_sender(raw).map { String(cString: $0) } ?? "", values))
  }

  fileprivate func handleReply(_ raw: OpaquePointer) {
    var cookie: UInt64 = 0
    guard sd_bus_message_get_reply_cookie(raw, &cookie) >= 0 else { return }
    pendingCalls.removeValue(forKey: cookie)?(raw)
  }

  // MARK: Signals

  /// Subscribes to a signal. `handler` gets its values if they have these types.
  /// - Parameter firstArgument: The required value of the first argument; nil for any value.
  public func subscribe(
    to member: String, of interface: String, at path: String, from sender: String, firstArgument: String? = nil,
    _ types: String, handler: @escaping @MainActor ([BusValue]) -> Void
  ) {
    let subscription = BusSubscription(types, handler)
    subscriptions.append(subscription)
    var rule = "type='signal',sender='\(sender)',path='\(path)',interface='\(interface)',member='\(member)'"
    if let firstArgument { rule += ",arg0='\(firstArgument)'" }
    // If the bus refuses the rule, the connection ends.
    // Proof: `subscriptions` keeps the subscription as long as the bus.
    sd_bus_add_match_async(bus, nil, rule, busSignalReceived, nil, Unmanaged.passUnretained(subscription).toOpaque())
  }

  /// Returns whether the bus has left too many messages unread to send more. If so, `completion` is called when it has
  /// read all of them.
  public func isBacklogged(completion: @escaping @MainActor () -> Void) -> Bool {
    var queued: UInt64 = 0
    sd_bus_get_n_queued_write(bus, &queued)
    guard onBacklogRead != nil || queued > Self.maximumQueued else { return false }
    if onBacklogRead == nil { ping() }
    onBacklogRead = completion
    return true
  }

  /// Calls a method of the bus. The bus handles messages in order, so its reply shows that it has read all earlier
  /// ones.
  private func ping() {
    let driver = "org.freedesktop.DBus"
    do throws(SystemError) {
      let request = try BusMessage("sd_bus_message_new_method_call") {
        sd_bus_message_new_method_call(bus, $0, driver, "/org/freedesktop/DBus", "org.freedesktop.DBus.Peer", "Ping")
      }
      try sdChecked("sd_bus_call_async") {
        sd_bus_call_async(bus, nil, request.raw, pingReplied, context, Self.noTimeout)
      }
    } catch {
      end()
    }
  }

  fileprivate func handlePingReply() {
    let completion = onBacklogRead
    onBacklogRead = nil
    completion?()
  }

  /// Sends a signal of the object at `path`.
  public func emit(_ member: String, of interface: String, at path: String, _ values: [BusValue]) {
    do throws(SystemError) {
      let signal = try BusMessage("sd_bus_message_new_signal") {
        sd_bus_message_new_signal(bus, $0, path, interface, member)
      }
      for value in values { try signal.append(value) }
      // An error means that the connection has ended, which is reported as an event.
      sd_bus_send(bus, signal.raw, nil)
    } catch {
      Log.warning("D-Bus: cannot send \(member): \(error)")
    }
  }
}

/// A subscription to a signal. Its connection owns it.
@MainActor
private final class BusSubscription {
  private let types: String
  private let handler: @MainActor ([BusValue]) -> Void

  init(_ types: String, _ handler: @escaping @MainActor ([BusValue]) -> Void) {
    self.types = types
    self.handler = handler
  }

  func handle(_ raw: OpaquePointer) {
    if let values = BusMessage(keeping: raw).values(types) { handler(values) }
  }
}

// The reference of each function is strong during the call, because the handler may release its connection.

/// A message that sd-bus passes to a function.
// Proof: sd-bus calls these functions on the loop thread, and waits for them.
private struct LoopThreadMessage: @unchecked Sendable {
  let raw: OpaquePointer
}

private nonisolated func methodCalled(
  message: OpaquePointer?, context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let message, let context else { return 0 }
  let connection = Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue()
  let call = LoopThreadMessage(raw: message)
  MainActor.assumeIsolated { connection.handle(BusCall(call.raw)) }
  return 1
}

private nonisolated func nameReplied(
  message: OpaquePointer?, context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let message, let context else { return 0 }
  var code: UInt32 = 0
  let isSuccess =
    sd_bus_message_is_method_error(message, nil) == 0
    && sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &code) > 0
  let result = isSuccess ? code : nil
  let connection = Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { connection.handleNameReply(result) }
  return 1
}

private nonisolated func connectionEnded(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let context else { return 0 }
  let connection = Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { connection.end() }
  return 0
}

private nonisolated func connectionBegan(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let context else { return 0 }
  let connection = Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { connection.begin() }
  return 0
}

private nonisolated func callReplied(
  message: OpaquePointer?, context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let message, let context else { return 0 }
  let connection = Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue()
  let reply = LoopThreadMessage(raw: message)
  MainActor.assumeIsolated { connection.handleReply(reply.raw) }
  return 1
}

private nonisolated func busSignalReceived(
  message: OpaquePointer?, context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let message, let context else { return 0 }
  let subscription = Unmanaged<BusSubscription>.fromOpaque(context).takeUnretainedValue()
  let signal = LoopThreadMessage(raw: message)
  MainActor.assumeIsolated { subscription.handle(signal.raw) }
  return 0
}

private nonisolated func pingReplied(
  message: OpaquePointer?, context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let context else { return 0 }
  let connection = Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { connection.handlePingReply() }
  return 1
}
