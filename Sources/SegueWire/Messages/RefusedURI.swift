/// What was named or found and cannot be had, and why.
public struct RefusedURI: Equatable, JSONEncodable, JSONDecodable {
  public var uri: String
  /// The name of a `Failure.Kind`.
  public var kind: String
  public var message: String

  public init(uri: String, failure: Failure) {
    self.uri = uri
    kind = failure.kind.rawValue
    message = failure.message
  }

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
