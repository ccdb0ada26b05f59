// Thread: the loop. Nothing here waits for the bus: what is asked of it is answered in a later turn of the loop.

internal import CSystemd
internal import Glibc
public import SegueSystem

/// A connection to a message bus, for as long as it lasts; with one name and one object of ours, or as a caller and
/// listener alone. Letting go of it closes it, and what the bus has not taken is lost.
@MainActor
public final class BusConnection {
  /// What becomes of it.
  public enum News: Sendable {
    /// It has this name now; nil: it is there, and wanted none.
    case ready(name: String?)
    /// It has ended, or gets no name. Told once, and nothing after it.
    case ended
  }

  // Proof: set once in init, used on the loop thread only; deinit runs where the last @MainActor owner lets go.
  private nonisolated(unsafe) let bus: OpaquePointer
  private let mailbox: Mailbox
  private var names: ArraySlice<String>
  private let onCall: (@MainActor (BusCall) -> Void)?
  private let onEvent: @MainActor (News) -> Void
  private var hasEnded = false
  private var whenRead: (@MainActor () -> Void)?
  /// By the cookies of the calls that wait for their answers.
  private var answers: [UInt64: @MainActor (OpaquePointer) -> Void] = [:]
  private var listeners: [BusSubscription] = []

  /// So many messages may lie here before nobody is told anything until the bus has read them.
  private static let mostUnread: UInt64 = 64
  /// sd_bus_call_async(3): no limit, and so no timer.
  private static let forever = UInt64.max

  /// Connects, and asks for the first of `names` that nobody has, if there are any.
  /// - Parameters:
  ///   - address: Unix sockets alone (D-Bus Specification, "Server Addresses"): others would be waited for.
  ///   - path: where the object lies whose methods come to `onCall`.
  ///   - takesFiles: whether answers may hand us any.
  ///   - onEvent: is called from the loop, never from in here.
  /// - Throws: `ENOENT` and `ECONNREFUSED` where no bus listens.
  public init(
    on loop: EventLoop, address: String, names: [String] = [], path: String = "/", takesFiles: Bool = false,
    onCall: (@MainActor (BusCall) -> Void)? = nil, onEvent: @escaping @MainActor (News) -> Void
  ) throws(SystemError) {
    var made: OpaquePointer?
    try sdChecked("sd_bus_new") { sd_bus_new(&made) }
    guard let bus = made else { throw SystemError("sd_bus_new", code: ENOMEM) }
    self.bus = bus
    self.names = names[...]
    self.onCall = onCall
    self.onEvent = onEvent
    mailbox = loop.mailbox
    try start(on: loop, address, path, takesFiles: takesFiles)
    if !names.isEmpty { try requestName() }
  }

  deinit { sd_bus_close_unref(bus) }

