// Decoding thread only.
internal import Glibc
internal import SegueFFmpeg
internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// A client of the fetch process, through which the worker reads one stream and what its content names.
final class FetchClient {
  private let channel: LinkSocket
  private let inbox: CommandInbox
  /// The URL of the stream as the user named it.
  private let url: String
  private var lastID: UInt32 = 0
  private var pending: [UInt32: PendingRequest] = [:]
  private var failures: [UInt32: Failure] = [:]
  /// The requests that were not closed, and those of them whose bytes have all been sent.
  private var unclosed: Set<UInt32> = []
  private var ended: Set<UInt32> = []
  /// The ICY metadata of the current request for the stream, each with the offset of the byte that follows.
  private var metadata: [(offset: Int64, bytes: [UInt8])] = []
  private var streamID: UInt32 = 0
  /// The requests whose connection is lost at the moment.
  private var interrupted: Set<UInt32> = []
  /// Called when the connection of a request is lost, and when all connections are established again.
  var onConnectionChange: ((_ isLost: Bool) -> Void)?

  /// The response to a request that is awaited.
  private final class PendingRequest {
    var resource: FetchedResource?
    var data: Int32 = -1

    deinit { if data >= 0 { Glibc.close(data) } }
  }

  /// The number of metadata that are kept until the bytes before them are read.
  private static let maximumMetadata = 256

  init(_ channel: LinkSocket, url: String, inbox: CommandInbox) {
    self.channel = channel
    self.url = url
    self.inbox = inbox
  }

  /// Opens the stream. Blocks until its server has answered.
  func openStream() throws(MediaError) -> FetchedStream { try FetchedStream(self, url, at: 0) }

  /// Opens a URL that the content of the stream names.
  func openPart(_ url: String) throws(MediaError) -> FetchedStream {
    try FetchedStream(self, url, at: 0)
  }

  /// Opens a further request for the bytes of `resource` from `offset` on.
  func open(_ resource: FetchedResource, at offset: Int64) throws(MediaError) -> FetchedStream {
    try FetchedStream(self, resource.url, at: offset)
  }

  /// Whether a command was received that replaces the stream.
  var isInterrupted: Bool { inbox.checkInterruption() }

  // MARK: Requests

  /// Requests the bytes of `url` from `offset` on. Returns the number of the request, the description of the resource and
  /// the descriptor of its bytes, which the caller has to close.
  func open(_ url: String, at offset: Int64) throws(MediaError) -> (UInt32, FetchedResource, Int32) {
    lastID += 1
    let id = lastID
    if url == self.url {
      streamID = id
      metadata = []
    }
    let request = PendingRequest()
    pending[id] = request
    defer { pending[id] = nil }
    unclosed.insert(id)
    send(.open(id: id, url: url, offset: offset))
    while true {
      if let failure = failures.removeValue(forKey: id) { throw .failed(failure) }
      if let resource = request.resource {
        defer { request.data = -1 }
        return (id, resource, request.data)
      }
      try wait(for: nil)
    }
  }

  func close(_ id: UInt32) {
    failures[id] = nil
    unclosed.remove(id)
    ended.remove(id)
    setInterrupted(id, false)
    send(.close(id: id))
  }

  private func send(_ request: FetchRequest) {
    // If the fetch process has ended, the next read finds the channel closed.
    do { try channel.send(request) } catch { Log.debug("\(error)") }
  }

  // MARK: Responses

  /// Waits until `data` is readable, or until a response has arrived.
  func wait(for data: Int32?) throws(MediaError) {
    var waiting = [
      pollfd(fd: channel.raw, events: Int16(POLLIN), revents: 0),
      pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    if let data { waiting.append(pollfd(fd: data, events: Int16(POLLIN), revents: 0)) }
    poll(&waiting, nfds_t(waiting.count), -1)
    if waiting[1].revents != 0, inbox.checkInterruption() { throw .interrupted }
    if waiting[0].revents != 0 { try receive() }
  }

  /// Receives the responses that have arrived, so that metadata are known before the bytes that follow them are read.
  /// Returns whether `data` is readable.
  func receiveResponses(andPoll data: Int32) throws(MediaError) -> Bool {
    while true {
      var waiting = [
        pollfd(fd: channel.raw, events: Int16(POLLIN), revents: 0), pollfd(fd: data, events: Int16(POLLIN), revents: 0),
      ]
      poll(&waiting, 2, 0)
      let (channel, bytes) = (waiting[0].revents, waiting[1].revents)
      // If the fetch process has ended, the bytes that it has sent can still be read.
      if channel == 0 || (channel & Int16(POLLHUP) != 0 && bytes != 0) { return bytes != 0 }
      try receive()
    }
  }

  /// Takes the reason why the bytes of a request have ended; nil if all of them have arrived. Throws if the fetch process
  /// has ended.
  func takeFailure(_ id: UInt32) throws(MediaError) -> Failure? {
    while true {
      if let failure = failures.removeValue(forKey: id) { return failure }
      if ended.contains(id) { return nil }
      try wait(for: nil)
    }
  }

  private func receive() throws(MediaError) {
    let response: FetchResponse
    var descriptor: Int32 = -1
    do {
      guard var packet = try channel.receive(), let received = FetchResponse(packet) else {
        throw SystemError("recvmsg", "fetch process", code: EPIPE)
      }
      response = received
      if let data = packet.takeDescriptor() { descriptor = data.release() }
    } catch {
      throw .failed(Failure(.offline, "the process that reads from the network has ended"))
    }
    switch response {
    case .opened(let id, let resource):
      guard let request = pending[id], descriptor >= 0 else { break }
      request.resource = resource
      request.data = descriptor
      return
    case .failed(let id, let failure):
      failures[id] = failure
      setInterrupted(id, false)
    case .metadata(let id, let offset, let bytes):
      guard id == streamID else { break }
      if metadata.count >= Self.maximumMetadata { metadata.removeFirst() }
      metadata.append((offset, bytes))
    case .ended(let id): if unclosed.contains(id) { ended.insert(id) }
    case .interrupted(let id): setInterrupted(id, true)
    case .resumed(let id): setInterrupted(id, false)
    }
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  private func setInterrupted(_ id: UInt32, _ isInterrupted: Bool) {
    let wasLost = !interrupted.isEmpty
    if isInterrupted { interrupted.insert(id) } else { interrupted.remove(id) }
    if interrupted.isEmpty == wasLost { onConnectionChange?(!wasLost) }
  }

  /// Returns the last ICY metadata before the byte at `offset` of request `id`; nil if there are none.
  func metadata(_ id: UInt32, before offset: Int64) -> [UInt8]? {
    guard id == streamID, let index = metadata.lastIndex(where: { $0.offset <= offset }) else { return nil }
    metadata.removeSubrange(..<index)
    return metadata[0].bytes
  }
}

/// The bytes of a source.
enum MediaInput {
  case file(SourceFile)
  /// A network stream, whose server has not been asked yet.
  case stream(FetchClient)
  /// A file on a server that was opened before.
  case remoteFile(FetchedFile)

  /// The client through which the bytes are read; nil for a local file.
  var client: FetchClient? {
    switch self {
    case .file: nil
    case .stream(let client): client
    case .remoteFile(let file): file.client
    }
  }

  var isLocal: Bool { if case .file = self { true } else { false } }
}
