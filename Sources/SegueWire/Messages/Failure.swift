public import SegueSystem

/// An error of the protocol: a code, a stable `kind` for scripts, and a message for users.
public struct Failure: Error, Equatable, JSONEncodable {
  public let kind: Kind
  /// The message, at most `maximumMessageSize` bytes of UTF-8, and its template with the arguments, at most as many. It
  /// may repeat a text of the request, which may be a megabyte long.
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

  public func encode(into json: inout JSONWriter) { encode(into: &json) { _ in } }

  /// Encodes the error, with the members of `data` that `more` writes.
  public func encode(into json: inout JSONWriter, adding more: (inout JSONWriter) -> Void) {
    json.beginObject()
    json.member("code", code)
    json.member("message", message)
    json.key("data")
    json.beginObject()
    json.member("kind", kind.rawValue)
    localizableMessage.encodeTemplate(into: &json)
    if kind == .rateLimited { json.member("retryAfter", retryAfter) }
    more(&json)
    json.endObject()
    json.endObject()
  }
}