  private func start(
    on loop: EventLoop, _ address: String, _ path: String, takesFiles: Bool
  ) throws(SystemError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    try sdChecked("sd_bus_set_address") { sd_bus_set_address(bus, address) }
    try sdChecked("sd_bus_set_bus_client") { sd_bus_set_bus_client(bus, 1) }
    // Nobody is to hand us files who was not asked for one.
    try sdChecked("sd_bus_negotiate_fds") { sd_bus_negotiate_fds(bus, takesFiles ? 1 : 0) }
    // It would wait for the bus at the loop's end.
    try sdChecked("sd_bus_set_close_on_exit") { sd_bus_set_close_on_exit(bus, 0) }
    if onCall != nil {
      try sdChecked("sd_bus_add_object") { sd_bus_add_object(bus, nil, path, methodCalled, context) }
    }
    // sd-bus itself sends these, so the bus is not asked for them.
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

  // MARK: Its name

  private func requestName() throws(SystemError) {
    guard let name = names.first else { return }
    let context = Unmanaged.passUnretained(self).toOpaque()
    try sdChecked("sd_bus_request_name_async") { sd_bus_request_name_async(bus, nil, name, 0, nameAnswered, context) }
  }

  /// `answer`: as RequestName's (D-Bus Specification, "Message Bus Messages"); nil for an error.
  fileprivate func hearName(_ answer: UInt32?) {
    guard let answer, let name = names.popFirst() else { return end() }
    // 1: it is ours; 4: it was already.
    if answer == 1 || answer == 4 { return onEvent(.ready(name: name)) }
    do throws(SystemError) {
      if names.isEmpty { end() } else { try requestName() }
    } catch {
      end()
    }
  }

  fileprivate func end() {
    guard !hasEnded else { return }
    hasEnded = true
    // Whoever hears of it lets go of this, which sd-bus is not done with.
    mailbox.post { [weak self] in self?.onEvent(.ended) }
  }

  fileprivate func begin() { if !hasEnded { onEvent(.ready(name: nil)) } }

  fileprivate func hear(_ call: BusCall) { onCall?(call) }

  // MARK: Asking

  /// Calls a method of somebody else's. `then` gets the answer's values, if they are of the types `answering`, with the
  /// unique name of whoever answers; or why there are none. It is not called if this connection is let go of before.
  /// `starting`: whether the bus may start a program to answer it.
  public func call(
    _ member: String, of interface: String, at path: String, on destination: String, _ values: [BusValue],
    answering types: String, starting: Bool = true,
    then: @escaping @MainActor (Result<(sender: String, values: [BusValue]), BusError>) -> Void
  ) {
    do throws(SystemError) {
      let question = try BusMessage("sd_bus_message_new_method_call") {
        sd_bus_message_new_method_call(bus, $0, destination, path, interface, member)
      }
      if !starting {
        try sdChecked("sd_bus_message_set_auto_start") { sd_bus_message_set_auto_start(question.raw, 0) }
      }
      for value in values { try question.append(value) }
      let context = Unmanaged.passUnretained(self).toOpaque()
      try sdChecked("sd_bus_call_async") {
        sd_bus_call_async(bus, nil, question.raw, callAnswered, context, Self.forever)
      }
      var cookie: UInt64 = 0
      try sdChecked("sd_bus_message_get_cookie") { sd_bus_message_get_cookie(question.raw, &cookie) }
      answers[cookie] = { raw in then(Self.read(raw, types)) }
    } catch {
      let fault = BusError(.failed, "\(error)")
      mailbox.post { then(.failure(fault)) }
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
      return .failure(BusError(.invalidArguments, "the answer is none of the types \(types)"))
    }
    return .success((sd_bus_message_get_sender(raw).map { String(cString: $0) } ?? "", values))
  }

  fileprivate func hear(answer raw: OpaquePointer) {
    var cookie: UInt64 = 0
    guard sd_bus_message_get_reply_cookie(raw, &cookie) >= 0 else { return }
    answers.removeValue(forKey: cookie)?(raw)
  }

  /// From now on `then` gets the values of a signal, whenever they are of these types. `first`: what the first of them
  /// is; nil for whatever it is.
  public func listen(
    to member: String, of interface: String, at path: String, from sender: String, first: String? = nil,
    _ types: String, then: @escaping @MainActor ([BusValue]) -> Void
  ) {
    let listener = BusSubscription(types, then)
    listeners.append(listener)
    var rule = "type='signal',sender='\(sender)',path='\(path)',interface='\(interface)',member='\(member)'"
    if let first { rule += ",arg0='\(first)'" }
    // A bus that refuses this ends the connection.
    sd_bus_add_match_async(bus, nil, rule, signalled, nil, Unmanaged.passUnretained(listener).toOpaque())
  }

  // MARK: Telling

  /// Whether the bus has left too much unread to be told more. `then` is called when it has read all of it.
  public func isBehind(then: @escaping @MainActor () -> Void) -> Bool {
    var unread: UInt64 = 0
    sd_bus_get_n_queued_write(bus, &unread)
    guard whenRead != nil || unread > Self.mostUnread else { return false }
    if whenRead == nil { askWhetherRead() }
    whenRead = then
    return true
  }

  /// What is asked last is answered last.
  private func askWhetherRead() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let driver = "org.freedesktop.DBus"
    do throws(SystemError) {
      let question = try BusMessage("sd_bus_message_new_method_call") {
        sd_bus_message_new_method_call(bus, $0, driver, "/org/freedesktop/DBus", "org.freedesktop.DBus.Peer", "Ping")
      }
      try sdChecked("sd_bus_call_async") {
        sd_bus_call_async(bus, nil, question.raw, allWasRead, context, Self.forever)
      }
    } catch {
      end()
    }
  }

  fileprivate func hearThatAllIsRead() {
    let then = whenRead
    whenRead = nil
    then?()
  }

  /// Sends a signal of the object at `path`.
  public func emit(_ member: String, of interface: String, at path: String, _ values: [BusValue]) {
    do throws(SystemError) {
      let signal = try BusMessage("sd_bus_message_new_signal") {
        sd_bus_message_new_signal(bus, $0, path, interface, member)
      }
      for value in values { try signal.append(value) }
      // Where the connection has ended, that is said by other means.
      sd_bus_send(bus, signal.raw, nil)
    } catch {
      Log.warning("D-Bus: \(member) cannot be sent: \(error)")
    }
  }
}

/// Who waits for a signal; its connection has it.
@MainActor
private final class BusSubscription {
  private let types: String
  private let then: @MainActor ([BusValue]) -> Void

  init(_ types: String, _ then: @escaping @MainActor ([BusValue]) -> Void) {
    self.types = types
    self.then = then
  }

  func hear(_ raw: OpaquePointer) {
    if let values = BusMessage(keeping: raw).values(types) { then(values) }
  }
}

// A strong reference for the length of each call: the handler may let go of its connection.

private nonisolated func methodCalled(
  message: OpaquePointer?, context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let message, let context else { return 0 }
  let connection = Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue()
  // Proof: sd-bus calls this on the loop thread, and waits for it.
  nonisolated(unsafe) let call = message
  MainActor.assumeIsolated { connection.hear(BusCall(call)) }
  return 1
}

private nonisolated func nameAnswered(
  message: OpaquePointer?, context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let message, let context else { return 0 }
  var answer: UInt32 = 0
  let isAnswer =
    sd_bus_message_is_method_error(message, nil) == 0
    && sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &answer) > 0
  let result = isAnswer ? answer : nil
  let connection = Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { connection.hearName(result) }
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

private nonisolated func callAnswered(
  message: OpaquePointer?, context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let message, let context else { return 0 }
  let connection = Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue()
  // Proof: sd-bus calls this on the loop thread, and waits for it.
  nonisolated(unsafe) let answer = message
  MainActor.assumeIsolated { connection.hear(answer: answer) }
  return 1
}

private nonisolated func signalled(
  message: OpaquePointer?, context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let message, let context else { return 0 }
  let listener = Unmanaged<BusSubscription>.fromOpaque(context).takeUnretainedValue()
  // Proof: as above.
  nonisolated(unsafe) let signal = message
  MainActor.assumeIsolated { listener.hear(signal) }
  return 0
}

private nonisolated func allWasRead(
  message: OpaquePointer?, context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let context else { return 0 }
  let connection = Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { connection.hearThatAllIsRead() }
  return 1
}
