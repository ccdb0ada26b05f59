public import SegueSystem
internal import SegueWire

/// An HTTP response of a provider. Nothing in it is trusted.
public struct CatalogResponse: Sendable {
  public var status: Int
  /// The header `Content-Type`.
  public var contentType: String?
  /// The header `Retry-After`.
  public var retryAfter: String?
  /// The decompressed body.
  public var body: [UInt8]
  /// The time at which the response was received.
  public var received: UnixTime

  public init(
    status: Int, contentType: String? = nil, retryAfter: String? = nil, body: [UInt8], received: UnixTime = .now
  ) {
    self.status = status
    self.contentType = contentType
    self.retryAfter = retryAfter
    self.body = body
    self.received = received
  }

  /// The maximum size of a decompressed body. A download may be stopped when it exceeds this size.
  public static let maximumBodySize = 4 << 20
  /// The maximum number of JSON values of a body. Each takes up to 250 bytes of memory while the body is parsed.
  static let maximumValueCount = 50_000
}

extension CatalogResponse {
  /// Returns the parsed body of a response with status 200. Throws the `Failure` that the status stands for, or
  /// `bad_response` if the body is not JSON.
  /// - Parameters:
  ///   - provider: The name of the provider for error messages.
  ///   - limitStatus: A status other than 429 with which the provider limits the rate of requests.
  ///   - reason: Returns the reason in the JSON body of a response with another status.
  func json(
    from provider: String, limitStatus: Int? = nil, reason: (JSON) -> String? = { _ in nil }
  ) throws(Failure) -> JSON {
    guard status == 200 else { throw failure(of: provider, limitStatus: limitStatus, reason: reason) }
    guard body.count <= Self.maximumBodySize else {
      throw Failure(.badResponse, "\(provider) sent \(body.count) bytes; the maximum is \(Self.maximumBodySize)")
    }
    guard let first = text.first(where: { $0 > 0x20 }) else {
      throw Failure(.badResponse, "\(provider) sent an empty response")
    }
    guard first != UInt8(ascii: "<"), !isHTML else {
      throw Failure(.badResponse, "\(provider) sent a web page instead of JSON")
    }
    do {
      return try JSON(parsing: Array(text), maximumValueCount: Self.maximumValueCount)
    } catch {
      throw Failure(.badResponse, "\(provider) sent invalid JSON: \(error)")
    }
  }

  /// The body without a byte order mark.
  private var text: ArraySlice<UInt8> { body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...] }

  private var isHTML: Bool {
    let type = contentType?.lowercased() ?? ""
    return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
  }

  /// The maximum size of a body in which a reason is looked for.
  private static let maximumReasonSize = 64 * 1024

  private func failure(of provider: String, limitStatus: Int?, reason: (JSON) -> String?) -> Failure {
    let wait = retryAfter.flatMap { RetryAfter.time($0, now: received) }
    if status == 429 || status == limitStatus || status == 503 && wait != nil {
      return .rateLimit(of: provider, for: wait ?? RetryAfter.standard)
    }
    let stated = body.count <= Self.maximumReasonSize ? (try? JSON(parsing: Array(text))).flatMap(reason) : nil
    let detail =
      stated.flatMap(CatalogText.line).map { .plain(": \($0)") } ?? LocalizableMessage(" (HTTP status \(status))")
    return switch status {
    case 400, 422: Failure(.invalidParams, "\(provider) refuses the request\(detail)")
    case 401, 403: Failure(.denied, "\(provider) denies access\(detail)")
    case 404, 410: Failure(.notFound, "\(provider) has no such item\(detail)")
    case 408, 504: Failure(.timeout, "\(provider) does not respond in time\(detail)")
    case 502, 503: Failure(.offline, "\(provider) is temporarily unavailable\(detail)")
    default: Failure(.badResponse, "\(provider) sent an unexpected response\(detail)")
    }
  }
}
