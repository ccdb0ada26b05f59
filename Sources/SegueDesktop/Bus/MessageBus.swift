// Thread: the loop.

internal import Glibc
internal import SegueLoop
internal import SegueSystem

/// The session bus or the system bus, which may be missing, appear late, disappear and come back. While there is none,
/// the path of its socket is watched, and no timer runs.
@MainActor
final class MessageBus {
  private enum State {
    case disconnected
    case connecting(BusConnection)
    /// The connection is established and owns its name.
    case connected(BusConnection)
  }

  enum Event {
    /// The bus is connected; this process owns the name, if it requested one.
    case connected(name: String?)
    case lost
  }

  private let loop: EventLoop
  private let find: @MainActor () -> BusAddress?
  private let names: [String]
  private let path: String
  private let acceptsDescriptors: Bool
  private let onCall: (@MainActor (BusCall) -> Void)?
  private let onEvent: @MainActor (Event) -> Void
  private var state = State.disconnected
  /// The watch for the socket.
  private var watch: IOSource?
  /// The timer for a bus that exists and does not accept the connection: it is starting, ending or overloaded.
  private var retryTimer: Timer?
  private var failures = 0
  /// Whether the socket may have appeared before the bus listens. At the start this is unknown, and therefore true.
  private var mayBeStarting = true

  /// The number of further attempts to connect (after ¼ s, ½ s, … 32 s). After them, only a change of the socket causes
  /// another attempt.
  private static let maximumRetries = 8

  /// Connects to the bus, now or when it appears.
  /// - Parameters:
  ///   - find: Returns the address of the bus.
  ///   - names: The names to request: this process gets the first that no other process owns.
  ///   - path: The path of the object whose method calls `onCall` handles.
  ///   - acceptsDescriptors: Whether replies may contain descriptors.
  init(
    on loop: EventLoop, at find: @escaping @MainActor () -> BusAddress?, names: [String] = [], path: String = "/",
    acceptsDescriptors: Bool = false, onCall: (@MainActor (BusCall) -> Void)? = nil,
    onEvent: @escaping @MainActor (Event) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.find = find
    self.acceptsDescriptors = acceptsDescriptors
    self.names = names
    self.path = path
    self.onCall = onCall
    self.onEvent = onEvent
    retryTimer = try Timer(on: loop, slack: .milliseconds(250)) { [unowned self] in connect() }
    connect()
  }

  /// The connection, while the bus is connected.
  var readyConnection: BusConnection? {
    if case .connected(let connection) = state { connection } else { nil }
  }

  /// Sends a signal of the object if the bus is connected.
  func emit(_ member: String, of interface: String, _ values: [BusValue]) {
    readyConnection?.emit(member, of: interface, at: path, values)
  }

  /// Returns whether signals can be sent: false if the bus is not connected, or if it has left too many messages
  /// unread. In the second case, `completion` is called when it has read all of them.
  func isReadyToEmit(completion: @escaping @MainActor () -> Void) -> Bool {
    guard let readyConnection else { return false }
    return !readyConnection.isBacklogged(completion: completion)
  }

  private func connect() {
    guard case .disconnected = state, let address = find() else { return }
    // The watch precedes the attempt, so that a socket that appears in between is noticed.
    watch = address.socket.flatMap(watchForSocket)
    do throws(SystemError) {
      let connection = try BusConnection(
        on: loop, address: address.text, names: names, path: path, acceptsDescriptors: acceptsDescriptors,
        onCall: onCall, onEvent: { [unowned self] in handle($0) })
      state = .connecting(connection)
    } catch {
      // If there is no bus, the watch reports when one appears. If the socket has just appeared, the bus will listen in
      // a moment, which no event reports.
      if error.code != ENOENT, error.code != ECONNREFUSED || mayBeStarting { retryLater() }
    }
  }

  /// Watches the path of the socket. Returns nil if it cannot be watched.
  private func watchForSocket(at path: FilePath) -> IOSource? {
    guard let watcher = try? SocketWatcher(path: path) else { return nil }
    return try? IOSource(on: loop, descriptor: watcher.raw, of: watcher, for: .readable) { [unowned self] _ in
      guard watcher.processEvents() else { return }
      failures = 0
      retryTimer?.disarm()
      mayBeStarting = true
      connect()
    }
  }

  private func handle(_ event: BusConnection.Event) {
    switch event {
    case .ready(let name):
      if case .connecting(let connection) = state { state = .connected(connection) }
      failures = 0
      watch = nil
      if let name, name != names.first {
        Log.notice("another player is \(names[0]) on the session bus; this one is \(name)")
      }
      onEvent(.connected(name: name))
    case .ended:
      let wasConnected = readyConnection != nil
      state = .disconnected
      mayBeStarting = false
      guard wasConnected else { return retryLater() }
      onEvent(.lost)
      connect()
    }
  }

  private func retryLater() {
    failures += 1
    if failures <= Self.maximumRetries { retryTimer?.arm(after: .milliseconds(125) * (1 << failures)) }
  }
}
