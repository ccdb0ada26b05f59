// Thread: the loop.

internal import SegueAccounts
internal import SegueHTTP
internal import SegueLoop
internal import SegueRPC
internal import SegueRPCLoop
internal import SegueSystem
internal import SegueWire

/// The connection to the daemon of one browser that is signed in, and the streams of its pages. The connection is
/// restricted to the role of the browser before anything else is sent.
@MainActor
final class DaemonSession {
  let device: Device
  private var connection: LoopConnection?
  private var streams: [EventStream] = []
  private var state = State.connecting
  /// The requests that the daemon has not answered, by their numbers.
  private var calls: [Int: HTTPExchange] = [:]
  private var lastCall = 0
  /// The calls that wait until the connection is restricted.
  private var waiting: [Call] = []
  /// A call costs one token, and another one for each kilobyte, which may name twenty items.
  private var rate = TokenBucket(capacity: 200, perSecond: 50)

  private struct Call {
    let request: HTTPExchange
    let method: String
    let parameters: [UInt8]?
  }

  private enum State {
    case connecting
    case connected
    /// The daemon cannot be reached, or does not know roles.
    case failed
  }

  private static let maximumWaiting = 100
  /// The number of pages of one browser that receive events.
  private static let maximumStreams = 16

  init(on loop: EventLoop, connector: DaemonConnector, device: Device) throws(SystemError) {
    self.device = device
    connection = try LoopConnection(on: loop, connector: connector.connect) { [unowned self] event in
      switch event {
      case .connected:
        state = .connecting
        restrict()
      case .disconnected(let error): disconnected(error)
      case .changed(let parameters): for stream in streams { Self.send(parameters, to: stream) }
      case .changeNotSaved: break
      }
    }
  }

  /// Whether no page receives events and no response is awaited.
  var isUnused: Bool { streams.isEmpty && calls.isEmpty && waiting.isEmpty }

  /// Ends the streams and answers all requests. Pages notice that they are signed out when they connect again.
  func close() {
    for stream in streams { stream.finish() }
    connection = nil
    state = .failed
    let open = calls.values + waiting.map(\.request)
    (calls, waiting) = ([:], [])
    for request in open { request.respond(Self.closed) }
  }

  private static let closed = HTTPResponse.failure(
    Failure(.unavailable, "what this browser may do has changed: try again"), status: 503)

  // MARK: The connection

  private func restrict() {
    connection?.call(RPCRestrictRequest(role: device.role)) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success:
        state = .connected
        for stream in streams { sendState(to: stream) }
        continueWaiting()
      // The connection is made again, and restricted then.
      case .failure(.closed): break
      case .failure(let error):
        // Without a restriction, nothing else may be sent.
        Log.error("the daemon does not restrict the connection: \(error)")
        connection = nil
        state = .failed
        continueWaiting()
      }
    }
  }

  private func disconnected(_ error: ConnectionError) {
    state = .failed
    for stream in streams { stream.send("offline", "{}") }
    continueWaiting()
  }

  private func continueWaiting() {
    let calls = waiting
    waiting = []
    for call in calls { send(call) }
  }

  // MARK: Requests

  /// Sends a request and responds with its result, as JSON-RPC does.
  func call(_ method: String, _ parameters: [UInt8]?, for request: HTTPExchange) {
    guard rate.take(1 + Double((parameters?.count ?? 0) >> 10)) else {
      return request.respond(
        .failure(Failure(.rateLimited, "too many requests", retryAfter: rate.delay()), status: 429))
    }
    send(Call(request: request, method: method, parameters: parameters))
  }

  private func send(_ call: Call) {
    if case .connecting = state, waiting.count < Self.maximumWaiting { return waiting.append(call) }
    guard let connection, case .connected = state else {
      return call.request.respond(.failure(Failure(.unavailable, "the music service of the machine does not answer")))
    }
    lastCall += 1
    let number = lastCall
    calls[number] = call.request
    connection.call(EncodedRequest(call.method, parameters: call.parameters)) { [weak self] result in
      guard let request = self?.calls.removeValue(forKey: number) else { return }
      Self.respond(result, to: request)
    }
  }

  private static func respond(_ result: Result<JSON, ConnectionError>, to request: HTTPExchange) {
    var json = JSONWriter()
    json.beginObject()
    switch result {
    case .success(let value):
      json.key("result")
      json.value(value)
    case .failure(.response(let error)):
      json.key("error")
      json.raw(error.text)
    case .failure: return request.respond(.failure(Failure(.unavailable, "the daemon has ended before it answered")))
    }
    json.endObject()
    request.respond(json: json.bytes)
  }

  // MARK: Events

  /// Sends a page the whole state, and everything that changes afterwards.
  func add(_ stream: EventStream) -> Bool {
    guard streams.count < Self.maximumStreams else { return false }
    streams.append(stream)
    stream.onClose = { [weak self, unowned stream] in self?.streams.removeAll { $0 === stream } }
    switch state {
    case .connected: sendState(to: stream)
    case .connecting: break
    case .failed: stream.send("offline", "{}")
    }
    return true
  }

  private func sendState(to stream: EventStream) {
    connection?.call(EncodedRequest(SubscribeRequest())) { result in
      guard case .success(let snapshot) = result else { return }
      Self.send(snapshot, named: "snapshot", to: stream)
    }
  }

  private static func send(_ parameters: JSON, to stream: EventStream) {
    guard let topic = parameters["topic"]?.string, let data = parameters["data"] else { return }
    send(data, named: topic, to: stream)
  }

  /// Sends a value with the time of the clock that the daemon uses, so that the page can tell how old it is.
  private static func send(_ value: JSON, named name: String, to stream: EventStream) {
    var json = JSONWriter()
    json.beginObject()
    json.key("now")
    json.seconds(MediaTime(nanoseconds: MonotonicTime.now.nanoseconds))
    json.key("data")
    json.value(value)
    json.endObject()
    stream.send(name, String(decoding: json.bytes, as: UTF8.self))
  }
}

extension HTTPResponse {
  /// A response that is not stored anywhere.
  static func json(_ bytes: [UInt8], status: Int = 200, encoding: (name: String, value: String)? = nil) -> HTTPResponse
  {
    var headers: [(name: String, value: String)] = [
      ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
    ]
    if let encoding { headers.append(encoding) }
    return HTTPResponse(status, headers: headers, body: .bytes(bytes))
  }

  /// A response with an error, as JSON-RPC has it, and with the members of its `data` that `more` writes.
  static func failure(
    _ failure: Failure, status: Int = 200, adding more: (inout JSONWriter) -> Void = { _ in }
  ) -> HTTPResponse {
    var json = JSONWriter()
    json.beginObject()
    json.key("error")
    failure.encode(into: &json, adding: more)
    json.endObject()
    return .json(json.bytes, status: status)
  }
}
