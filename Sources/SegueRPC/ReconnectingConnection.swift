internal import Glibc
public import SegueSystem
public import SegueWire

/// A connection that never blocks, and that is made again when the daemon comes back: for programs that wait for
/// several descriptors at once, with poll(2) or an event loop. A `Call` is what the program knows about a request; it
/// comes back with the response. The object belongs to one thread.
public final class ReconnectingConnection<Call> {
  public enum Event {
    /// A connection was made. It is not known yet whether the daemon accepts this client.
    case connected
    /// The connection was lost, or could not be made.
    case disconnected(ConnectionError)
    /// Every call has exactly one response. It is `closed` if the connection is lost before the daemon has answered.
    case response(Call, Result<JSON, ConnectionError>)
    /// The change of the last response is in effect, but could not be saved.
    case changeNotSaved
    /// The parameters of an event of the daemon, which `ProtocolEvent` decodes.
    case changed(JSON)

    fileprivate static func closed(_ call: Call) -> Event { .response(call, .failure(.closed(midway: false))) }
  }

  private enum State {
    /// `pending` has the calls that are not answered, by the id of the request. `isAccepted` says whether the daemon
    /// has answered one: it does not answer a client that it refuses.
    case connected(Connection, pending: [Int: Call], isAccepted: Bool)
    /// The next attempt is made at a time; if that is nil, when a socket appears.
    case waiting(until: MonotonicTime?)
  }

  private let connector: () throws(ConnectionError) -> Connection
  private var state = State.waiting(until: .now)
  private var backoff = ReconnectionBackoff()
  /// The error that the daemon has sent about the connection itself, before it closes the connection.
  private var refusal: ConnectionError?
  /// The watcher of the socket. It is created before the first attempt, so that it reports every later change.
  private let watcher: SocketWatcher?

  public init(path: FilePath) {
    watcher = try? SocketWatcher(path: path)
    connector = { () throws(ConnectionError) in try Connection(path: path, blocking: false) }
  }

  /// - Parameter connector: Makes a connection that does not block, for a program that may not connect itself. After a
  ///   failure, it is called again from time to time.
  public init(connector: @escaping () throws(ConnectionError) -> Connection) {
    watcher = nil
    self.connector = connector
  }

  /// The events that the program waits for. They change with each call of a function of this object.
  public var interest: ConnectionInterest {
    switch state {
    case .connected(let connection, _, _): connection.interest
    case .waiting(let time):
      ConnectionInterest(owner: watcher, descriptor: watcher?.raw ?? -1, events: Int16(POLLIN), deadline: time)
    }
  }

  /// Tries to connect if it is time to do so.
  public func handleDeadline() -> [Event] {
    guard case .waiting(let time?) = state, time <= .now else { return [] }
    return connect()
  }

  /// Handles the descriptor, which is ready.
  public func handleDescriptor() -> [Event] {
    switch state {
    case .connected(let connection, _, _): return receive(from: connection)
    case .waiting:
      guard watcher?.processEvents() == true else { return [] }
      backoff.reset()
      return connect()
    }
  }

  /// Sends a request, like the function for requests whose method is known only at run time.
  public func send(_ request: any ProtocolRequest, for call: Call) -> [Event] {
    send(EncodedRequest(request), for: call)
  }

  /// Sends a request. Returns the response if it is a failure already: `closed` without a connection, and `unread` if
  /// the daemon has left too many requests unread.
  public func send(_ request: EncodedRequest, for call: Call) -> [Event] {
    guard case .connected(let connection, var pending, let isAccepted) = state else { return [.closed(call)] }
    guard let id = connection.sendWithoutBlocking(request) else {
      return [.response(call, .failure(.unread))]
    }
    pending[id] = call
    state = .connected(connection, pending: pending, isAccepted: isAccepted)
    return []
  }

  private func connect() -> [Event] {
    do throws(ConnectionError) {
      state = .connected(try connector(), pending: [:], isAccepted: false)
      return [.connected]
    } catch {
      return scheduleReconnection(after: error)
    }
  }

  private func scheduleReconnection(after error: ConnectionError) -> [Event] {
    let (isAbsent, calls) =
      switch state {
      case .connected(_, let pending, _): (false, pending.sorted { $0.key < $1.key }.map(\.value))
      // Other errors are those of a daemon that runs, and whose socket does not change.
      case .waiting: (error.isDaemonAbsent, [])
      }
    state = .waiting(until: backoff.nextAttempt(isDaemonAbsent: isAbsent, canWatch: watcher != nil))
    defer { refusal = nil }
    return calls.map(Event.closed) + [.disconnected(refusal ?? error)]
  }

  private func receive(from connection: Connection) -> [Event] {
    let messages: [JSON]
    do throws(ConnectionError) {
      messages = try connection.receiveMessages()
    } catch {
      return scheduleReconnection(after: error)
    }
    return messages.flatMap { message in
      (event(message).map { [$0] } ?? []) + (message.reportsSavedChange ? [] : [.changeNotSaved])
    }
  }

  /// Returns the event of a message; nil for a message that is not expected.
  private func event(_ message: JSON) -> Event? {
    guard message["method"] == nil else { return message["params"].map { .changed($0) } }
    let failure = message["error"].flatMap { $0.isNull ? nil : ConnectionError.response(ErrorResponse($0)) }
    guard let id = message["id"]?.int else {
      // An error that belongs to no request: the daemon refuses the connection.
      if message["id"]?.isNull ?? true, let failure { refusal = failure }
      return nil
    }
    guard case .connected(let connection, var pending, let isAccepted) = state,
      let call = pending.removeValue(forKey: id)
    else { return nil }
    if failure == nil, !isAccepted { backoff.connectionIsAccepted() }
    state = .connected(connection, pending: pending, isAccepted: isAccepted || failure == nil)
    if let failure { return .response(call, .failure(failure)) }
    guard let result = message["result"] else { return .response(call, .failure(.violation(.noResult))) }
    return .response(call, .success(result))
  }
}
