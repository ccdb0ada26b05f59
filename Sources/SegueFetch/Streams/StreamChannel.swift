internal import Glibc
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The channel of one decoding worker: it serves the requests for the stream that a user named, and for what the
/// content of that stream names.
final class StreamChannel {
  private let socket: LinkSocket
  private var responses: ResponseQueue
  private let client: HTTPClient
  /// The URL that the daemon named, and the scope of the server that named it; nil if a user named it.
  private let url: String
  private let origin: AddressScope?
  /// The facts about the stream that are known since it was opened; nil before.
  private var stream: Stream?
  private var resources: [UInt32: StreamResource] = [:]
  let session = StreamSession()
  private var allowance = TokenBucket(capacity: StreamChannel.maximumRequestsAtStart, perSecond: 10)
  /// Whether the worker has closed the channel or sent an invalid request.
  private(set) var isClosed = false

  private struct Stream {
    /// The URL to which redirects and playlists led last.
    private(set) var url = ""
    /// The URLs to which they led, by which the worker names the stream. Of many, they are the first and the last ones.
    private(set) var urls: [String] = []
    /// The scope of the server that names everything but the URL of the user. Of several servers, it is the farthest
    /// one.
    var scope: AddressScope
    /// The URL of the user, if it leads to the stream without a playlist.
    var source: NamedURL?
    var content: StreamResource.Content
    /// Whether anything was opened that the content names, so that the stream plays.
    var hasParts = false

    private static let maximumURLs = 16

    mutating func add(_ url: String) {
      self.url = url
      guard !urls.contains(url) else { return }
      if urls.count == Self.maximumURLs { urls.remove(at: 1) }
      urls.append(url)
    }

    /// How often requests for the stream itself are repeated, and how often those for its parts.
    var persistence: (ofStream: StreamPersistence, ofParts: StreamPersistence) {
      guard case .manifest(isLive: true) = content else { return (.high, hasParts ? .high : .none) }
      return (.unlimited, hasParts ? .low : .none)
    }
  }

  static let maximumResources = 64
  /// The maximum number of bytes that wait for the worker. Nearly all of them are those of manifests, of which a stream
  /// has one.
  private static let maximumWaiting = 16 << 20
  /// The number of requests while a stream starts.
  private static let maximumRequestsAtStart = 500.0

  init(_ socket: LinkSocket, url: String, namedBy origin: AddressScope?, client: HTTPClient) {
    self.socket = socket
    responses = ResponseQueue(socket)
    self.url = url
    self.origin = origin
    self.client = client
  }

  deinit { for resource in resources.values { resource.close() } }

  var raw: Int32 { socket.raw }
  /// The events of poll(2) for which the channel waits.
  var events: Int16 { Int16(responses.isEmpty ? POLLIN : POLLIN | POLLOUT) }

  /// The resources that wait for room in their sockets.
  var blockedResources: [StreamResource] { resources.values.filter(\.isBlocked) }

  /// The time at which `resumeDueResources` has something to do.
  var deadline: MonotonicTime? { resources.values.compactMap(\.deadline).min() }

  /// Handles events of poll(2).
  func handle(_ events: Int16) {
    if events & Int16(POLLOUT) != 0 { responses.flush() }
    if responses.isBroken { isClosed = true } else if events & ~Int16(POLLOUT) != 0 { receive() }
  }

  /// Handles the requests that have arrived. A worker that sends them without a pause is not heard to the end, because
  /// everything else waits meanwhile.
  private func receive() {
    for _ in 0..<Self.maximumResources where !isClosed {
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
        id, .stream, .none, [NamedURL(url: normalized, namedBy: origin)], at: offset, client, owner: self)
    }
    guard isNamedByUser || stream.urls.contains(url) else {
      let part = NamedURL(url: normalized, namedBy: stream.scope)
      return try StreamResource(id, .part, stream.persistence.ofParts, [part], at: offset, client, owner: self)
    }
    // A playlist is not read again, because another of its sources might answer now.
    let sources = [NamedURL(url: stream.url, namedBy: stream.scope)] + [stream.source].compactMap(\.self)
    let kind: StreamResource.Kind = if case .manifest = stream.content { .manifest } else { .stream }
    return try StreamResource(id, kind, stream.persistence.ofStream, sources, at: offset, client, owner: self)
  }
}

extension StreamChannel: StreamResourceOwner {
  func mayWait(_ count: Int) -> Bool {
    resources.values.reduce(count) { $0 + $1.waitingCount } <= Self.maximumWaiting
  }

  func resource(_ resource: StreamResource, opened head: HTTPHead) {
    if resource.kind == .part {
      self.stream?.hasParts = true
      return
    }
    let sources = resource.sources
    var stream =
      self.stream
      ?? Stream(scope: head.scope, source: sources.isFromPlaylist ? nil : sources.source, content: resource.content)
    stream.add(head.url)
    stream.scope = min(stream.scope, head.scope)
    stream.content = resource.content
    self.stream = stream
  }

  func send(_ response: FetchResponse, descriptor: SharedDescriptor? = nil) {
    responses.send(response, descriptor: descriptor)
    if responses.isBroken { isClosed = true }
  }

  func resourceEnded(_ resource: StreamResource) { resources.removeValue(forKey: resource.id) }
}
