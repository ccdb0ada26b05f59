public import SegueWire
public import SegueWorkerProtocol

/// A request of the daemon to the fetch process, over a channel for catalogues. Each request is one packet.
public enum CatalogFetchRequest: Equatable, Sendable {
  /// Sends a query to a provider and parses the response. A memory file of `maximumResultSize` bytes, created by
  /// `segue_memfd`, is sent with the request and receives the result. `known` describes the result that the daemon has
  /// already.
  case query(id: UInt32, CatalogQuery, provider: String, CatalogConfiguration, known: CatalogVersion?)
  /// Downloads a picture that a server of the scope `namedBy` named. A memory file, created by `segue_memfd`, is sent
  /// with the request and receives the picture, whose maximum size is that of the file: at most `maximumPictureSize`.
  case picture(id: UInt32, url: String, namedBy: AddressScope)
  /// Ends a request. No response follows.
  case cancel(id: UInt32)

  /// The maximum size of a result in bytes.
  public static let maximumResultSize = 8 << 20
  /// The maximum size of a picture in bytes.
  public static let maximumPictureSize = 10 << 20
}

/// The version of a response, as its server states it (RFC 9110, 8.8). It is sent back when the response is requested
/// again.
public struct CatalogVersion: Equatable, Sendable {
  /// The header `ETag`.
  public let etag: String?
  /// The header `Last-Modified`.
  public let lastModified: String?

  /// Creates a version. Returns nil if neither value can be sent back: each is at most 512 printable ASCII characters.
  public init?(etag: String?, lastModified: String?) {
    let valid = [etag, lastModified].map { $0.flatMap { Self.isValid($0) ? $0 : nil } }
    (self.etag, self.lastModified) = (valid[0], valid[1])
    if self.etag == nil, self.lastModified == nil { return nil }
  }

  private static func isValid(_ value: String) -> Bool {
    (1...512).contains(value.utf8.count) && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}

extension CatalogFetchRequest: LinkMessage {
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    switch self {
    case .query(let id, let query, let provider, let configuration, let known):
      json.member("request", "query")
      json.member("id", id)
      json.member("query", query)
      json.member("provider", provider)
      json.member("configuration", configuration)
      json.member("known", known)
    case .picture(let id, let url, let scope):
      json.member("request", "picture")
      json.member("id", id)
      json.member("url", url)
      json.member("namedBy", scope.rawValue)
    case .cancel(let id):
      json.member("request", "cancel")
      json.member("id", id)
    }
    json.endObject()
  }

  /// Creates a request. Returns nil if the packet is not a valid request.
  public init?(_ packet: borrowing LinkPacket) {
    guard let json = packet.json, let id = json["id"]?.integer.flatMap(UInt32.init(exactly:)) else { return nil }
    switch json["request"]?.string {
    case "query":
      guard let query = json["query"].flatMap(CatalogQuery.init), let provider = json["provider"]?.string,
        let configuration = json["configuration"].flatMap({ try? CatalogConfiguration(reading: $0) })
      else { return nil }
      self = .query(
        id: id, query, provider: provider, configuration, known: json["known"].flatMap(CatalogVersion.init(reading:)))
    case "picture":
      guard let url = json["url"]?.string, let scope = json["namedBy"]?.int.flatMap(AddressScope.init) else {
        return nil
      }
      self = .picture(id: id, url: url, namedBy: scope)
    case "cancel": self = .cancel(id: id)
    default: return nil
    }
  }
}

extension CatalogVersion: JSONEncodable {
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("etag", etag)
    json.member("lastModified", lastModified)
    json.endObject()
  }

  init?(reading json: JSON) {
    self.init(etag: json["etag"]?.string, lastModified: json["lastModified"]?.string)
  }
}
