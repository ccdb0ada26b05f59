internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The connection to the daemon in the loop of the interface: it never blocks, and is made again when the daemon comes back.
final class DaemonLink {
  private enum State {
    /// `pending` has the calls that are not answered, by the id of the request.
    case connected(Connection, pending: [Int: DaemonCall])
    /// The next attempt is made at a time; if that is nil, when a socket appears.
    case waiting(until: MonotonicTime?)
  }

  private let path: FilePath
  private var state = State.waiting(until: .now)
  private var backoff = ReconnectionBackoff()
  /// The error that the daemon has sent about the connection itself, before it closes the connection.
  private var refusal: ClientError?
  /// The watcher of the socket. It is created before the first attempt, so that it reports every later change.
  private let watcher: SocketWatcher?

  init(path: FilePath) {
    self.path = path
    watcher = try? SocketWatcher(path: path)
  }

  /// The descriptor to wait for.
  var raw: Int32 {
    switch state {
    case .connected(let connection, _): connection.raw
    case .waiting: watcher?.raw ?? -1
    }
  }

  /// The time at which `handleDeadline` has to be called; nil if there is none.
  var deadline: MonotonicTime? {
    switch state {
    case .connected: nil
    case .waiting(let time): time
    }
  }

  /// Tries to connect if it is time to do so.
  func handleDeadline() -> [Event] {
    guard case .waiting(let time?) = state, time <= .now else { return [] }
    return connect()
  }

  /// Handles the descriptor, which is readable.
  func handleInput() -> [Event] {
    switch state {
    case .connected(let connection, _): return receive(from: connection)
    case .waiting:
      guard watcher?.processEvents() == true else { return [] }
      backoff.reset()
      return connect()
    }
  }

  /// Sends the request of a call. Returns the event if the connection is lost.
  func send(_ call: DaemonCall) -> [Event] {
    guard case .connected(let connection, var pending) = state else { return [] }
    guard let id = connection.sendWithoutBlocking(ClientRequest(call.request)) else {
      // The daemon may have sent a reason before it closed the connection.
      let messages = connection.isReadable ? try? connection.receiveMessages() : nil
      for message in messages ?? [] { noteRefusal(message) }
      return scheduleReconnection(after: .failedAttempt(tr("the daemon does not read requests")))
    }
    pending[id] = call
    state = .connected(connection, pending: pending)
    return []
  }

  private func connect() -> [Event] {
    do throws(ClientError) {
      state = .connected(try Connection(path: path, blocking: false), pending: [:])
      return [.connected]
    } catch {
      return scheduleReconnection(after: error)
    }
  }

  private func scheduleReconnection(after error: ClientError) -> [Event] {
    let isAbsent =
      switch state {
      case .connected: false
      // Other errors are those of a daemon that runs, and whose socket does not change.
      case .waiting: error.exit == .noDaemon
      }
    state = .waiting(until: backoff.nextAttempt(isDaemonAbsent: isAbsent, canWatch: watcher != nil))
    defer { refusal = nil }
    return [.disconnected(refusal ?? error)]
  }

  private func receive(from connection: Connection) -> [Event] {
    let messages: [JSON]
    do throws(ClientError) {
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
    refusal = .daemonError(error)
  }

  /// Returns the event of a message; nil for a message that is not expected.
  private func event(_ message: JSON) -> Event? {
    guard message["method"] == nil else { return notification(message) }
    noteRefusal(message)
    guard case .connected(let connection, var pending) = state, let id = message["id"]?.int,
      let call = pending.removeValue(forKey: id)
    else { return nil }
    state = .connected(connection, pending: pending)
    if let error = message["error"], !error.isNull { return .response(call, .failure(.daemonError(error))) }
    guard let result = message["result"] else {
      return .response(call, .failure(.invalidResponse(tr("the daemon sent a response with neither result nor error"))))
    }
    // Only now is it known that the daemon accepts this client.
    if call == .subscribe { backoff.connectionIsAccepted() }
    return .response(call, .success(result))
  }

  private func notification(_ message: JSON) -> Event? {
    switch message["params"].flatMap(ProtocolEvent.init) {
    case .player(let status)?: .playerChanged(status)
    case .queue(let queue)?: .queueChanged(version: queue.version, length: queue.length)
    case .library(let status)?: .libraryChanged(status)
    case .settings(let list)?: .settingsChanged(list.settings)
    case .output?, nil: nil
    }
  }
}

extension ClientError {
  fileprivate static func failedAttempt(_ message: String) -> ClientError { ClientError(.failed, message) }
}
