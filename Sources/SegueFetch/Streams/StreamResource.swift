// In a release build, the constants of socket(2) belong to this module, whose headers include the same files as Glibc.
internal import CCurl
internal import Glibc
internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// The owner of resources, which passes their responses on to the worker.
protocol StreamResourceOwner: AnyObject {
  func resource(_ resource: StreamResource, opened head: HTTPHead)
  func send(_ response: FetchResponse, descriptor: Int32?)
  /// Handles that all bytes of the resource were sent, or that its worker has closed its socket.
  func resourceEnded(_ resource: StreamResource)
}

/// A resource that a worker reads through a socket: a file, a station, a playlist or a segment. If the connection is lost,
/// the resource is requested again from the missing byte, or from the current position of the station.
final class StreamResource {
  enum Kind {
    /// The stream itself, which may be a playlist that names it.
    case stream
    /// Something that the content of the stream names, such as a segment.
    case part
  }

  let id: UInt32
  let kind: Kind
  private let client: HTTPClient
  private weak var owner: (any StreamResourceOwner)?
  /// Our end of the socket, and the end of the worker before it was sent.
  private let socket: Descriptor
  private var workerSocket: Int32

  private var url: String
  private var namedBy: AddressScope?
  private var transfer: Transfer?
  private var progress = Progress.opening
  /// The head of the first response, and what it states.
  private var head: HTTPHead?
  private var description: FetchedResource?
  /// The offset in the resource of the next byte.
  private var position: Int64
  /// Whether the current attempt has brought bytes.
  private var hasBytes = false
  private var retries = RetrySchedule()
  private var splitter: ICYSplitter?
  /// The bytes that wait for room in the socket.
  private var waiting: [UInt8] = []
  /// The number of bytes that were passed to the socket, or wait for it.
  private var written: Int64 = 0
  private var isPaused = false
  private var pace = ArrivalPace()
  /// The time at which the station is read again; nil while it is read whenever it sends.
  private var nextBatch: MonotonicTime?
  /// The sources that a playlist names and that were not tried, and those that were.
  private var candidates: [String] = []
  private var tried: Set<String> = []

  private enum Progress {
    /// Nothing is known about the resource.
    case opening
    /// The bytes are those of a playlist.
    case collecting(RemotePlaylist.Format, [UInt8])
    case sending
    case retrying(at: MonotonicTime)
    /// No further bytes come.
    case ended
  }

  /// The number of bytes that the socket holds, which the worker has not read.
  private static let bufferSize: Int32 = 512 * 1024
  /// The number of attempts without bytes after which a file cannot be read.
  private static let maximumFailures = 8
  private static let maximumPlaylists = 16

