internal import Glibc
internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// The channel of one decoding worker: it serves the requests for the stream that a user named, and for what the content
/// of that stream names.
final class StreamChannel {
  private let socket: LinkSocket
  private let client: HTTPClient
  /// The URL that the daemon named, and the scope of the server that named it; nil if a user named it.
  private let url: String
  private let origin: AddressScope?
  /// The facts about the stream that are known since it was opened; nil before.
  private var stream: Stream?
  private var resources: [UInt32: StreamResource] = [:]
  private var allowance = TokenBucket(capacity: StreamChannel.maximumRequestsAtStart, perSecond: 10)
  /// Whether the worker has closed the channel or sent an invalid request.
  private(set) var isClosed = false

  private struct Stream {
    /// The URL to which redirects and playlists led.
    var url: String
    /// The scope of the server that names everything but the URL of the user. Of several servers, it is the farthest one.
    var scope: AddressScope
    /// The URL of the user, if it leads to the stream without a playlist.
    var source: NamedURL?
  }

  static let maximumResources = 64
  /// The number of requests while a stream starts.
  private static let maximumRequestsAtStart = 500.0

  init(_ socket: LinkSocket, url: String, namedBy origin: AddressScope?, client: HTTPClient) {
    self.socket = socket
    self.url = url
    self.origin = origin
    self.client = client
  }

  deinit { for resource in resources.values { resource.close() } }

  var raw: Int32 { socket.raw }

  /// The resources that wait for room in their sockets.
  var blockedResources: [StreamResource] { resources.values.filter(\.isBlocked) }

  /// The time at which `resumeDueResources` has something to do.
  var deadline: MonotonicTime? { resources.values.compactMap(\.deadline).min() }

  /// Handles the requests that have arrived.
  func receive() {
    while !isClosed {
      do {
        guard let packet = try socket.receive(), let request = FetchRequest(packet) else { return close() }
        handle(request)
      } catch {
        if error.code != EAGAIN { close() }
        return
      }
    }
  }

  /// Continues with the resources whose time has come.
  func resumeDueResources(at now: MonotonicTime) { for resource in resources.values { resource.resumeIfDue(at: now) } }

  /// Pauses stations that are ahead of playback.
  func pauseResourcesAhead(at now: MonotonicTime) {
    for resource in resources.values { resource.pauseIfAhead(at: now) }
  }

  private func close() {
    isClosed = true
    for resource in resources.values { resource.close() }
    resources = [:]
  }

  private func handle(_ request: FetchRequest) {
    switch request {
    case .open(let id, let url, let offset):
      do throws(Failure) {
        guard resources[id] == nil, resources.count < Self.maximumResources, allowance.take() else {
          throw Failure(.unplayable, "the stream refers to too many addresses")
        }
        resources[id] = try resource(id, url, offset)
      } catch {
        send(.failed(id: id, error))
      }
    case .close(let id): resources.removeValue(forKey: id)?.close()
    }
  }

  private func resource(_ id: UInt32, _ url: String, _ offset: Int64) throws(Failure) -> StreamResource {
    guard let normalized = URLText.normalized(url) else {
      throw Failure(.unavailable, "unsupported address: only http and https can be played")
    }
    let isNamedByUser = url == self.url
    guard let stream else {
      // Until the first server is known, nothing else can be named.
      guard isNamedByUser else { throw Failure(.denied, "an address that nothing names") }
      return try StreamResource(
        id, .stream, [NamedURL(url: normalized, namedBy: origin)], at: offset, client, owner: self)
    }
    guard isNamedByUser || url == stream.url else {
      let part = NamedURL(url: normalized, namedBy: stream.scope)
      return try StreamResource(id, .part, [part], at: offset, client, owner: self)
    }
    // A playlist is not read again, because another of its sources might answer now.
    let sources = [NamedURL(url: stream.url, namedBy: stream.scope)] + [stream.source].compactMap(\.self)
    return try StreamResource(id, .stream, sources, at: offset, client, owner: self)
  }
}

extension StreamChannel: StreamResourceOwner {
  func resource(_ resource: StreamResource, opened head: HTTPHead) {
    guard case .stream = resource.kind else { return }
    let source = stream.map(\.source) ?? (resource.isFromPlaylist ? nil : resource.source)
    stream = Stream(url: head.url, scope: min(stream?.scope ?? head.scope, head.scope), source: source)
  }

  func send(_ response: FetchResponse, descriptor: Int32? = nil) {
    do {
      try socket.send(response, descriptors: [descriptor].compactMap(\.self))
    } catch {
      // A worker that does not read may miss titles.
      if error.code == EAGAIN, case .metadata = response { return }
      // The worker reads no responses, or has ended.
      isClosed = true
    }
  }

  func resourceEnded(_ resource: StreamResource) { resources.removeValue(forKey: resource.id) }
}
