/// A URI that a request names, or that was found, and the error that it caused.
public struct URIFailure: Equatable, JSONEncodable, JSONDecodable {
  /// The URI, at most `maximumURISize` bytes of UTF-8. The middle of a longer URI, which cannot be opened, is omitted.
  public var uri: String
  /// The name of a `Failure.Kind`.
  public var kind: String
  public var localizableMessage: LocalizableMessage

  public init(uri: String, failure: Failure) {
    self.uri = uri.middleTruncated(to: Self.maximumURISize)
    kind = failure.kind.rawValue
    localizableMessage = failure.localizableMessage
  }

  /// The message in English.
  public var message: String { localizableMessage.text }

  /// URIs of streams have the same limit; URIs of paths are shorter.
  private static let maximumURISize = 16 * 1024

  /// The error. An unknown kind becomes `internal_error`.
  public var failure: Failure { Failure(Failure.Kind(rawValue: kind) ?? .internalError, localizableMessage) }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("uri", uri)
    json.member("kind", kind)
    json.member("message", message)
    json.member("template", localizableMessage.template)
    localizableMessage.encodeArguments(into: &json)
    json.endObject()
  }

  public init(_ json: JSON?) {
    uri = json?["uri"]?.string ?? ""
    kind = json?["kind"]?.string ?? ""
    localizableMessage = LocalizableMessage(json)
  }
}

/// A list of the URIs of a request that failed, limited to a thousand, with the number of all failures. The URIs that
/// the request names come first, followed by those that were found in its folders and playlists.
public struct URIFailureList: Equatable, Sendable {
  public private(set) var listed: [URIFailure] = []
  public private(set) var total = 0
  /// The URIs that the request names, if they may lead to other URIs, as a folder leads to its files; otherwise empty.
  private var namedURIs: Set<String> = []
  /// The number of listed failures of `namedURIs`.
  private var listedNamedCount = 0

  public init(_ failures: some Sequence<URIFailure> = []) {
    for failure in failures { append(failure) }
  }

  /// Creates an empty list for a request that names `uris`, which may lead to other URIs.
  public init(naming uris: [String]) { namedURIs = Set(uris) }

  /// The maximum number of listed failures.
  public static let capacity = 1_000

  /// The number of failures that are not listed.
  public var unlisted: Int { total - listed.count }

  public mutating func append(_ failure: URIFailure) {
    total += 1
    if listedNamedCount < Self.capacity, namedURIs.contains(failure.uri) {
      if listed.count == Self.capacity { listed.removeLast() }
      listed.insert(failure, at: listedNamedCount)
      listedNamedCount += 1
    } else if listed.count < Self.capacity {
      listed.append(failure)
    }
  }

  public mutating func append(contentsOf more: URIFailureList) {
    for failure in more.listed { append(failure) }
    total += more.unlisted
  }
}

extension URIFailureList {
  /// Writes the members `failed` and `failedTotal`; see `JSONWriter.member(_:_:within:)` for `room`.
  func encodeMembers(into json: inout JSONWriter, within room: inout Int) {
    json.member("failed", listed, within: &room)
    json.member("failedTotal", total)
  }

  /// Reads the members `failed` and `failedTotal` of a result.
  public init(_ json: JSON?) {
    listed = json?.list("failed") ?? []
    total = json?["failedTotal"]?.int ?? listed.count
  }
}
