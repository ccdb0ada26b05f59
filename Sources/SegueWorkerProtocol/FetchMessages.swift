public import SegueWire

/// A request of a decoding worker to the fetch process, over the channel of a stream. Each request is one packet.
public enum FetchRequest: Equatable, Sendable {
  /// Opens `url` and sends its bytes from `offset` on. The responses have the same `id`, which the worker has not used
  /// before.
  case open(id: UInt32, url: String, offset: Int64)
  /// Ends the transfer. No further responses follow.
  case close(id: UInt32)

  /// The maximum length of a URL in bytes.
  public static let maximumURLSize = 16 * 1024
}

/// A response of the fetch process to a decoding worker. Each response is one packet. The bytes of a resource arrive on
/// a socket of their own, which is closed at their end. A worker that is behind with its responses may read them after
/// the bytes that they precede.
public enum FetchResponse: Equatable, Sendable {
  /// The resource is open. The descriptor of its socket is sent with the response.
  case opened(id: UInt32, FetchedResource)
  /// The resource cannot be opened, or its bytes end before their time. The response precedes the end of the bytes.
  case failed(id: UInt32, Failure)
  /// The station sends these ICY metadata before the byte at `offset` of the socket.
  case metadata(id: UInt32, offset: Int64, [UInt8])
  /// The connection is lost, or cannot be established at the moment. The fetch process tries to connect again.
  case interrupted(id: UInt32)
  /// The connection is established again.
  case resumed(id: UInt32)
  /// The bytes of a resource end here, with or without a failure. Without this response, the fetch process has ended.
  /// It precedes the end of the bytes.
  case ended(id: UInt32)

  /// The number of the request to which this is a response.
  public var id: UInt32 {
    switch self {
    case .opened(let id, _), .failed(let id, _), .metadata(let id, _, _), .interrupted(let id), .resumed(let id),
      .ended(let id):
      id
    }
  }

  /// The maximum size of ICY metadata in bytes, whose length is a byte in units of 16.
  public static let maximumMetadataSize = 255 * 16
}

/// The facts about a resource that its server states.
public struct FetchedResource: Equatable, Sendable {
  /// The URL after redirects and playlists.
  public var url: String
  /// The number of bytes from the beginning to the end of the resource; nil if it is unknown.
  public var size: Int64?
  /// Whether the resource can be opened at any offset.
  public var isSeekable: Bool
  /// Whether the resource is a station: an endless stream to which the fetch process connects again after every loss.
  public var isStation: Bool
  /// The kind of a manifest of HLS, which may be the translation of another one; nil for another resource.
  public var manifest: Manifest?
  /// The name of the station as its server states it, in an unknown charset.
  public var stationName: [UInt8]?

  public init(
    url: String, size: Int64? = nil, isSeekable: Bool = false, isStation: Bool = false, manifest: Manifest? = nil,
    stationName: [UInt8]? = nil
  ) {
    self.url = url
    self.size = size
    self.isSeekable = isSeekable
    self.isStation = isStation
    self.manifest = manifest
    self.stationName = stationName
  }

  /// The maximum size of a resource, and of an offset in it, in bytes. Sums of a few of them are valid numbers.
  public static let maximumSize: Int64 = 1 << 50

  public enum Manifest: String, Sendable {
    /// Each segment can be decoded by itself.
    case segments
    /// The segments are fragments of MP4, which other bytes must precede.
    case fragments
  }

  /// The maximum size of the name of a station in bytes.
  public static let maximumNameSize = 1024
}

extension FetchRequest: LinkMessage {
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    switch self {
    case .open(let id, let url, let offset):
      json.member("request", "open")
      json.member("id", id)
      json.member("url", url)
      json.member("offset", offset)
    case .close(let id):
      json.member("request", "close")
      json.member("id", id)
    }
    json.endObject()
  }

  /// Creates a request. Returns nil if the packet is not a valid request.
  public init?(_ packet: borrowing LinkPacket) {
    guard let json = packet.json, let id = json["id"]?.integer.flatMap(UInt32.init(exactly:)) else { return nil }
    switch json["request"]?.string {
    case "open":
      guard let url = json["url"]?.string, url.utf8.count <= Self.maximumURLSize, let offset = json["offset"]?.integer,
        (0...FetchedResource.maximumSize).contains(offset)
      else { return nil }
      self = .open(id: id, url: url, offset: offset)
    case "close": self = .close(id: id)
    default: return nil
    }
  }
}

extension FetchResponse: LinkMessage {
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("id", id)
    switch self {
    case .opened(_, let resource):
      json.member("response", "opened")
      json.member("url", resource.url)
      json.member("size", resource.size)
      json.member("isSeekable", resource.isSeekable)
      json.member("isStation", resource.isStation)
      json.member("manifest", resource.manifest?.rawValue)
      if let name = resource.stationName {
        json.key("stationName")
        json.hexadecimal(name)
      }
    case .failed(_, let failure):
      json.member("response", "failed")
      failure.encodeMembers(into: &json)
    case .metadata(_, let offset, let bytes):
      json.member("response", "metadata")
      json.member("offset", offset)
      json.key("bytes")
      json.hexadecimal(bytes)
    case .interrupted: json.member("response", "interrupted")
    case .resumed: json.member("response", "resumed")
    case .ended: json.member("response", "ended")
    }
    json.endObject()
  }

  /// Creates a response. Returns nil if the packet is not a valid response.
  public init?(_ packet: borrowing LinkPacket) {
    guard let json = packet.json, let id = json["id"]?.integer.flatMap(UInt32.init(exactly:)) else { return nil }
    let response: FetchResponse? =
      switch json["response"]?.string {
      case "opened": FetchedResource(json).map { .opened(id: id, $0) }
      case "failed": .failed(id: id, Failure(worker: json))
      case "metadata":
        json["offset"]?.integer.flatMap { offset in
          json["bytes"]?.hexadecimal(upTo: Self.maximumMetadataSize).map { .metadata(id: id, offset: offset, $0) }
        }
      case "interrupted": .interrupted(id: id)
      case "resumed": .resumed(id: id)
      case "ended": .ended(id: id)
      default: nil
      }
    guard let response else { return nil }
    self = response
  }
}

extension FetchedResource {
  /// Creates the description of a resource from a response. Returns nil if it is not valid.
  fileprivate init?(_ json: JSON) {
    let size = json["size"]?.integer
    guard let url = json["url"]?.string, size.map({ (0...Self.maximumSize).contains($0) }) ?? true else { return nil }
    self.init(
      url: url, size: size, isSeekable: json["isSeekable"]?.bool ?? false, isStation: json["isStation"]?.bool ?? false,
      manifest: json["manifest"]?.string.flatMap(Manifest.init),
      stationName: json["stationName"]?.hexadecimal(upTo: Self.maximumNameSize))
  }
}
