internal import CCurl
internal import Glibc
internal import SegueCatalogProviders
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A request and its response. The client that started it calls its delegate until it ends or is cancelled.
final class Transfer {
  let request: HTTPRequest
  let handle: UnsafeMutableRawPointer
  private let proxies: ProxySettings?
  private weak var delegate: (any TransferDelegate)?

  private var headers: UnsafeMutablePointer<curl_slist>?
  /// The fields of the response whose head is being received, and the number of bytes of all heads.
  private var fields = HeaderFields()
  private var headSize = 0
  private var lineCount = 0
  private var hasHead = false
  /// The scope of the server of the response that is being received, and that of the first server.
  private var scope: AddressScope
  private var firstScope: AddressScope?
  /// Whether an address of the next server was refused because it is nearer than the server that named it.
  private var hasRefusedAddress = false
  /// Whether a socket was opened since the last request was sent. If not, the next one is sent over a used connection.
  private var hasOpenedSocket = false
  /// Whether the last request was sent over a used connection, and no head of a response to it has begun.
  private var awaitsUsedConnection = false
  private var isRepetition = false
  /// The error that ended the transfer in a callback.
  private var error: TransferError?
  /// The description of the error, which libcurl writes.
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  /// The time at which the transfer fails unless the server sends something before; nil while nothing is expected.
  private(set) var deadline: MonotonicTime? = .now + Transfer.headTimeout
  /// The number of bytes of the body that have arrived since the deadline was set.
  private var arrived = 0

  /// The time in which the head of the last response must have arrived.
  private static let headTimeout = MediaTime.seconds(15)
  private static let connectTimeout = 5
  /// A connection over which nothing arrives for this time, or less than `stallSize`, is lost. libcurl's own limit
  /// would wake the process every second.
  private static let stallTimeout = MediaTime.seconds(20)
  /// The audio of a quarter of a second, or of 20 seconds of silence.
  private static let stallSize = 2048
  /// The limits of all heads together. libcurl keeps them as long as the transfer.
  private static let maximumHeadSize = 64 * 1024
  private static let maximumLines = 1000

  /// - Parameters:
  ///   - authorities: The certificates of the trusted authorities in PEM; nil for those of the system.
  ///   - proxies: The proxies that the environment names, whose addresses the rule on addresses does not concern; nil
  ///     to use none.
  init(
    _ request: HTTPRequest, authorities: [UInt8]?, proxies: ProxySettings?, delegate: any TransferDelegate
  ) throws(Failure) {
    guard let handle = curl_easy_init() else { throw Failure(.internalError, "out of memory") }
    self.request = request
    self.handle = handle
    self.proxies = proxies
    self.delegate = delegate
    scope = request.target.namedBy ?? .public
    // Proof: unretained; `deinit` frees the handle, and `HTTPClient` holds the transfer while libcurl uses the handle.
    let context = Unmanaged.passUnretained(self).toOpaque()
    segue_curl_set_string(handle, CURLOPT_URL, request.target.url)
    segue_curl_set_pointer(handle, CURLOPT_PRIVATE, context)
    segue_curl_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    segue_curl_set_string(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    segue_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 1)
    segue_curl_set_long(handle, CURLOPT_MAXREDIRS, request.maximumRedirects)
    request.cookies?.attach(to: handle)
    segue_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
    segue_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT, Self.connectTimeout)
    // libcurl reads the variables of the environment unless it is told a proxy. An empty one means none.
    if proxies == nil { segue_curl_set_string(handle, CURLOPT_PROXY, "") }
    // Otherwise the end of a transfer would wait for a name that is being looked up, and all others with it.
    segue_curl_set_long(handle, CURLOPT_QUICK_EXIT, 1)
    segue_curl_set_string(handle, CURLOPT_USERAGENT, "Segue")
    // With HTTP/2, libcurl lets a server send 32 MiB of a body that is paused, and keeps them in memory.
    segue_curl_set_long(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    if let timeout = request.timeout {
      segue_curl_set_long(handle, CURLOPT_TIMEOUT_MS, Int(timeout.nanoseconds / 1_000_000))
    }
    if request.acceptsCompression { segue_curl_set_string(handle, CURLOPT_ACCEPT_ENCODING, "gzip") }
    // A server is not read faster than its client takes the bytes.
    segue_curl_set_long(handle, CURLOPT_BUFFERSIZE, 32 * 1024)
    for line in request.headers + (request.offset.map { ["Range: bytes=\($0)-"] } ?? []) {
      headers = curl_slist_append(headers, line) ?? headers
    }
    segue_curl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
    // Stations of the SHOUTcast server answer with "ICY 200 OK".
    segue_curl_set_pointer(handle, CURLOPT_HTTP200ALIASES, Self.aliases)
    errorText.pointee = 0
    segue_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    if let authorities {
      authorities.withUnsafeBytes { bytes in
        var blob = curl_blob(
          data: UnsafeMutableRawPointer(mutating: bytes.baseAddress), len: bytes.count, flags: UInt32(CURL_BLOB_COPY))
        segue_curl_set_pointer(handle, CURLOPT_CAINFO_BLOB, &blob)
      }
    }
    segue_curl_set_data_function(handle, CURLOPT_HEADERFUNCTION, receiveHeader)
    segue_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
    segue_curl_set_data_function(handle, CURLOPT_WRITEFUNCTION, receiveBody)
    segue_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    segue_curl_set_open_function(handle, openSocket, context)
    segue_curl_set_request_function(handle, prepareRequest, context)
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(headers)
    errorText.deallocate()
  }

