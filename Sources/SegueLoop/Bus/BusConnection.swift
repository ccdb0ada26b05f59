// Thread: the loop. Nothing here waits for the bus: what is asked of it is answered in a later turn of the loop.

internal import CSystemd
internal import Glibc
public import SegueSystem

/// A connection to a message bus, with one name and one object of ours; for as long as it lasts. Letting go of it closes
/// it, and what the bus has not taken is lost.
@MainActor
public final class BusConnection {
  /// What becomes of it.
  public enum News: Sendable {
    /// It has this name now.
    case named(String)
    /// It has ended, or gets no name. Told once, and nothing after it.
    case ended
  }

  // Proof: set once in init, used on the loop thread only; deinit runs where the last @MainActor owner lets go.
  private nonisolated(unsafe) let bus: OpaquePointer
  private let mailbox: Mailbox
  private var names: ArraySlice<String>
  private let onCall: @MainActor (BusCall) -> Void
  private let onNews: @MainActor (News) -> Void
  private var hasEnded = false
  private var whenRead: (@MainActor () -> Void)?

  /// So many messages may lie here before nobody is told anything until the bus has read them.
  private static let mostUnread: UInt64 = 64
  /// sd_bus_call_async(3): no limit, and so no timer.
  private static let forever = UInt64.max

  /// Connects, and asks for the first of `names` that nobody has.
  /// - Parameters:
  ///   - address: Unix sockets alone (D-Bus Specification, "Server Addresses"): others would be waited for.
  ///   - path: where the object lies whose methods come to `onCall`.
  ///   - onNews: is called from the loop, never from in here.
  /// - Throws: `ENOENT` and `ECONNREFUSED` where no bus listens.
  public init(
    on loop: EventLoop, address: String, names: [String], path: String, onCall: @escaping @MainActor (BusCall) -> Void,
    onNews: @escaping @MainActor (News) -> Void
  ) throws(SystemError) {
    var made: OpaquePointer?
    try sdChecked("sd_bus_new") { sd_bus_new(&made) }
    guard let bus = made else { throw SystemError("sd_bus_new", code: ENOMEM) }
    self.bus = bus
    self.names = names[...]
    self.onCall = onCall
    self.onNews = onNews
    mailbox = loop.mailbox
    try start(on: loop, address, path)
    try requestName()
  }

  deinit { sd_bus_close_unref(bus) }

  private func start(on loop: EventLoop, _ address: String, _ path: String) throws(SystemError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    try sdChecked("sd_bus_set_address") { sd_bus_set_address(bus, address) }
    try sdChecked("sd_bus_set_bus_client") { sd_bus_set_bus_client(bus, 1) }
    // Nobody is to hand us files.
    try sdChecked("sd_bus_negotiate_fds") { sd_bus_negotiate_fds(bus, 0) }
    // It would wait for the bus at the loop's end.
    try sdChecked("sd_bus_set_close_on_exit") { sd_bus_set_close_on_exit(bus, 0) }
    try sdChecked("sd_bus_add_object") { sd_bus_add_object(bus, nil, path, methodCalled, context) }
    // sd-bus itself sends this, so the bus is not asked for it.
    let own = "org.freedesktop.DBus.Local"
    try sdChecked("sd_bus_match_signal") {
      sd_bus_match_signal(bus, nil, own, nil, own, "Disconnected", connectionEnded, context)
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
    if answer == 1 || answer == 4 { return onNews(.named(name)) }
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
    mailbox.post { [weak self] in self?.onNews(.ended) }
  }

  fileprivate func hear(_ call: BusCall) { onCall(call) }

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
      Log.warning("the session bus: \(member) cannot be sent: \(error)")
    }
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

private nonisolated func allWasRead(
  message: OpaquePointer?, context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let context else { return 0 }
  let connection = Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { connection.hearThatAllIsRead() }
  return 1
}
