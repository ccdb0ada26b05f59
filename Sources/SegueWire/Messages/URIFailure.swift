/// What was named or found and cannot be had, and why.
public struct URIFailure: Equatable, JSONEncodable, JSONDecodable {
  /// At most `longestURI` bytes of UTF-8: of a longer one, which nothing can be reached by, the middle is left out.
  public var uri: String
  /// The name of a `Failure.Kind`.
  public var kind: String
  public var message: String

  public init(uri: String, failure: Failure) {
    self.uri = uri.abridged(to: Self.longestURI)
    kind = failure.kind.rawValue
    message = failure.message
  }

  /// The longest URI of a stream is as long; a path's is shorter.
  private static let longestURI = 16 * 1024

  /// Kind and message; a kind that has no name here is `internal_error`.
  public var failure: Failure { Failure(Failure.Kind(rawValue: kind) ?? .internalError, message) }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("uri", uri)
    json.member("kind", kind)
    json.member("message", message)
    json.endObject()
  }

  public init(_ json: JSON) {
    uri = json["uri"]?.string ?? ""
    kind = json["kind"]?.string ?? ""
    message = json["message"]?.string ?? ""
  }
}
