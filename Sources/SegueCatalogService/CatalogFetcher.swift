// Thread: the loop. Nothing that the fetch process sends is trusted.

internal import Glibc
internal import SegueCatalogProviders
internal import SegueLoop
public import SegueSystem
public import SegueWire
internal import SegueWorkerProtocol

/// The access to the fetch process.
public struct CatalogConnection {
  /// Returns the daemon's end, which does not block, of a new channel for catalogues. Throws `unavailable`.
  public var open: @MainActor () throws(Failure) -> Descriptor
  /// Throws the reason why the configured certificate authorities cannot be used for the server of a URL.
  public var checkAuthorities: @MainActor (_ url: String) throws(Failure) -> Void
  /// Kills the fetch process, because it does not respond.
  public var kill: @MainActor (_ reason: LocalizableMessage) -> Void
  /// Lets new channels be those of another process, because this one has closed its end of a channel: it ends, or is
  /// about to.
  public var abandon: @MainActor () -> Void

  public init(
    open: @escaping @MainActor () throws(Failure) -> Descriptor,
    checkAuthorities: @escaping @MainActor (_ url: String) throws(Failure) -> Void,
    kill: @escaping @MainActor (_ reason: LocalizableMessage) -> Void, abandon: @escaping @MainActor () -> Void
  ) {
    self.open = open
    self.checkAuthorities = checkAuthorities
    self.kill = kill
    self.abandon = abandon
  }
}

/// The requests to the fetch process that have no response yet: some were sent, the others wait. The channel is open
/// only while there are some, so that an idle daemon needs no process.
@MainActor
final class CatalogFetcher {
  /// The response to a request, with the memory file that was sent with it.
  typealias Completion = @MainActor (Result<(response: CatalogFetchResponse, file: SharedDescriptor), Failure>) -> Void

  /// A class of requests, which wait for each other, but not for others: pictures may come from any server, and delay
  /// neither queries nor playback.
  enum RequestClass: CaseIterable {
    case queries, pictures

    /// The maximum number of requests that are sent at a time. Their responses need memory in the fetch process.
    fileprivate var maximumRequests: Int {
      switch self {
      case .queries: 8
      case .pictures: 8
      }
    }
  }

  private struct Pending {
    let request: Waiting
    let file: SharedDescriptor
    let deadline: MonotonicTime
  }

  private struct Waiting {
    let requestClass: RequestClass
    let id: UInt32
    let request: CatalogFetchRequest
    /// The URL that is requested.
    let url: String
    /// The size of the memory file for the response.
    let size: Int
    /// The number of processes that have ended before they responded.
    var attempts = 0
    let then: Completion
  }

  private let connection: CatalogConnection
  private let loop: EventLoop
  private var channel: (socket: LinkSocket, source: IOSource)?
  private var pending: [UInt32: Pending] = [:]
  /// The requests that were not sent yet, in their order.
  private var waiting: [RequestClass: [Waiting]] = [:]
  private var lastID: UInt32 = 0
  private var timer: Timer?

  /// The fetch process responds after ten seconds at the latest.
  private static let timeout = MediaTime.seconds(20)
  /// The maximum number of requests of a class that wait.
  private static let maximumWaiting = 64
  /// The number of processes to which a request is sent. A response may be the reason why one ends.
  private static let maximumAttempts = 2

  init(loop: EventLoop, connection: CatalogConnection) throws(SystemError) {
    self.loop = loop
    self.connection = connection
    timer = try Timer(on: loop, slack: .seconds(1)) { [weak self] in self?.killIfHung() }
  }

  /// Whether no further request of a class is accepted.
  func isBusy(_ requestClass: RequestClass) -> Bool { (waiting[requestClass]?.count ?? 0) >= Self.maximumWaiting }

  /// Sends a request for `url` that `make` creates from its id, when there are not too many others. Returns the id.
  /// `then` may be called before this returns.
  func send(
    _ requestClass: RequestClass, _ url: String, size: Int, _ make: (UInt32) -> CatalogFetchRequest,
    then: @escaping Completion
  ) -> UInt32 {
    lastID &+= 1
    let id = lastID
    waiting[requestClass, default: []].append(
      Waiting(requestClass: requestClass, id: id, request: make(id), url: url, size: size, then: then))
    sendWaiting()
    return id
  }

