internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A resource that a worker reads through a socket: a file, a station, a playlist or a segment. If the connection is
/// lost, the resource is requested again from the missing byte, or from the current position of a live stream.
final class StreamResource {
  enum Kind {
    /// The stream itself, which may be a playlist that names it.
    case stream
    /// The manifest of a stream that plays.
    case manifest
    /// Something that the content of the stream names, such as a segment.
    case part
  }

  enum Content {
    case bytes
    /// A manifest of HLS that names the segments of the stream.
    case manifest(isLive: Bool)
  }

  let id: UInt32
  let kind: Kind
  private let persistence: StreamPersistence
  private let client: HTTPClient
  private weak var owner: (any StreamResourceOwner)?
  private let output: StreamOutput
  private(set) var sources: StreamSources
  private(set) var content = Content.bytes

  private var attempt: StreamAttempt?
  /// Whether the server may compress the body, because it has done so without being asked to.
  private var acceptsCompression = false
  private var retries = RetrySchedule()
  /// Whether the worker knows that the connection is lost.
  private var isInterrupted = false
  private var progress = Progress.opening([])
  /// The head of the first response until the resource is open.
  private var head: HTTPHead?
  /// The resource as its first response describes it; nil until the resource is open.
  private var opened: OpenedResource?

  private enum Progress {
    /// Only the first bytes of the resource have arrived.
    case opening([UInt8])
    /// The bytes are those of a playlist.
    case collecting(RemotePlaylist.Format, [UInt8], until: MonotonicTime)
    case sending
    case retrying(at: MonotonicTime)
    /// No further bytes come.
    case ended
  }

  /// A server that states a longer time is asked again after this one.
  private static let maximumRetryAfter = MediaTime.seconds(60)
  /// The time in which the whole of a playlist must arrive. It is less than the time after which a silent connection is
  /// lost, so that the reason names the playlist.
  private static let playlistTimeout = MediaTime.seconds(15)
  /// The addresses of podcasts lead through several services that count listeners.
  private static let maximumRedirects = 10

  /// Requests the bytes from `offset` on of the first of `sources` that can be opened.
  init(
    _ id: UInt32, _ kind: Kind, _ persistence: StreamPersistence, _ sources: [NamedURL], at offset: Int64,
    _ client: HTTPClient, owner: any StreamResourceOwner
  ) throws(Failure) {
    self.id = id
    self.kind = kind
    self.persistence = persistence
    self.client = client
    self.owner = owner
    self.sources = StreamSources(sources)
    output = try StreamOutput(from: offset)
    try start()
  }

  var raw: Int32 { output.socket.raw }
  var isBlocked: Bool { output.socket.isBlocked }
  /// The number of bytes that wait for room in the socket.
  var waitingCount: Int { output.socket.waitingCount }

  /// The time at which `resumeIfDue` has something to do.
  var deadline: MonotonicTime? {
    switch progress {
    case .retrying(let time), .collecting(_, _, let time): time
    case .opening, .sending, .ended: attempt?.deadline
    }
  }

  /// Ends the resource because nobody reads it any more.
  func close() {
    cancelAttempt()
    progress = .ended
    owner = nil
  }

  // MARK: Requests

  /// The first byte to be requested; nil for the whole resource.
  private var offset: Int64? {
    if let opened { opened.offset(at: output.position) } else { output.position }
  }

  private func start() throws(Failure) {
    let headers = kind == .stream ? ["Icy-MetaData: 1"] : []
    let omitsRange = acceptsCompression || offset == 0 && owner?.session.omitsRanges == true
    attempt = try StreamAttempt(
      HTTPRequest(
        target: sources.target, headers: headers, offset: omitsRange ? nil : offset,
        maximumRedirects: Self.maximumRedirects, cookies: owner?.session.cookies,
        acceptsCompression: acceptsCompression), by: client, delegate: self)
  }

  /// Requests the resource again after a server has compressed it without being asked to, so that it is decompressed.
  /// Only playlists are read so: a body that may wait for room would be kept in memory decompressed.
  private func repeatWithCompression() {
    acceptsCompression = true
    attempt = nil
    do throws(Failure) { try start() } catch { fail(error) }
  }

  private func cancelAttempt() {
    attempt?.cancel()
    attempt = nil
  }

  /// Requests the resource again, or reads the next batch of the station, if it is time.
  func resumeIfDue(at now: MonotonicTime) {
    switch progress {
    case .retrying(let time):
      guard now >= time else { return }
      progress = opened == nil ? .opening([]) : .sending
      do throws(Failure) { try start() } catch { fail(error) }
    case .collecting(_, _, let end):
      guard now >= end else { return }
      cancelAttempt()
      fail(TransferError(Failure(.timeout, "the server sends its playlist too slowly"), isTransient: true))
    case .opening, .sending, .ended: attempt?.resumeIfDue(at: now)
    }
  }