  // Proof: set once, and libcurl only reads the list.
  private nonisolated(unsafe) static let aliases = curl_slist_append(nil, "ICY 200 OK")

  /// Reads nothing until the transfer is resumed. The connection counts as lost if nothing arrives for too long, as
  /// always.
  func pause() { curl_easy_pause(handle, CURLPAUSE_RECV) }

  /// Lets the body continue after a pause, or after the delegate has refused bytes.
  func resume() {
    if deadline == nil { awaitBody() }
    curl_easy_pause(handle, CURLPAUSE_CONT)
  }

  /// Makes the delegate receive nothing any more.
  func detach() { delegate = nil }

  var isWanted: Bool { delegate != nil }

  /// Whether the server has sent nothing for too long.
  func hasStalled(at now: MonotonicTime) -> Bool { deadline.map { now >= $0 } ?? false }

  /// Prepares the transfer to be started again on a new connection. Returns false if that is not to be done: it is done
  /// once, if a used connection was the reason. What arrives first over such a connection may be the rest of the
  /// response before, if that was longer than its server stated. After a timeout, the user has waited long enough.
  func prepareRepetition(after code: CURLcode) -> Bool {
    guard awaitsUsedConnection, !isRepetition, isWanted, error == nil, !hasRefusedAddress, code != CURLE_OK,
      code != CURLE_OPERATION_TIMEDOUT
    else { return false }
    isRepetition = true
    (fields, headSize, lineCount) = (HeaderFields(), 0, 0)
    (scope, firstScope) = (request.target.namedBy ?? .public, nil)
    awaitsUsedConnection = false
    errorText.pointee = 0
    deadline = .now + Self.headTimeout
    segue_curl_set_long(handle, CURLOPT_FRESH_CONNECT, 1)
    // A redirect would use the connection again.
    segue_curl_set_long(handle, CURLOPT_FORBID_REUSE, 1)
    return true
  }

  /// Reports the end of the transfer to the delegate.
  func end(with code: CURLcode) {
    if code == CURLE_OK, !hasHead, error == nil { _ = completeHead() }
    delegate?.transfer(self, ended: result(of: code))
    delegate = nil
  }

  private func result(of code: CURLcode) -> Result<Void, TransferError> {
    if let error { return .failure(error) }
    if code == CURLE_OK { return .success(()) }
    if hasRefusedAddress, code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK {
      let failure = Failure(
        .denied,
        limit == .private
          ? "\(host): a server of the local network named an address of this machine"
          : "\(host): a server on the internet named an address of this machine or its network")
      return .failure(TransferError(failure, isTransient: false, isRefusal: true))
    }
    let proxy = proxies?.name(for: currentURL).map { name in
      // A connection that is used again is no new one, but a request was sent over it.
      let isConnected = segue_curl_long(handle, CURLINFO_NUM_CONNECTS) > 0 || firstScope != nil
      let status = segue_curl_long(handle, CURLINFO_HTTP_CONNECTCODE)
      return TransferError.Proxy(name: name, refusal: !hasHead && status >= 300 ? status : nil, isReached: isConnected)
    }
    return .failure(
      TransferError(code, host: host, detail: String(cString: errorText), hasHead: hasHead, proxy: proxy))
  }

  /// The host and the port of the current URL, for messages.
  private var host: String { URLText.authority(of: currentURL) ?? currentURL }

  /// The URL after the redirects so far.
  private var currentURL: String {
    segue_curl_string(handle, CURLINFO_EFFECTIVE_URL).map { String(cString: $0) } ?? request.target.url
  }

  // MARK: Callbacks of libcurl