  private func sendWaiting() {
    for requestClass in RequestClass.allCases {
      while pending.values.count(where: { $0.request.requestClass == requestClass }) < requestClass.maximumRequests,
        waiting[requestClass]?.isEmpty == false, let next = waiting[requestClass]?.removeFirst()
      {
        send(next)
      }
    }
  }

  private func send(_ next: Waiting) {
    do {
      let file = SharedDescriptor(try MemoryFile.create("segue-catalog", size: next.size))
      let socket = try openChannel()
      try connection.checkAuthorities(next.url)
      try send(next.request, file, over: socket)
      pending[next.id] = Pending(request: next, file: file, deadline: .now + Self.timeout)
      if timer?.isArmed == false { timer?.arm(after: Self.timeout) }
    } catch {
      closeIfIdle()
      let failure = error as? Failure ?? Failure(.unavailable, "cannot send a request to the network: \(error)")
      next.then(.failure(failure))
    }
  }

  /// Sends a request with its memory file. If the process has ended, `receive` finds that after the last responses, and
  /// the request is sent to another process like all others that have no response.
  private func send(
    _ request: CatalogFetchRequest, _ file: SharedDescriptor, over socket: LinkSocket
  ) throws(SystemError) {
    do throws(SystemError) {
      try socket.send(request, descriptors: [file.raw])
    } catch {
      if error.code != EPIPE, error.code != ECONNRESET { throw error }
    }
  }

  /// Ends a request without a response.
  func cancel(_ id: UInt32) {
    for requestClass in RequestClass.allCases { waiting[requestClass]?.removeAll { $0.id == id } }
    guard pending.removeValue(forKey: id) != nil else { return }
    try? channel?.socket.send(CatalogFetchRequest.cancel(id: id))
    sendWaiting()
    closeIfIdle()
  }

  private func openChannel() throws -> LinkSocket {
    if let channel { return channel.socket }
    let socket = LinkSocket(try connection.open())
    let source = try IOSource(on: loop, descriptor: socket.raw, of: socket, for: .readable) { [weak self] _ in
      self?.receive()
    }
    channel = (socket, source)
    return socket
  }

  private func receive() {
    while let socket = channel?.socket {
      do {
        guard let packet = try socket.receive(), let response = CatalogFetchResponse(packet) else {
          return reconnect(Failure(.unavailable, "the process that reads from the network has ended"))
        }
        // The response to a request that was cancelled meanwhile is ignored.
        guard let received = pending.removeValue(forKey: response.id) else { continue }
        sendWaiting()
        closeIfIdle()
        received.request.then(.success((response, received.file)))
      } catch {
        if error.code != EAGAIN {
          reconnect(Failure(.unavailable, "no connection to the process that reads from the network: \(error)"))
        }
        return
      }
    }
  }

  private func closeIfIdle() {
    guard pending.isEmpty else { return }
    channel = nil
    timer?.disarm()
  }

  /// Closes the channel, because the process has ended. All requests are sent to another process, except those that
  /// were sent before: they fail.
  private func reconnect(_ failure: Failure) {
    connection.abandon()
    channel = nil
    timer?.disarm()
    let sent = pending.values.sorted { $0.request.id < $1.request.id }.map { pending in
      var request = pending.request
      request.attempts += 1
      return request
    }
    pending = [:]
    for requestClass in RequestClass.allCases {
      let again = sent.filter { $0.requestClass == requestClass && $0.attempts < Self.maximumAttempts }
      waiting[requestClass, default: []].insert(contentsOf: again, at: 0)
    }
    for request in sent where request.attempts >= Self.maximumAttempts { request.then(.failure(failure)) }
    sendWaiting()
  }

  private func killIfHung() {
    guard let deadline = pending.values.map(\.deadline).min() else { return }
    guard deadline <= .now else {
      timer?.arm(after: deadline - .now)
      return
    }
    connection.kill(
      LocalizableMessage(
        "the process that reads from the network did not respond for \(Int(Self.timeout.seconds)) s"))
    reconnect(Failure(.timeout, "the process that reads from the network does not respond"))
  }
}
