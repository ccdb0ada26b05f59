/// An error as the socket carries it: a code, a stable `kind` for scripts, and a sentence a person can act on.
public struct Failure: Error, Equatable, JSONEncodable {
  /// The stable names (PROTOCOL.md, Errors).
  public enum Kind: String, Sendable, CaseIterable {
    case parseError = "parse_error"
    case invalidRequest = "invalid_request"
    case methodNotFound = "method_not_found"
    case invalidParams = "invalid_params"
    case internalError = "internal_error"

    case noSuchTrack = "no_such_track"
    case emptyQueue = "empty_queue"
    case notFound = "not_found"
    case unplayable
    case notSeekable = "not_seekable"
    case outOfRange = "out_of_range"
    case tooLarge = "too_large"
    case tooManyClients = "too_many_clients"
    case unavailable
    case busy
    case queryTooShort = "query_too_short"
    case rateLimited = "rate_limited"
    case timeout
    case offline
    case badResponse = "bad_response"
    case exists
    case denied
    case cancelled
    case damaged
    case decodingStopped = "decoding_stopped"

    /// JSON-RPC's code for the standard kinds, the protocol's small positive number for ours.
    public var code: Int {
      switch self {
      case .parseError: -32700
      case .invalidRequest: -32600
      case .methodNotFound: -32601
      case .invalidParams: -32602
      case .internalError: -32603
      case .noSuchTrack: 1
      case .emptyQueue: 2
      case .notFound: 3
      case .unplayable: 4
      case .notSeekable: 5
      case .outOfRange: 6
      case .tooLarge: 7
      case .tooManyClients: 8
      case .unavailable: 9
      case .busy: 10
      case .queryTooShort: 11
      case .rateLimited: 12
      case .timeout: 13
      case .offline: 14
      case .badResponse: 15
      case .exists: 16
      case .denied: 17
      case .cancelled: 18
      case .damaged: 19
      case .decodingStopped: 20
      }
    }
  }

  public let kind: Kind
  /// At most `longestMessage` bytes of UTF-8: a request may hold a text of a megabyte that is repeated here.
  public let message: String
  /// Where it differs from the kind's own: an oversized line is -32600 of kind `too_large`.
  public let code: Int

  public init(_ kind: Kind, _ message: String, code: Int? = nil) {
    self.kind = kind
    self.message = message.abridged(to: Self.longestMessage)
    self.code = code ?? kind.code
  }

  /// Room for two paths.
  private static let longestMessage = 10 * 1024

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("code", code)
    json.member("message", message)
    json.key("data")
    json.beginObject()
    json.member("kind", kind.rawValue)
    json.endObject()
    json.endObject()
  }
}
