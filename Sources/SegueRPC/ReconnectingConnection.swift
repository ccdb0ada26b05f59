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
    case response(Call, Result<JSON, ConnectionError>)
    /// The change of the last response is in effect, but could not be saved.
    case changeNotSaved
    case changed(ProtocolEvent)
  }

  private enum State {
    /// `pending` has the calls that are not answered, by the id of the request. `isAccepted` says whether the daemon
    /// has answered one: it does not answer a client that it refuses.
    case connected(Connection, pending: [Int: Call], isAccepted: Bool)
    /// The next attempt is made at a time; if that is nil, when a socket appears.
    case waiting(until: MonotonicTime?)
  }

  private let path: FilePath
  private var state = State.waiting(until: .now)
  private var backoff = ReconnectionBackoff()
  /// The error that the daemon has sent about the connection itself, before it closes the connection.
  private var refusal: ConnectionError?
  /// The watcher of the socket. It is created before the first attempt, so that it reports every later change.
  private let watcher: SocketWatcher?

  public init(path: FilePath) {
    self.path = path
    watcher = try? SocketWatcher(path: path)
  }

  /// The descriptor to wait for.
  public var raw: Int32 {
    switch state {
    case .connected(let connection, _, _): connection.raw
    case .waiting: watcher?.raw ?? -1
    }
  }

  /// The time at which `handleDeadline` has to be called; nil if there is none.
  public var deadline: MonotonicTime? {
    switch state {
    case .connected: nil
    case .waiting(let time): time
    }
  }

  /// Tries to connect if it is time to do so.
  public func handleDeadline() -> [Event] {
    guard case .waiting(let time?) = state, time <= .now else { return [] }
    return connect()
  }

  /// Handles the descriptor, which is readable.
  public func handleInput() -> [Event] {
    switch state {
    case .connected(let connection, _, _): return receive(from: connection)
    case .waiting:
      guard watcher?.processEvents() == true else { return [] }
      backoff.reset()
      return connect()
    }
  }

  /// Sends a request. Returns the event if the connection is lost. Without a connection, nothing is sent.
  public func send(_ request: any ProtocolRequest, for call: Call) -> [Event] {
    guard case .connected(let connection, var pending, let isAccepted) = state else { return [] }
    guard let id = connection.sendWithoutBlocking(EncodedRequest(request)) else {
      // The daemon may have sent a reason before it closed the connection.
      let messages = connection.isReadable ? try? connection.receiveMessages() : nil
      for message in messages ?? [] { noteRefusal(message) }
      return scheduleReconnection(after: .unread)
    }
    pending[id] = call
    state = .connected(connection, pending: pending, isAccepted: isAccepted)
    return []
  }

  private func connect() -> [Event] {
    do throws(ConnectionError) {
      state = .connected(try Connection(path: path, blocking: false), pending: [:], isAccepted: false)
      return [.connected]
    } catch {
      return scheduleReconnection(after: error)
    }
  }

  private func scheduleReconnection(after error: ConnectionError) -> [Event] {
    let isAbsent =
      switch state {
      case .connected: false
      // Other errors are those of a daemon that runs, and whose socket does not change.
      case .waiting: error.isDaemonAbsent
      }
    state = .waiting(until: backoff.nextAttempt(isDaemonAbsent: isAbsent, canWatch: watcher != nil))
    defer { refusal = nil }
    return [.disconnected(refusal ?? error)]
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

  /// Remembers an error that belongs to no request: the daemon refuses the connection.
  private func noteRefusal(_ message: JSON) {
    guard message["method"] == nil, message["id"]?.isNull ?? true, let error = message["error"], !error.isNull
    else { return }
    refusal = .response(ErrorResponse(error))
  }

  /// Returns the event of a message; nil for a message that is not expected.
  private func event(_ message: JSON) -> Event? {
    guard message["method"] == nil else { return message["params"].flatMap(ProtocolEvent.init).map(Event.changed) }
    noteRefusal(message)
    guard case .connected(let connection, var pending, let isAccepted) = state, let id = message["id"]?.int,
      let call = pending.removeValue(forKey: id)
    else { return nil }
    let isSuccess = message["error"].map(\.isNull) ?? true
    if isSuccess, !isAccepted { backoff.connectionIsAccepted() }
    state = .connected(connection, pending: pending, isAccepted: isAccepted || isSuccess)
    if let error = message["error"], !error.isNull {
      return .response(call, .failure(.response(ErrorResponse(error))))
    }
    guard let result = message["result"] else { return .response(call, .failure(.violation(.noResult))) }
    return .response(call, .success(result))
  }
}
