internal import SegueSystem
public import SegueWire

/// An HTTP request with the method GET that a provider's query becomes.
public struct CatalogRequest: Hashable, Sendable {
  /// The URL, percent-encoded. It contains no secret, so that it may be logged and may be the key of a cache.
  public let url: String
  /// The token of the header `Authorization: Bearer`; nil if the request needs none.
  public let token: CatalogToken?

  /// Creates a request.
  /// - Parameters:
  ///   - path: The path after the base URL, which begins with "/" and is percent-encoded.
  ///   - parameters: The names and encoded values of the query. A parameter without a value is omitted.
  init(_ base: BaseURL, _ path: String, _ parameters: [(name: String, value: String?)] = [], token: CatalogToken? = nil)
  {
    let query = parameters.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: "&")
    url = base.text + path + (query.isEmpty ? "" : "?\(query)")
    self.token = token
  }
}

/// The secret token of a user at a provider. Descriptions of the value do not contain the secret.
public struct CatalogToken: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The token, for the header `Authorization` only.
  public let secret: String

  /// Reads a token as it stands in a file, with white space around it. Throws `invalid_params` if it contains other
  /// characters than those of a bearer token (RFC 6750, 2.1), or if it is longer than 4,096 bytes.
  public init(_ text: String) throws(Failure) {
    let token = text.trimmed
    guard (1...4096).contains(token.utf8.count), token.utf8.allSatisfy(Self.isPermitted) else {
      throw Failure(.invalidParams, "the token is empty, too long or contains invalid characters")
    }
    secret = token
  }

  public var description: String { "<token>" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }

  private static func isPermitted(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
      true
    default: false
    }
  }
}
