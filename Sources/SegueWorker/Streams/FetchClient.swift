// Thread: the decoding thread.
internal import Glibc
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A client of the fetch process, through which the worker reads one stream and what its content names.
final class FetchClient {
  /// The URL of the stream as the user named it.
  let url: String
  private let channel: LinkSocket
  private let inbox: CommandInbox
  private var lastID: UInt32 = 0
  /// The requests that were not closed.
  private var requests: [UInt32: Request] = [:]
  /// Whether the server has sent the bytes of the stream from a further position on; false if it has refused that, and
  /// nil if it was not asked to. Some servers permit one connection to each client, or only the whole file.
  private(set) var sendsParts: Bool?
  /// Whether the stream can be played without its parts, so that the server has to answer the first request for one
  /// soon. Some servers do not answer a second request before the response to the first one has ended.
  var canDoWithoutParts = false
  /// The longest time in which the server has answered a request for the stream itself.
  private var answerTime = MediaTime.zero
  /// Called when the connection of a request is lost, and when all connections are established again; nil while no
  /// generation is decoded from the stream.
  var onConnectionChange: ((_ isLost: Bool) -> Void)?

  /// A request with what the fetch process has responded so far.
  private final class Request {
    var resource: FetchedResource?
    /// The descriptor of the bytes before the caller has it; -1 afterwards.
    var data: Int32 = -1
    /// The reason why the resource cannot be opened, or why its bytes end before their time.
    var failure: Failure?
    /// Whether all bytes were sent.
    var hasEnded = false
    var isInterrupted = false
    /// The ICY metadata, each with the offset of the byte that follows.
    var metadata: [(offset: Int64, bytes: [UInt8])] = []

    deinit { if data >= 0 { Glibc.close(data) } }
  }

  static let processEnded = Failure(.offline, "the process that reads from the network has ended")

  /// The time in which the first part must begin, in addition to the time that the server takes for an answer.
  private static let partTimeout = MediaTime.seconds(4)
  private static let partsRefused = Failure(.notSeekable, "this server cannot send a part of a file")

  /// The number of metadata that are kept until the bytes before them are read.
  private static let maximumMetadata = 256

  init(_ channel: LinkSocket, url: String, inbox: CommandInbox) {
    self.channel = channel
    self.url = url
    self.inbox = inbox
  }

  /// Whether a command was received that replaces the stream.
  var isInterrupted: Bool { inbox.checkInterruption() }

  /// Whether the fetch process has ended, so that nothing more can be requested.
  var isClosed: Bool { channel.isDisconnected }

  // MARK: Requests

  /// Requests the bytes of `url` from `offset` on. Returns the number of the request, the description of the resource
  /// and the descriptor of its bytes, which the caller has to close. Blocks until the server has answered. Throws
  /// `.notSeekable` at `deadline`, if there is one.
  func open(
    _ url: String, at offset: Int64, until deadline: MonotonicTime? = nil
  ) throws(MediaError) -> (UInt32, FetchedResource, Int32) {
    let start = MonotonicTime.now
    lastID += 1
    let id = lastID
    let request = Request()
    requests[id] = request
    send(.open(id: id, url: url, offset: offset))
    do throws(MediaError) {
      while true {
        if let failure = request.failure { throw .failed(failure) }
        if let resource = request.resource {
          defer { request.data = -1 }
          if url == self.url { answerTime = max(answerTime, .now - start) }
          return (id, resource, request.data)
        }
        if let deadline, .now >= deadline { throw .failed(Self.partsRefused) }
        try wait(for: nil, until: deadline)
      }
    } catch {
      close(id)
      throw error
    }
  }

  /// Requests the bytes of `resource`, the stream itself, from `offset` on, as `open` does. Throws at once if the
  /// server has refused that before.
  func open(_ resource: FetchedResource, at offset: Int64) throws(MediaError) -> (UInt32, FetchedResource, Int32) {
    if offset > 0, sendsParts == false { throw .failed(Self.partsRefused) }
    let isLimited = offset > 0 && sendsParts == nil && canDoWithoutParts
    do throws(MediaError) {
      let deadline: MonotonicTime? = isLimited ? .now + Self.partTimeout + answerTime : nil
      let opened = try open(resource.url, at: offset, until: deadline)
      if offset > 0 { sendsParts = true }
      return opened
    } catch {
      if offset > 0, sendsParts == nil, case .failed(let failure) = error,
        ![.offline, .timeout].contains(failure.kind)
      {
        sendsParts = false
      }
      throw error
    }
  }

