public import SegueSystem

/// An error of the protocol: a code, a stable `kind` for scripts, and a message for users.
public struct Failure: Error, Equatable, JSONEncodable {
  /// The stable names of errors (segue-ipc(7), ERROR KINDS).
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
    case certificate
    case nothingToUndo = "nothing_to_undo"
    case nothingToRedo = "nothing_to_redo"

    /// The code of JSON-RPC for the standard kinds, and a small positive number for the kinds of this protocol.
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
      case .certificate: 21
      case .nothingToUndo: 22
      case .nothingToRedo: 23
      }
    }
  }

  public let kind: Kind
  /// The message, at most `maximumMessageSize` bytes of UTF-8, and its template with the arguments, at most as many. It may repeat
  /// a text of the request, which may be a megabyte long.
  public let localizableMessage: LocalizableMessage
  /// The code. It may differ from the code of the kind: an oversized line has the code -32600 and the kind `too_large`.
  public let code: Int
  /// The time after which a server accepts requests again; nil if it is unknown, and for every other kind than
  /// `rate_limited`.
  public let retryAfter: MediaTime?

  /// - Parameter message: A literal, or a message from elsewhere; see `LocalizableMessage.plain(_:)`.
  public init(_ kind: Kind, _ message: LocalizableMessage, code: Int? = nil, retryAfter: MediaTime? = nil) {
    self.kind = kind
    localizableMessage = message.bounded(to: Self.maximumMessageSize)
    self.code = code ?? kind.code
    self.retryAfter = kind == .rateLimited ? retryAfter : nil
  }

  /// The message in English.
  public var message: String { localizableMessage.text }

  /// The limit leaves room for two paths.
  private static let maximumMessageSize = 10 * 1024

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("code", code)
    json.member("message", message)
    json.key("data")
    json.beginObject()
    json.member("kind", kind.rawValue)
    localizableMessage.encodeTemplate(into: &json)
    if kind == .rateLimited { json.member("retryAfter", retryAfter) }
    json.endObject()
    json.endObject()
  }
}