  init(
    _ id: UInt32, _ kind: Kind, url: String, offset: Int64, namedBy: AddressScope?, client: HTTPClient,
    owner: any StreamResourceOwner
  ) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw Failure(.internalError, "out of descriptors")
    }
    var size = Self.bufferSize
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    self.id = id
    self.kind = kind
    self.client = client
    self.owner = owner
    self.url = url
    self.namedBy = namedBy
    position = offset
    socket = Descriptor(owning: ends[0])
    workerSocket = ends[1]
    tried = [url]
    try start()
  }

  deinit { closeWorkerSocket() }

  var raw: Int32 { socket.raw }
  var isBlocked: Bool { !waiting.isEmpty }

  /// The time at which `resumeIfDue` has something to do.
  var deadline: MonotonicTime? { if case .retrying(let time) = progress { time } else { nextBatch } }

  /// Ends the resource because nobody reads it any more.
  func close() {
    if let transfer { client.cancel(transfer) }
    transfer = nil
    progress = .ended
    owner = nil
  }

  private func closeWorkerSocket() {
    if workerSocket >= 0 { Glibc.close(workerSocket) }
    workerSocket = -1
  }

  // MARK: Requests

  private func start() throws(Failure) {
    hasBytes = false
    pace = ArrivalPace()
    nextBatch = nil
    var headers: [String] = []
    if case .stream = kind { headers.append("Icy-MetaData: 1") }
    transfer = try client.start(
      HTTPRequest(url: url, headers: headers, offset: position, namedBy: namedBy), delegate: self)
  }

  /// Requests the resource again, or reads the next batch of the station, if it is time.
  func resumeIfDue(at now: MonotonicTime) {
    guard let deadline, now >= deadline else { return }
    if nextBatch != nil {
      nextBatch = nil
      if let transfer { client.resume(transfer) }
    } else {
      progress = .sending
      do throws(Failure) { try start() } catch { fail(error) }
    }
  }

  /// Reads nothing for a while if the station is ahead of playback.
  func pauseIfAhead(at now: MonotonicTime) {
    guard case .sending = progress, description?.isStation == true, nextBatch == nil, !isPaused, let transfer,
      let pause = pace.pause(at: now)
    else { return }
    nextBatch = now + pause
    client.pause(transfer)
  }

  /// Requests the resource again after its connection was lost, or ends it.
  private func retry(after error: TransferError?) {
    guard let description else { return fail(error?.failure ?? Failure(.badResponse, "an empty response")) }
    let delay = retries.delay(afterBytes: hasBytes)
    let isGone = [.certificate, .denied].contains(error?.failure.kind)
    if description.isStation {
      // A station that is not there at the moment is an error of any kind.
      if isGone, let error { return fail(error.failure) }
    } else {
      let reason = error?.failure ?? Failure(.offline, "the server closes the connection before the end of the file")
      guard description.isSeekable, error?.isTransient ?? true, retries.failures < Self.maximumFailures else {
        return fail(reason)
      }
    }
    progress = .retrying(at: .now + delay)
    owner?.send(.interrupted(id: id), descriptor: nil)
  }

  // MARK: Responses

  private func open(_ head: HTTPHead) {
    let isStation = kind == .stream && head.isStation
    let range = head.contentRange
    let size = isStation ? nil : range?.size ?? (head.status == 200 ? head.contentLength : nil)
    let description = FetchedResource(
      url: head.url, size: size, isSeekable: size != nil && head.acceptsRanges, isStation: isStation,
      stationName: isStation ? head["icy-name"].map { Array($0.utf8.prefix(FetchedResource.maximumNameSize)) } : nil)
    self.description = description
    progress = .sending
    url = head.url
    namedBy = head.url == tried.first ? namedBy : min(namedBy ?? head.scope, head.scope)
    owner?.resource(self, opened: head)
    owner?.send(.opened(id: id, description), descriptor: workerSocket)
    closeWorkerSocket()
  }

  /// Ends the resource with an error, or tries the next source of a playlist.
  private func fail(_ failure: Failure) {
    if description == nil, let next = nextCandidate() {
      url = next
      progress = .opening
      do throws(Failure) { return try start() } catch { return fail(error) }
    }
    owner?.send(.failed(id: id, failure), descriptor: nil)
    end()
  }

  private func nextCandidate() -> String? {
    guard tried.count <= Self.maximumPlaylists else { return nil }
    while !candidates.isEmpty {
      let next = candidates.removeFirst()
      if tried.insert(next).inserted { return next }
    }
    return nil
  }

  /// Ends the resource when the worker has all bytes.
  private func end() {
    progress = .ended
    guard waiting.isEmpty else { return }
    closeWorkerSocket()
    shutdown(socket.raw, Int32(SHUT_WR))
    owner?.resourceEnded(self)
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) {
    switch progress {
    case .opening:
      guard let head else { return }
      let format =
        kind == .part
        ? nil
        : RemotePlaylist.format(
          Array(bytes.prefix(1024)), mediaType: head.mediaType, pathExtension: URLText.pathExtension(of: head.url))
      if let format {
        progress = .collecting(format, Array(bytes))
      } else {
        open(head)
        send(bytes)
      }
    case .collecting(let format, let collected):
      if collected.count + bytes.count > RemotePlaylist.maximumSize {
        cancelTransfer()
        fail(Failure(.tooLarge, "the playlist has more than \(RemotePlaylist.maximumSize) bytes"))
      } else {
        progress = .collecting(format, collected + bytes)
      }
    case .sending: send(bytes)
    case .retrying, .ended: break
    }
  }

  private func cancelTransfer() {
    if let transfer { client.cancel(transfer) }
    transfer = nil
  }

  private func finishPlaylist(_ format: RemotePlaylist.Format, _ bytes: [UInt8]) {
    guard let head else { return }
    do throws(Failure) {
      switch try RemotePlaylist.read(bytes, format, at: head.url) {
      case .list(let urls): candidates = urls + candidates
      case .variant(let url): candidates = [url] + candidates
      case .segments:
        let description = FetchedResource(url: head.url, size: Int64(bytes.count))
        self.description = description
        owner?.resource(self, opened: head)
        owner?.send(.opened(id: id, description), descriptor: workerSocket)
        closeWorkerSocket()
        bytes.withUnsafeBytes { send($0) }
        return end()
      }
      // From here on, the server of the playlist names the addresses.
      namedBy = min(namedBy ?? head.scope, head.scope)
      position = 0
      fail(RemotePlaylist.includesItself)
    } catch {
      fail(error)
    }
  }

  // MARK: Sending

  private func send(_ bytes: UnsafeRawBufferPointer) {
    hasBytes = true
    position += Int64(bytes.count)
    pace.received(bytes.count, at: .now)
    guard splitter != nil else { return enqueue(bytes) }
    for part in splitter?.split(bytes) ?? [] {
      switch part {
      case .audio(let range): enqueue(UnsafeRawBufferPointer(rebasing: bytes[range]))
      case .metadata(let text):
        if !text.isEmpty { owner?.send(.metadata(id: id, offset: written, text), descriptor: nil) }
      }
    }
  }

  private func enqueue(_ bytes: UnsafeRawBufferPointer) {
    written += Int64(bytes.count)
    var rest = bytes
    if waiting.isEmpty {
      let count = Glibc.send(socket.raw, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      if count < 0, errno != EAGAIN, errno != EINTR { return abandon() }
      rest = UnsafeRawBufferPointer(rebasing: bytes[max(0, count)...])
    }
    waiting += rest
  }

  /// Sends the bytes that wait for room in the socket.
  func flush() {
    let count = waiting.withUnsafeBytes {
      Glibc.send(socket.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
    if count < 0 {
      if errno != EAGAIN, errno != EINTR { abandon() }
      return
    }
    waiting.removeFirst(count)
    guard waiting.isEmpty else { return }
    if case .ended = progress { return end() }
    if isPaused {
      isPaused = false
      if let transfer { client.resume(transfer) }
    }
  }

  /// Ends the resource because the worker has closed its socket.
  private func abandon() {
    cancelTransfer()
    waiting = []
    end()
  }
}

extension StreamResource: TransferDelegate {
  func transfer(_ transfer: Transfer, received head: HTTPHead) -> Bool {
    splitter = head["icy-metaint"].flatMap { Int($0) }.flatMap { ICYSplitter(interval: $0) }
    do throws(Failure) {
      try check(head)
    } catch {
      self.transfer = nil
      fail(error)
      return false
    }
    if description != nil {
      owner?.send(.resumed(id: id), descriptor: nil)
    } else {
      self.head = head
    }
    return true
  }

  /// Checks that the response is what was requested.
  private func check(_ head: HTTPHead) throws(Failure) {
    if kind == .stream, head.mediaType == "text/html" {
      throw Failure(.badResponse, "the server sends a web page instead of audio")
    }
    // A station always begins at its current position.
    if description?.isStation ?? head.isStation { return }
    guard (head.contentRange?.start ?? 0) == position else {
      if head.contentRange == nil { throw Failure(.notSeekable, "this server cannot send a part of a file") }
      throw Failure(.badResponse, "the server sends another part of the file than requested")
    }
    if let size = description?.size, let now = head.contentRange?.size, size != now {
      throw Failure(.badResponse, "the file on the server has changed")
    }
  }

  func transfer(_ transfer: Transfer, received bytes: UnsafeRawBufferPointer) -> Bool {
    if !waiting.isEmpty {
      isPaused = true
      return false
    }
    receive(bytes)
    return true
  }

  func transfer(_ transfer: Transfer, ended result: Result<Void, TransferError>) {
    // The end of a transfer that was replaced is of no interest.
    guard self.transfer === transfer else { return }
    self.transfer = nil
    isPaused = false
    nextBatch = nil
    if case .collecting(let format, let bytes) = progress, case .success = result {
      return finishPlaylist(format, bytes)
    }
    // A response without a body.
    if case .opening = progress, case .success = result, let head { open(head) }
    switch result {
    case .failure(let error): retry(after: error)
    case .success:
      guard let description else { return fail(Failure(.badResponse, "an empty response")) }
      let isComplete = description.size.map { position >= $0 } ?? !description.isStation
      if isComplete { end() } else { retry(after: nil) }
    }
  }
}

extension HTTPHead {
  /// Whether the server is that of a station.
  var isStation: Bool { hasField { $0.hasPrefix("icy-") } }
}
