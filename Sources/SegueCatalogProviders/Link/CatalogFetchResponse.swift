public import SegueSystem
public import SegueWire
public import SegueWorkerProtocol

/// A response of the fetch process to the daemon, over a channel for catalogues. Each response is one packet.
public enum CatalogFetchResponse: Equatable, Sendable {
  /// The result of a query is in the memory file: `size` bytes of JSON, which `CatalogResult` reads.
  case result(id: UInt32, size: Int, CatalogOrigin)
  /// The result that the daemon has is still the current one.
  case unchanged(id: UInt32, CatalogOrigin)
  /// The picture is in the memory file.
  case picture(id: UInt32, size: Int)
  case failed(id: UInt32, Failure)

  public var id: UInt32 {
    switch self {
    case .result(let id, _, _), .unchanged(let id, _), .picture(let id, _), .failed(let id, _): id
    }
  }
}

/// The origin of a result.
public struct CatalogOrigin: Equatable, Sendable {
  /// The version of the response; nil if the server states none.
  public var version: CatalogVersion?
  /// The scope of the address of the server, which names streams and pictures.
  public var scope: AddressScope
  /// The time for which the server lets the response be used without another request; nil if the server states none.
  public var lifetime: MediaTime?

  /// - Parameter lifetime: The time that the server states, which is limited to `lifetimes`.
  public init(version: CatalogVersion?, scope: AddressScope, lifetime: MediaTime? = nil) {
    self.version = version
    self.scope = scope
    self.lifetime = lifetime?.clamped(to: Self.lifetimes)
  }

  /// The times for which a response may be used. The pages of a list that are requested one after another are parts of
  /// one response, and none is kept longer than the details of an item.
  public static let lifetimes: ClosedRange<MediaTime> = .seconds(60) ... .seconds(86_400)
}

extension CatalogFetchResponse: LinkMessage {
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("id", id)
    switch self {
    case .result(_, let size, let origin):
      json.member("response", "result")
      json.member("size", size)
      origin.encodeMembers(into: &json)
    case .unchanged(_, let origin):
      json.member("response", "unchanged")
      origin.encodeMembers(into: &json)
    case .picture(_, let size):
      json.member("response", "picture")
      json.member("size", size)
    case .failed(_, let failure):
      json.member("response", "failed")
      failure.encodeMembers(into: &json)
    }
    json.endObject()
  }

  /// Creates a response. Returns nil if the packet is not a valid response.
  public init?(_ packet: borrowing LinkPacket) {
    guard let json = packet.json, let id = json["id"]?.integer.flatMap(UInt32.init(exactly:)) else { return nil }
    let size = json["size"]?.int ?? -1
    switch json["response"]?.string {
    case "result":
      guard (0...CatalogFetchRequest.maximumResultSize).contains(size), let origin = CatalogOrigin(reading: json)
      else { return nil }
      self = .result(id: id, size: size, origin)
    case "unchanged":
      guard let origin = CatalogOrigin(reading: json) else { return nil }
      self = .unchanged(id: id, origin)
    case "picture":
      guard (0...CatalogFetchRequest.maximumPictureSize).contains(size) else { return nil }
      self = .picture(id: id, size: size)
    case "failed": self = .failed(id: id, Failure(worker: json))
    default: return nil
    }
  }
}

extension CatalogOrigin {
  fileprivate func encodeMembers(into json: inout JSONWriter) {
    json.member("version", version)
    json.member("scope", scope.rawValue)
    json.member("lifetime", lifetime)
  }

  fileprivate init?(reading json: JSON) {
    guard let scope = json["scope"]?.int.flatMap(AddressScope.init) else { return nil }
    self.init(
      version: json["version"].flatMap(CatalogVersion.init(reading:)), scope: scope, lifetime: json["lifetime"]?.time)
  }
}