  func close(_ id: UInt32) {
    guard let request = requests.removeValue(forKey: id) else { return }
    if request.isInterrupted { reportConnection(wasLost: true) }
    send(.close(id: id))
  }

  private func send(_ request: FetchRequest) {
    // If the fetch process has ended, the next read finds the channel closed.
    do { try channel.send(request) } catch { Log.debug("\(error)") }
  }

  // MARK: Responses

  /// Waits until `data` is readable, until a response has arrived, or until `deadline`. Throws `.interrupted` if a
  /// command replaces the stream, even if an earlier wait has received it.
  func wait(for data: Int32?, until deadline: MonotonicTime? = nil) throws(MediaError) {
    if inbox.checkInterruption() { throw .interrupted }
    var waiting = [
      pollfd(fd: channel.raw, events: Int16(POLLIN), revents: 0),
      pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    if let data { waiting.append(pollfd(fd: data, events: Int16(POLLIN), revents: 0)) }
    poll(&waiting, until: deadline)
    if waiting[1].revents != 0, inbox.checkInterruption() { throw .interrupted }
    if waiting[0].revents != 0 { try receive() }
  }

  /// Receives responses that have arrived, so that metadata are known before the bytes that follow them are read.
  /// Returns whether `data` is readable. The number of responses is limited, so that a flood of them cannot delay a
  /// command.
  func receiveResponses(andPoll data: Int32) throws(MediaError) -> Bool {
    for _ in 0..<Self.maximumMetadata {
      var waiting = [
        pollfd(fd: channel.raw, events: Int16(POLLIN), revents: 0), pollfd(fd: data, events: Int16(POLLIN), revents: 0),
      ]
      poll(&waiting, 2, 0)
      let (channel, bytes) = (waiting[0].revents, waiting[1].revents)
      // If the fetch process has ended, the bytes that it has sent can still be read.
      if channel == 0 || (channel & Int16(POLLHUP) != 0 && bytes != 0) { return bytes != 0 }
      try receive()
    }
    return false
  }

  /// Returns the reason why the bytes of a request have ended; nil if all of them have arrived. Throws if the fetch
  /// process has ended.
  func failure(_ id: UInt32) throws(MediaError) -> Failure? {
    while let request = requests[id], request.failure == nil, !request.hasEnded { try wait(for: nil) }
    return requests[id]?.failure
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
      throw .failed(Self.processEnded)
    }
    // A response may have been sent before the fetch process knew that its request was closed.
    if let request = requests[response.id], handle(response, to: request, descriptor) { return }
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  /// Handles a response to an open request. Returns whether the request owns `descriptor` now.
  private func handle(_ response: FetchResponse, to request: Request, _ descriptor: Int32) -> Bool {
    switch response {
    case .opened(_, let resource):
      guard request.resource == nil, descriptor >= 0 else { return false }
      (request.resource, request.data) = (resource, descriptor)
      return true
    case .failed(_, let failure):
      request.failure = failure
      setInterrupted(request, false)
    case .metadata(_, let offset, let bytes):
      if request.metadata.count >= Self.maximumMetadata { request.metadata.removeFirst() }
      request.metadata.append((offset, bytes))
    case .ended: request.hasEnded = true
    case .interrupted: setInterrupted(request, true)
    case .resumed: setInterrupted(request, false)
    }
    return false
  }

  private func setInterrupted(_ request: Request, _ isInterrupted: Bool) {
    let wasLost = isLost
    request.isInterrupted = isInterrupted
    reportConnection(wasLost: wasLost)
  }

  /// Whether the connection of a request is lost at the moment.
  private var isLost: Bool { requests.values.contains(where: \.isInterrupted) }

  private func reportConnection(wasLost: Bool) {
    let isLost = isLost
    if isLost != wasLost { onConnectionChange?(isLost) }
  }

  /// Returns the last ICY metadata before the byte at `offset` of request `id`; nil if there are none.
  func metadata(_ id: UInt32, before offset: Int64) -> [UInt8]? {
    guard let request = requests[id], let index = request.metadata.lastIndex(where: { $0.offset <= offset }) else {
      return nil
    }
    request.metadata.removeSubrange(..<index)
    return request.metadata[0].bytes
  }
}

/// The bytes of a source.
enum MediaInput {
  case file(FileInput)
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

  /// The local file; nil for one on a server, and for a stream.
  var file: FileInput? { if case .file(let file) = self { file } else { nil } }
}
