// Thread: the loop, which is the main thread. Nothing here blocks it.

public import SegueLoop
public import SegueRPC
public import SegueSystem
public import SegueWire

/// The connection of a program with an event loop, such as a gateway. It is made again when the daemon comes back.
@MainActor
public final class LoopConnection {
  public enum Event {
    /// A connection was made. It is not known yet whether the daemon accepts this client.
    case connected
    /// The connection was lost, or could not be made.
    case disconnected(ConnectionError)
    /// The parameters of an event of the daemon, which `ProtocolEvent` decodes.
    case changed(JSON)
    /// The change of the last response is in effect, but could not be saved.
    case changeNotSaved
  }

  private typealias Completion = @MainActor (Result<JSON, ConnectionError>) -> Void

  private let loop: EventLoop
  private let connection: ReconnectingConnection<Completion>
  private let handler: @MainActor (Event) -> Void
  private var timer: Timer?
  private var source: (IOSource, owner: AnyObject)?

  /// - Parameter handler: Receives the events from the next iteration of the loop on.
  public convenience init(
    on loop: EventLoop, path: FilePath, handler: @escaping @MainActor (Event) -> Void
  ) throws(SystemError) {
    try self.init(on: loop, ReconnectingConnection(path: path), handler)
  }

  /// - Parameter connector: Makes a connection, as `ReconnectingConnection` describes.
  public convenience init(
    on loop: EventLoop, connector: @escaping @MainActor () throws(ConnectionError) -> Connection,
    handler: @escaping @MainActor (Event) -> Void
  ) throws(SystemError) {
    let connect = { () throws(ConnectionError) -> Connection in
      // Proof: the object below belongs to the loop thread and calls this there, and the closure does not outlive it.
      nonisolated(unsafe) var made = Result<Connection, ConnectionError>.failure(.closed(midway: false))
      MainActor.assumeIsolated { made = Result { () throws(ConnectionError) in try connector() } }
      return try made.get()
    }
    try self.init(on: loop, ReconnectingConnection(connector: connect), handler)
  }

  private init(
    on loop: EventLoop, _ connection: ReconnectingConnection<Completion>,
    _ handler: @escaping @MainActor (Event) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.handler = handler
    self.connection = connection
    timer = try Timer(on: loop) { [unowned self] in process(connection.handleDeadline()) }
    wait()
  }

  /// Sends a request. `completion` is called once: with the result, or with an error, which is `closed` if the
  /// connection is lost before the response. Without a connection, it is called before this call returns.
  public func call<Value>(
    _ request: some ProtocolRequest<Value>,
    completion: @escaping @MainActor (Result<Response<Value>, ConnectionError>) -> Void
  ) {
    call(EncodedRequest(request)) { completion($0.map { Response($0) }) }
  }

  /// Sends a request for a method whose name is known only at run time, like the function for other requests.
  public func call(
    _ request: EncodedRequest, completion: @escaping @MainActor (Result<JSON, ConnectionError>) -> Void
  ) {
    process(connection.send(request, for: completion))
  }

  private func process(_ events: [ReconnectingConnection<Completion>.Event]) {
    wait()
    for event in events {
      switch event {
      case .connected: handler(.connected)
      case .disconnected(let error): handler(.disconnected(error))
      case .response(let completion, let result): completion(result)
      case .changeNotSaved: handler(.changeNotSaved)
      case .changed(let parameters): handler(.changed(parameters))
      }
    }
  }

  /// Arms the timer and registers the descriptor.
  private func wait() {
    let interest = connection.interest
    if let deadline = interest.deadline { timer?.arm(at: deadline) } else { timer?.disarm() }
    let readiness = Readiness(rawValue: UInt32(interest.events))
    if let (source, owner) = source, owner === interest.owner {
      source.interest = readiness
      return
    }
    source = interest.owner.flatMap { owner in
      let new = try? IOSource(on: loop, descriptor: interest.descriptor, of: owner, for: readiness) {
        [unowned self] _ in process(connection.handleDescriptor())
      }
      // If the kernel has no memory for it now, another attempt follows.
      if new == nil { timer?.arm(after: .seconds(1)) }
      return new.map { ($0, owner) }
    }
  }
}
