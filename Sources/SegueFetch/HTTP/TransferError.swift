internal import CCurl
internal import SegueCatalogProviders
internal import SegueSystem
internal import SegueWire

/// A reason why a transfer failed.
struct TransferError: Error {
  let failure: Failure
  /// Whether the same request may succeed later.
  let isTransient: Bool
  /// Whether this client refuses the address or its server, which are not to be trusted.
  let isRefusal: Bool
  /// Whether the server may send the resource if it is not asked for a part of it.
  var mayConcernRange = false
  /// The time after which the server wants to be asked again; nil if it states none.
  var retryAfter: MediaTime?

  init(_ failure: Failure, isTransient: Bool, isRefusal: Bool = false) {
    self.failure = failure
    self.isTransient = isTransient
    self.isRefusal = isRefusal
  }

  /// Creates the error of a response whose status is not a success.
  /// - Parameter proxy: The name of the proxy to which the request was sent; nil without a proxy.
  init(status: Int, host: String, retryAfter: MediaTime?, proxy: String? = nil) {
    let failure =
      switch status {
      case 407 where proxy != nil: Self.passwordRequired(by: proxy ?? "")
      case 407: Failure(.denied, "\(host): the proxy requires a password (407)")
      case 401, 403: Failure(.denied, "\(host): the server denied access (\(status))")
      case 404, 410: Failure(.notFound, "\(host): the server has no such file (\(status))")
      case 416: Failure(.notSeekable, "\(host): the server has no such part of the file")
      case 429 where retryAfter != nil: Failure.rateLimit(of: host, for: retryAfter ?? RetryAfter.standard)
      case 429: Failure(.rateLimited, "\(host): too many requests (429)")
      case 500...: Failure(.unavailable, "\(host): the server reports an error (\(status))")
      default: Failure(.badResponse, "\(host): unexpected status \(status)")
      }
    self.init(failure, isTransient: status == 429 || status >= 500)
    self.retryAfter = retryAfter
    mayConcernRange = [400, 416, 501].contains(status)
  }

  /// The proxy through which a server was to be reached.
  struct Proxy {
    let name: String
    /// The status with which the proxy has refused a connection to the server; nil if it has not.
    let refusal: Int?
    /// Whether the proxy was connected.
    let isReached: Bool
  }

  /// Returns the error of a response whose head exceeds the limit.
  static func headTooLarge(host: String) -> TransferError {
    TransferError(Failure(.badResponse, "\(host): the head of the response is too large"), isTransient: false)
  }

  /// CURLE_TOO_LARGE, which older versions do not have. They report a very long field as a lack of memory.
  private static let tooLarge = CURLcode(rawValue: 100)

  /// Creates the error of a failed transfer. `detail` is libcurl's description, possibly empty. `hasHead` states
  /// whether the head of the response had arrived, and `proxy` is nil without a proxy.
  init(_ code: CURLcode, host: String, detail: String, hasHead: Bool, proxy: Proxy? = nil) {
    let reason = LocalizableMessage(curl: code, detail: detail)
    if let failure = Self.failure(code, host: host, of: proxy) {
      self.init(failure, isTransient: proxy?.refusal.map { $0 >= 500 } ?? true)
      return
    }
    switch code {
    case CURLE_URL_MALFORMAT:
      self.init(Failure(.invalidParams, "\(host): not a valid URL"), isTransient: false)
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      self.init(Failure(.offline, "\(host): unknown host, or no connection to the network"), isTransient: true)
    case CURLE_COULDNT_CONNECT:
      self.init(Failure(.offline, "\(host): cannot connect to the server"), isTransient: true)
    case CURLE_OPERATION_TIMEDOUT where hasHead:
      self.init(Failure(.timeout, "\(host): the server has stopped sending, or sends too slowly"), isTransient: true)
    case CURLE_OPERATION_TIMEDOUT:
      self.init(Failure(.timeout, "\(host): the server does not answer"), isTransient: true)
    case CURLE_SSL_CACERT_BADFILE:
      self.init(
        Failure(
          .certificate,
          "\(host): the certificates of the trusted authorities, in the package ca-certificates and in the file of "
            + "CertificateAuthority= in segue.conf, cannot be read: \(reason)"), isTransient: false, isRefusal: true)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      self.init(
        Failure(.certificate, "the certificate of \(host) cannot be trusted: \(reason)"), isTransient: false,
        isRefusal: true)
    case CURLE_SSL_CONNECT_ERROR:
      self.init(Failure(.badResponse, "\(host): no encrypted connection: \(reason)"), isTransient: true)
    case CURLE_TOO_MANY_REDIRECTS:
      self.init(Failure(.badResponse, "\(host): too many redirects"), isTransient: false)
    case CURLE_OUT_OF_MEMORY where !hasHead: self = .headTooLarge(host: host)
    case Self.tooLarge where !hasHead: self = .headTooLarge(host: host)
    // libcurl uses this code for a URL that is neither http nor https, and for a status line that is not that of HTTP.
    case CURLE_UNSUPPORTED_PROTOCOL where detail.contains("HTTP/0.9") || detail.hasSuffix(" response"):
      self.init(Failure(.badResponse, "\(host): the response is not HTTP"), isTransient: false)
    case CURLE_UNSUPPORTED_PROTOCOL:
      self.init(
        Failure(.denied, "\(host): the address, or that of a redirect, is neither http nor https"), isTransient: false,
        isRefusal: true)
    case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      self.init(Failure(.offline, "\(host): the connection was lost"), isTransient: true)
    case CURLE_BAD_CONTENT_ENCODING:
      self.init(Failure(.badResponse, "\(host): the compressed response is damaged"), isTransient: false)
    default:
      self.init(Failure(.badResponse, "\(host): \(reason)"), isTransient: false)
    }
  }

  private static func passwordRequired(by proxy: String) -> Failure {
    Failure(.denied, "the proxy \(proxy) requires a password (407)")
  }

  /// Returns the failure of a proxy; nil if the proxy is not the reason, or if there is none.
  private static func failure(_ code: CURLcode, host: String, of proxy: Proxy?) -> Failure? {
    guard let proxy else { return nil }
    if let status = proxy.refusal {
      return status == 407
        ? passwordRequired(by: proxy.name)
        : Failure(.unavailable, "\(host): the proxy \(proxy.name) does not connect to the server (\(status))")
    }
    return switch code {
    case CURLE_COULDNT_RESOLVE_PROXY:
      Failure(.offline, "the proxy \(proxy.name): unknown host, or no connection to the network")
    case CURLE_COULDNT_CONNECT: Failure(.offline, "cannot connect to the proxy \(proxy.name)")
    case CURLE_OPERATION_TIMEDOUT where !proxy.isReached: Failure(.timeout, "the proxy \(proxy.name) does not answer")
    case CURLE_PROXY: Failure(.offline, "the proxy \(proxy.name) refuses the connection to \(host)")
    default: nil
    }
  }
}