  /// Handles one line of a head. Returns false to end the transfer.
  fileprivate func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
    headSize += line.count
    lineCount += 1
    guard headSize <= Self.maximumHeadSize, lineCount <= Self.maximumLines else {
      error = .headTooLarge(host: host)
      return false
    }
    if line.starts(with: "HTTP/".utf8) || line.starts(with: "ICY ".utf8) {
      fields = HeaderFields()
      awaitsUsedConnection = false
    } else {
      fields.add(line: line)
      request.cookies?.record(line)
    }
    return true
  }

  /// Handles a part of the body. Returns whether it was taken; nil to end the transfer.
  fileprivate func receive(body bytes: UnsafeRawBufferPointer) -> Bool? {
    if !hasHead, !completeHead() { return nil }
    guard let delegate else { return nil }
    let isTaken = delegate.transfer(self, received: bytes)
    arrived += bytes.count
    // A server that sends a byte now and then sends nothing that could be played.
    if !isTaken { deadline = nil } else if deadline == nil || arrived >= Self.stallSize { awaitBody() }
    return isTaken
  }

  private func awaitBody() {
    deadline = .now + Self.stallTimeout
    arrived = 0
  }

  private func completeHead() -> Bool {
    hasHead = true
    awaitBody()
    let status = segue_curl_long(handle, CURLINFO_RESPONSE_CODE)
    let head = HTTPHead(
      status: status, url: currentURL, scope: scope, firstScope: firstScope ?? scope, fields: fields)
    if !request.acceptsEveryStatus, status >= 300 || status < 200 {
      let retryAfter = head["retry-after"].flatMap { RetryAfter.time($0, now: .now) }
      error = TransferError(
        status: status, host: host, retryAfter: retryAfter, proxy: proxies?.name(for: currentURL))
      return false
    }
    return delegate?.transfer(self, received: head) ?? false
  }

  /// Returns whether the transfer may connect to an address of this scope.
  fileprivate func mayConnect(to scope: AddressScope) -> Bool {
    hasOpenedSocket = true
    // The address of a proxy does not matter, but what the proxy is asked for does.
    let next = proxies?.apply(to: currentURL) == true ? statedScope : scope
    let isAllowed = limit.map { next <= $0 } ?? true
    if !isAllowed { hasRefusedAddress = true }
    return isAllowed
  }

  /// The scope that the host of the current URL states by itself, for a proxy, which looks up the names of hosts.
  private var statedScope: AddressScope {
    // libcurl does not read a numeric address before a dot, but another program may.
    guard let name = URLText.host(of: currentURL).map({ ProxySettings.withoutDots($0[...]) }),
      let host = URLText.normalized("http://\(name)/").flatMap(URLText.host)?.lowercased()
    else { return .loopback }
    if host == "localhost" || host.hasSuffix(".localhost") { return .loopback }
    return AddressScope(host.filter { $0 != "[" && $0 != "]" }) ?? .public
  }

  /// The nearest scope that is allowed; nil if every one is. A redirect comes from the last server.
  private var limit: AddressScope? { firstScope == nil ? request.target.namedBy : scope }

  /// Handles that a request is about to be sent over a connection, a new or a used one. Returns whether it may be.
  fileprivate func willSendRequest(to address: String) -> Bool {
    let next = proxies?.apply(to: currentURL) == true ? statedScope : AddressScope(address) ?? .loopback
    if let limit, next > limit {
      hasRefusedAddress = true
      return false
    }
    hasRefusedAddress = false
    firstScope = firstScope ?? next
    scope = next
    awaitsUsedConnection = !hasOpenedSocket
    hasOpenedSocket = false
    return true
  }
}

// libcurl calls these functions within calls of the client, which holds the transfer.

private nonisolated func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
  context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private nonisolated func receiveHeader(
  _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  let line = UnsafeRawBufferPointer(start: data, count: size * count)
  return transfer(context)?.receive(headerLine: line) == true ? size * count : 0
}

private nonisolated func receiveBody(
  _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  switch transfer(context)?.receive(body: UnsafeRawBufferPointer(start: data, count: size * count)) {
  case true: size * count
  case false: Int(CURL_WRITEFUNC_PAUSE)
  default: 0
  }
}

private nonisolated func openSocket(
  _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let address, let transfer = transfer(context) else { return curl_socket_t(CURL_SOCKET_BAD) }
  let scope = withUnsafePointer(to: &address.pointee.addr) { AddressScope($0) }
  guard transfer.mayConnect(to: scope) else { return curl_socket_t(CURL_SOCKET_BAD) }
  let raw = socket(
    address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
  // Without this, the kernel would read several megabytes ahead of a worker that reads slowly. If it fails, it does.
  var size = receiveBufferSize
  if raw >= 0 { setsockopt(raw, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size)) }
  return raw
}

/// The number of bytes that the kernel receives ahead. At a delay of 100 ms, this allows 2.5 MB a second.
private let receiveBufferSize: Int32 = 256 * 1024

private nonisolated func prepareRequest(
  _ context: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
  _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
  guard let remote, transfer(context)?.willSendRequest(to: String(cString: remote)) == true else {
    return CURL_PREREQFUNC_ABORT
  }
  return CURL_PREREQFUNC_OK
}