  /// Reads nothing for a while if the station is ahead of playback.
  func pauseIfAhead(at now: MonotonicTime) {
    if case .sending = progress, opened?.description.isStation == true { attempt?.pauseIfAhead(at: now) }
  }

  /// Requests the resource again after `attempt` has lost its connection, or ends it. Without an error, the server has
  /// closed the connection.
  private func retry(after error: TransferError?, of attempt: StreamAttempt) {
    guard let opened else { return fail(error ?? TransferError(Self.emptyResponse, isTransient: false)) }
    let delay = retries.delay(afterBytes: attempt.count, in: attempt.duration, isLive: opened.isLive)
    let isAtSource = sources.isAtSource
    if attempt.count == 0 { sources.returnToSource() }
    if opened.isLive {
      // A station that is not there at the moment, or has too many listeners, causes errors of many kinds.
      if isAtSource, let error, error.isRefusal { return fail(error.failure) }
    } else {
      let reason = error?.failure ?? Failure(.offline, "the server closes the connection before the end of the file")
      let isTransient = error?.isTransient ?? true
      guard opened.canContinue, isTransient || !isAtSource, retries.failures < persistence.maximumFailures else {
        return fail(reason)
      }
    }
    interrupt(for: delay, error)
  }

  /// Requests the resource again after `delay`, or after the time that the server has stated.
  private func interrupt(for delay: MediaTime, _ error: TransferError?) {
    let stated = min(error?.retryAfter ?? .zero, Self.maximumRetryAfter)
    progress = .retrying(at: .now + max(delay, stated))
    isInterrupted = true
    owner?.send(.interrupted(id: id))
  }

  private func reportResumption() {
    if isInterrupted { owner?.send(.resumed(id: id)) }
    isInterrupted = false
  }

  // MARK: Failures

  private func fail(_ failure: Failure) { fail(TransferError(failure, isTransient: false)) }

  /// Ends the resource with an error, or requests it from the next source, or later.
  private func fail(_ error: TransferError) {
    var error = error
    if opened == nil {
      progress = .opening([])
      if error.mayConcernRange, offset == 0, owner?.session.repeatsWithoutRange() == true {
        do throws(Failure) { return try start() } catch let failure {
          error = TransferError(failure, isTransient: false)
        }
      }
      acceptsCompression = false
      while sources.turnToNext() {
        do throws(Failure) { return try start() } catch let failure {
          error = TransferError(failure, isTransient: false)
        }
      }
      let delay = retries.delay(afterBytes: 0, in: .zero, isLive: false)
      if persistence.allowsRetry(of: kind, after: error, failures: retries.failures) {
        sources.restart()
        return interrupt(for: delay, error)
      }
    }
    owner?.send(.failed(id: id, error.failure))
    end()
  }

  // MARK: Responses

  private func open(_ head: HTTPHead) {
    let isStation = kind == .stream && head.isStation
    let size = isStation ? nil : head.contentRange?.size ?? (head.status == 200 ? head.contentLength : nil)
    progress = .sending
    open(
      FetchedResource(
        url: head.url, size: size, isSeekable: size != nil && head.acceptsRanges, isStation: isStation,
        stationName: isStation
          ? head.bytes(of: "icy-name").map { Array($0.prefix(FetchedResource.maximumNameSize)) } : nil),
      head)
  }

  private func open(_ description: FetchedResource, _ head: HTTPHead) {
    opened = OpenedResource(description, kind, head)
    self.head = nil
    sources.opened(by: head)
    owner?.resource(self, opened: head)
    reportResumption()
    owner?.send(.opened(id: id, description), descriptor: output.socket.takeWorkerEnd())
  }

  /// Ends the resource when the worker has all bytes.
  private func end() {
    progress = .ended
    guard !isBlocked else { return }
    owner?.send(.ended(id: id))
    output.socket.finish()
    owner?.resourceEnded(self)
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) {
    switch progress {
    case .opening(let start): begin(start + bytes, isWhole: false)
    case .collecting(let format, var collected, let end):
      if collected.count + bytes.count > RemotePlaylist.maximumSize {
        cancelAttempt()
        fail(Failure(.tooLarge, "the playlist has more than \(RemotePlaylist.maximumSize) bytes"))
      } else {
        // With a second reference to the bytes, each addition would copy all of them.
        progress = .opening([])
        collected += bytes
        progress = .collecting(format, collected, until: end)
      }
    case .sending:
      send(bytes)
    case .retrying, .ended: break
    }
  }

  /// Determines what the body is, if its first bytes suffice. `isWhole` states that there are no others.
  private func begin(_ start: [UInt8], isWhole: Bool) {
    guard let head else { return }
    switch output.position > 0 ? .audio : BodyKind(start, isWhole: isWhole, head) {
    case nil: progress = .opening(start)
    case .playlist(let format) where kind != .part:
      progress = .collecting(format, start, until: .now + Self.playlistTimeout)
    case .audio where head.isCompressed: refuse(Self.compressedResponse)
    case .text(let text): refuse(text.failure)
    case .audio where kind == .manifest:
      refuse(Failure(.badResponse, "the server sends something else than a playlist"))
    case .audio, .playlist:
      open(head)
      start.withUnsafeBytes(receive)
    }
  }

