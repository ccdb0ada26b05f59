internal import Glibc
internal import SegueSystem
public import SegueWire
public import SegueWorkerProtocol

/// A channel to a fetch process, at whose other end is the test instead of a decoding worker. Only the thread of the
/// test uses it.
public final class FetchConnection {
  private let link: LinkSocket
  /// The process, which runs as long as it is needed.
  private let fetcher: WorkerProcess
  private var lastID: UInt32 = 0
  private var requests: [UInt32: Request] = [:]
  /// Whether the fetch process has closed the channel.
  private var isClosed = false

  /// The response to a request so far.
  public struct Response: Sendable {
    /// The description of the resource; nil if it was not opened.
    public var resource: FetchedResource?
    public var bytes: [UInt8] = []
    public var failure: Failure?
    /// The ICY metadata.
    public var metadata: [[UInt8]] = []
    /// The number of times that the connection was lost, and that it was established again.
    public var interruptions = 0
    public var resumptions = 0
    /// Whether nothing more follows.
    public var isComplete = false
  }

  private final class Request {
    var response = Response()
    var body: Int32 = -1

    deinit { closeBody() }

    func closeBody() {
      if body >= 0 { Glibc.close(body) }
      body = -1
    }
  }

  /// Opens a channel for the stream at `url`.
  public init(to fetcher: WorkerProcess, for url: String) throws {
    let ends = try LinkSocket.descriptorPair()
    defer { Glibc.close(ends.nonblocking) }
    link = LinkSocket(Descriptor(owning: ends.blocking))
    self.fetcher = fetcher
    try fetcher.send(.serve(url: url), and: [ends.nonblocking])
  }

  /// Requests the bytes of `url` from `offset` on, and returns the number of the request.
  public func open(_ url: String, at offset: Int64 = 0) throws -> UInt32 {
    lastID += 1
    requests[lastID] = Request()
    try link.send(FetchRequest.open(id: lastID, url: url, offset: offset))
    return lastID
  }

  public func close(_ id: UInt32) throws {
    requests[id] = nil
    try link.send(FetchRequest.close(id: id))
  }

  /// Requests `url` and waits for the whole response, or for the first `maximum` bytes of it.
  public func response(to url: String, at offset: Int64 = 0, upTo maximum: Int = .max) throws -> Response {
    let id = try open(url, at: offset)
    return try wait(for: id, "the response to \(url)") { $0.isComplete || $0.bytes.count >= maximum }
  }

  /// Waits until the response to request `id` satisfies `condition`.
  public func wait(
    for id: UInt32, _ what: String, until condition: (Response) -> Bool = \.isComplete
  ) throws -> Response {
    let deadline = MonotonicTime.now + defaultTimeout
    while true {
      guard let request = requests[id] else { throw Unexpected("there is no request \(id)") }
      if condition(request.response) { return request.response }
      guard !request.response.isComplete else {
        throw Unexpected("the end instead of \(what): \(request.response.failure?.message ?? "no failure")")
      }
      guard !isClosed else { throw Unexpected("the channel is closed instead of \(what)") }
      let left = (deadline - MonotonicTime.now).nanoseconds / 1_000_000
      guard left > 0 else { throw Unexpected("timed out waiting for \(what)") }
      try receive(within: Int32(clamping: left))
    }
  }

  /// Waits for responses and bytes, and records them.
  private func receive(within milliseconds: Int32) throws {
    let open = requests.values.filter { $0.body >= 0 }
    var waiting = [pollfd(fd: link.raw, events: Int16(POLLIN), revents: 0)]
    waiting += open.map { pollfd(fd: $0.body, events: Int16(POLLIN), revents: 0) }
    poll(&waiting, nfds_t(waiting.count), milliseconds)
    // The response to a failure precedes the end of the bytes, so the responses come first.
    while waiting[0].revents != 0, !isClosed {
      try receiveResponse()
      poll(&waiting, 1, 0)
    }
    for (request, ready) in zip(open, waiting.dropFirst()) where ready.revents != 0 { receiveBytes(of: request) }
  }

  private func receiveBytes(of request: Request) {
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = read(request.body, &bytes, bytes.count)
    if count > 0 {
      request.response.bytes += bytes[..<count]
    } else {
      request.closeBody()
      request.response.isComplete = true
    }
  }

  private func receiveResponse() throws {
    guard var packet = try link.receive() else {
      isClosed = true
      return
    }
    var body: Int32?
    if let descriptor = packet.takeDescriptor() { body = descriptor.release() }
    guard let response = FetchResponse(packet) else {
      throw Unexpected("not a response: \(String(decoding: packet.bytes, as: UTF8.self))")
    }
    switch response {
    case .opened(let id, let resource):
      guard let request = requests[id], let body else {
        if let body { Glibc.close(body) }
        return
      }
      request.response.resource = resource
      request.body = body
    case .failed(let id, let failure):
      guard let request = requests[id] else { return }
      request.response.failure = failure
      if request.body < 0 { request.response.isComplete = true }
    case .metadata(let id, _, let bytes): requests[id]?.response.metadata.append(bytes)
    case .interrupted(let id): requests[id]?.response.interruptions += 1
    case .resumed(let id): requests[id]?.response.resumptions += 1
    case .ended: break
    }
  }
}
