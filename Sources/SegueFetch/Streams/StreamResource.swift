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
  private let socket: BodySocket

  /// The URL that the worker or a playlist named. When it has been opened, its scope is that of its server.
  private(set) var source: NamedURL
  /// The URL to be requested: the source, or the one to which its redirects led.
  private var target: NamedURL
  /// Whether a playlist named the source.
  private(set) var isFromPlaylist = false
  /// The sources that were not tried, and the URLs of those that were.
  private var candidates: [NamedURL]
  private var tried: Set<String> = []

  private var transfer: Transfer?
  private var progress = Progress.opening([])
  /// The head of the first response, and what it states.
  private var head: HTTPHead?
  private var description: FetchedResource?
  /// The offset in the resource of the next byte.
  private var position: Int64
  /// Whether the current attempt has brought bytes.
  private var hasBytes = false
  private var retries = RetrySchedule()
  private var splitter: ICYSplitter?
  private var isPaused = false
  private var pace = ArrivalPace()
  /// The time at which the station is read again; nil while it is read whenever it sends.
  private var nextBatch: MonotonicTime?

  private enum Progress {
    /// Nothing is known about the resource except its first bytes.
    case opening([UInt8])
    /// The bytes are those of a playlist.
    case collecting(RemotePlaylist.Format, [UInt8])
    case sending
    case retrying(at: MonotonicTime)
    /// No further bytes come.
    case ended
  }

  /// The number of attempts without bytes after which a file cannot be read.
  private static let maximumFailures = 8
  private static let maximumSources = 16
  /// A server that states a longer time is asked again after this one.
  private static let maximumRetryAfter = 60

  /// Requests the bytes from `offset` on of the first of `sources` that can be opened.
  init(
    _ id: UInt32, _ kind: Kind, _ sources: [NamedURL], at offset: Int64, _ client: HTTPClient,
    owner: any StreamResourceOwner
  ) throws(Failure) {
    self.id = id
    self.kind = kind
    self.client = client
    self.owner = owner
    (source, target, candidates) = (sources[0], sources[0], Array(sources.dropFirst()))
    position = offset
    socket = try BodySocket()
    tried = [source.url]
    try start()
  }

  var raw: Int32 { socket.raw }
  var isBlocked: Bool { socket.isBlocked }

  /// The time at which `resumeIfDue` has something to do.
  var deadline: MonotonicTime? { if case .retrying(let time) = progress { time } else { nextBatch } }

  /// Ends the resource because nobody reads it any more.
  func close() {
    cancelTransfer()
    progress = .ended
    owner = nil
  }

  // MARK: Requests

  private func start() throws(Failure) {
    hasBytes = false
    pace = ArrivalPace()
    nextBatch = nil
    var headers: [String] = []
    if case .stream = kind { headers.append("Icy-MetaData: 1") }
    // A station continues at its current position.
    let offset = description?.isStation == true ? nil : position
    transfer = try client.start(HTTPRequest(target: target, headers: headers, offset: offset), delegate: self)
  }

  private func cancelTransfer() {
    if let transfer { client.cancel(transfer) }
    transfer = nil
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
    guard let description else { return fail(error?.failure ?? Self.emptyResponse) }
    let delay = retries.delay(afterBytes: hasBytes)
    // The URL of a redirect may be valid for one connection or for a limited time.
    let isAtSource = target.url == source.url
    if !hasBytes { target = source }
    if description.isStation {
      // A station that is not there at the moment is an error of any kind.
      if isAtSource, let error, [.certificate, .denied].contains(error.failure.kind) { return fail(error.failure) }
    } else {
      let reason = error?.failure ?? Failure(.offline, "the server closes the connection before the end of the file")
      let isTransient = error?.isTransient ?? true
      guard description.isSeekable, isTransient || !isAtSource, retries.failures < Self.maximumFailures else {
        return fail(reason)
      }
    }
    let stated = MediaTime.seconds(min(max(error?.retryAfter ?? 0, 0), Self.maximumRetryAfter))
    progress = .retrying(at: .now + max(delay, stated))
    owner?.send(.interrupted(id: id), descriptor: nil)
  }

  // MARK: Responses

  private func open(_ head: HTTPHead) {
    let isStation = kind == .stream && head.isStation
    let range = head.contentRange
    let size = isStation ? nil : range?.size ?? (head.status == 200 ? head.contentLength : nil)
    progress = .sending
    open(
      FetchedResource(
        url: head.url, size: size, isSeekable: size != nil && head.acceptsRanges, isStation: isStation,
        stationName: isStation
          ? head.bytes(of: "icy-name").map { Array($0.prefix(FetchedResource.maximumNameSize)) } : nil),
      head)
  }

  private func open(_ description: FetchedResource, _ head: HTTPHead) {
    self.description = description
    source.namedBy = head.firstScope
    target = NamedURL(url: head.url, namedBy: head.scope)
    self.head = nil
    owner?.resource(self, opened: head)
    owner?.send(.opened(id: id, description), descriptor: socket.workerEnd)
    socket.closeWorkerEnd()
  }

  /// Ends the resource with an error, or tries the next source.
  private func fail(_ failure: Failure) {
    if description == nil, let next = nextCandidate() {
      (source, target) = (next, next)
      progress = .opening([])
      do throws(Failure) { return try start() } catch { return fail(error) }
    }
    owner?.send(.failed(id: id, failure), descriptor: nil)
    end()
  }

  private func nextCandidate() -> NamedURL? {
    guard tried.count <= Self.maximumSources else { return nil }
    while !candidates.isEmpty {
      let next = candidates.removeFirst()
      if tried.insert(next.url).inserted { return next }
    }
    return nil
  }

  /// Ends the resource when the worker has all bytes.
  private func end() {
    progress = .ended
    guard !socket.isBlocked else { return }
    owner?.send(.ended(id: id), descriptor: nil)
    socket.finish()
    owner?.resourceEnded(self)
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) {
    switch progress {
    case .opening(let start): begin(start + bytes, isWhole: false)
    case .collecting(let format, var collected):
      if collected.count + bytes.count > RemotePlaylist.maximumSize {
        cancelTransfer()
        fail(Failure(.tooLarge, "the playlist has more than \(RemotePlaylist.maximumSize) bytes"))
      } else {
        // With a second reference to the bytes, each addition would copy all of them.
        progress = .opening([])
        collected += bytes
        progress = .collecting(format, collected)
      }
    case .sending:
      // A body without a length, or one that the server does not keep to, may be longer than the stated resource.
      let left = description?.size.map { Int(clamping: max(0, $0 - position)) } ?? .max
      send(UnsafeRawBufferPointer(rebasing: bytes.prefix(left)))
      guard bytes.count > left else { return }
      cancelTransfer()
      end()
    case .retrying, .ended: break
    }
  }

  /// Determines what the body is, if its first bytes suffice. `isWhole` states that there are no others.
  private func begin(_ start: [UInt8], isWhole: Bool) {
    guard let head else { return }
    switch kind == .part || position > 0 ? .audio : BodyKind(start, isWhole: isWhole, head) {
    case nil: progress = .opening(start)
    case .playlist(let format): progress = .collecting(format, start)
    case .webPage:
      cancelTransfer()
      fail(Self.webPage)
    case .audio:
      open(head)
      start.withUnsafeBytes(receive)
    }
  }

  private static let emptyResponse = Failure(.badResponse, "the server sends an empty response")
  private static let webPage = Failure(.badResponse, "the server sends a web page instead of audio")

  private func finishPlaylist(_ format: RemotePlaylist.Format, _ bytes: [UInt8]) {
    guard let head else { return }
    do throws(Failure) {
      let named: [String]
      switch try RemotePlaylist.read(bytes, format, at: head.url) {
      case .list(let urls): named = urls
      case .variant(let url): named = [url]
      case .segments:
        progress = .sending
        open(FetchedResource(url: head.url, size: Int64(bytes.count)), head)
        bytes.withUnsafeBytes(send)
        return end()
      }
      // From here on, the server of the playlist names the addresses.
      candidates = named.map { NamedURL(url: $0, namedBy: head.scope) } + candidates
      isFromPlaylist = true
      let isLast = tried.count > Self.maximumSources
      fail(isLast ? Failure(.unplayable, "too many playlists refer to each other") : RemotePlaylist.includesItself)
    } catch {
      fail(error)
    }
  }

  // MARK: Sending

  private func send(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    hasBytes = true
    position += Int64(bytes.count)
    pace.received(bytes.count, at: .now)
    guard splitter != nil else { return pass(bytes) }
    for part in splitter?.split(bytes) ?? [] {
      switch part {
      case .audio(let range): pass(UnsafeRawBufferPointer(rebasing: bytes[range]))
      case .metadata(let text):
        if !text.isEmpty { owner?.send(.metadata(id: id, offset: socket.written, text), descriptor: nil) }
      }
    }
  }

  private func pass(_ bytes: UnsafeRawBufferPointer) {
    if case .sending = progress, !socket.send(bytes) { abandon() }
  }

  /// Sends the bytes that wait for room in the socket.
  func flush() {
    guard socket.flush() else { return abandon() }
    guard !socket.isBlocked else { return }
    if case .ended = progress { return end() }
    if isPaused {
      isPaused = false
      if let transfer { client.resume(transfer) }
    }
  }

  /// Ends the resource because the worker has closed its socket.
  private func abandon() {
    cancelTransfer()
    socket.discard()
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
      if description?.isStation == true {
        retry(after: TransferError(error, isTransient: true))
      } else {
        fail(error)
      }
      return false
    }
    if description != nil {
      target = NamedURL(url: head.url, namedBy: head.scope)
      owner?.send(.resumed(id: id), descriptor: nil)
    } else {
      self.head = head
    }
    return true
  }

  /// Checks that the response is what was requested.
  private func check(_ head: HTTPHead) throws(Failure) {
    guard head.url.utf8.count <= FetchRequest.maximumURLSize else {
      throw Failure(.badResponse, "the server redirects to a URL of more than \(FetchRequest.maximumURLSize) bytes")
    }
    if head.isCompressed { throw Failure(.badResponse, "the server sends compressed data instead of audio") }
    // Before the resource is open, its first bytes decide.
    if description != nil, kind == .stream, head.mediaType == "text/html" { throw Self.webPage }
    // A station always begins at its current position.
    if description?.isStation ?? head.isStation { return }
    if head.hasImplausibleSize { throw Failure(.badResponse, "the server states an implausible size of the file") }
    guard (head.contentRange?.start ?? 0) == position else {
      if head.contentRange == nil { throw Failure(.notSeekable, "this server cannot send a part of a file") }
      throw Failure(.badResponse, "the server sends another part of the file than requested")
    }
    if let size = description?.size, let now = head.contentRange?.size, size != now {
      throw Failure(.badResponse, "the file on the server has changed")
    }
  }

  func transfer(_ transfer: Transfer, received bytes: UnsafeRawBufferPointer) -> Bool {
    if socket.isBlocked {
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
    if case .failure(let error) = result { return retry(after: error) }
    if case .opening(let start) = progress {
      // A segment may be empty.
      if start.isEmpty, kind == .stream { return fail(Self.emptyResponse) }
      begin(start, isWhole: true)
    }
    switch progress {
    case .collecting(let format, let bytes): finishPlaylist(format, bytes)
    case .sending:
      guard let description else { return }
      let isComplete = description.size.map { position >= $0 } ?? !description.isStation
      if isComplete { end() } else { retry(after: nil) }
    case .opening, .retrying, .ended: break
    }
  }
}