  private func refuse(_ failure: Failure) {
    cancelAttempt()
    fail(failure)
  }

  private static let compressedResponse = Failure(.badResponse, "the server sends compressed data instead of audio")
  private static let emptyResponse = Failure(.badResponse, "the server sends an empty response")

  private func finishPlaylist(_ format: RemotePlaylist.Format, _ bytes: [UInt8]) {
    guard let head else { return }
    do throws(Failure) {
      let named: [String]
      let now = head["date"].flatMap(UnixTime.init(httpDate:)) ?? .now
      let session = owner?.session ?? StreamSession()
      switch try RemotePlaylist.read(bytes, format, at: head.url, now: now, session) {
      case .list(let urls): named = urls
      case .manifest(let manifest, let isLive):
        guard owner?.mayWait(manifest.count) == true else {
          throw Failure(.tooLarge, "too many manifests wait to be read")
        }
        content = .manifest(isLive: isLive)
        progress = .sending
        open(
          FetchedResource(
            url: head.url, size: Int64(manifest.count),
            manifest: HLSManifest.hasInitialization(manifest) ? .fragments : .segments), head)
        manifest.withUnsafeBytes(send)
        // If the worker has closed its socket, the resource has ended already.
        if case .sending = progress { end() }
        return
      }
      // From here on, the server of the playlist names the addresses.
      sources.add(named, namedBy: head.scope)
      fail(
        sources.areTooMany
          ? Failure(.unplayable, "too many playlists refer to each other") : RemotePlaylist.includesItself)
    } catch {
      fail(error)
    }
  }

  // MARK: Sending

  private func send(_ bytes: UnsafeRawBufferPointer) {
    let position = output.position
    let state = output.send(bytes, of: opened?.description.size) { text, offset in
      owner?.send(.metadata(id: id, offset: offset, text))
    }
    attempt?.received(Int(output.position - position))
    switch state {
    case .isOpen: break
    case .isComplete:
      cancelAttempt()
      end()
    case .isClosed: abandon()
    }
  }

  /// Sends the bytes that wait for room in the socket.
  func flush() {
    guard output.socket.flush() else { return abandon() }
    guard !isBlocked else { return }
    if case .ended = progress { end() } else { attempt?.unblock() }
  }

  /// Ends the resource because the worker has closed its socket.
  private func abandon() {
    cancelAttempt()
    output.socket.discard()
    end()
  }
}

extension StreamResource: TransferDelegate {
  func transfer(_ transfer: Transfer, received head: HTTPHead) -> Bool {
    guard let attempt, attempt.uses(transfer) else { return false }
    if head.isCompressed, opened == nil, kind != .part, !acceptsCompression {
      repeatWithCompression()
      return false
    }
    do throws(Failure) {
      try check(head)
    } catch {
      self.attempt = nil
      if opened?.isLive == true {
        retry(after: TransferError(error, isTransient: true), of: attempt)
      } else {
        fail(error)
      }
      return false
    }
    output.begin(head, isWhole: opened?.isSentWhole == true, hasMetadata: kind == .stream)
    if opened != nil {
      sources.redirected(to: head)
      reportResumption()
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
    if head.isCompressed, !acceptsCompression { throw Self.compressedResponse }
    try opened?.check(head)
    // A station always begins at its current position.
    if opened?.isLive ?? (kind == .stream && head.isStation) { return }
    if head.hasImplausibleSize { throw Failure(.badResponse, "the server states an implausible size of the file") }
    guard (head.contentRange?.start ?? 0) == offset ?? 0 else {
      if head.contentRange == nil { throw Failure(.notSeekable, "this server cannot send a part of a file") }
      throw Failure(.badResponse, "the server sends another part of the file than requested")
    }
  }

  func transfer(_ transfer: Transfer, received bytes: UnsafeRawBufferPointer) -> Bool {
    if isBlocked {
      attempt?.block()
      return false
    }
    receive(bytes)
    return true
  }

  func transfer(_ transfer: Transfer, ended result: Result<Void, TransferError>) {
    // The end of a transfer that was replaced is of no interest.
    guard let attempt, attempt.uses(transfer) else { return }
    self.attempt = nil
    let error: TransferError? = if case .failure(let error) = result { error } else { nil }
    opened?.attemptEnded(attempt, hasFailed: error != nil)
    if let error { return retry(after: error, of: attempt) }
    if case .opening(let start) = progress {
      // A segment may be empty.
      if start.isEmpty, kind != .part { return fail(Self.emptyResponse) }
      begin(start, isWhole: true)
    }
    switch progress {
    case .collecting(let format, let bytes, _): finishPlaylist(format, bytes)
    case .sending:
      guard let opened else { return }
      if opened.isComplete(at: output.position) { end() } else { retry(after: nil, of: attempt) }
    case .opening, .retrying, .ended: break
    }
  }
}
