internal import SegueSystem
public import SegueWire

/// A request for a picture and its output format.
public struct CoverRequest: Hashable, Sendable {
  /// The place of the picture.
  public enum Place: String, Sendable {
    /// The picture is embedded in the tags of the file.
    case embedded
    /// The file itself is a picture.
    case file
  }

  public var place: Place
  /// The maximum length of the longer side, in pixels; nil for the original picture, byte for byte.
  public var edge: Int?
  /// The format of the result. If it is nil, a picture that was scaled down is a JPEG, or a PNG if it is transparent.
  public var format: Art.Format?

  public init(place: Place = .embedded, edge: Int? = nil, format: Art.Format? = nil) {
    self.place = place
    self.edge = edge
    self.format = format
  }
}

extension CoverRequest {
  func encode(into json: inout JSONWriter) {
    json.member("place", place.rawValue)
    json.member("edge", edge)
    json.member("format", format?.rawValue)
  }

  init(_ json: JSON?) {
    place = json?["place"]?.string.flatMap(Place.init) ?? .embedded
    edge = json?["edge"]?.int.map { $0.clamped(to: 1...CoverInfo.maximumEdge) }
    format = json?["format"]?.string.flatMap(Art.Format.init)
  }
}

/// A description of the picture that a worker has written to a memory file.
public struct CoverInfo: Equatable, JSONEncodable, JSONDecodable {
  /// The format of a picture according to its first bytes, regardless of the tag.
  public enum Format: String, Sendable {
    case jpeg, png, gif, webp, bmp
    /// A format that is only written.
    case ppm
    /// A format that is not decoded.
    case other
  }

  /// The size in bytes.
  public var size: Int
  public var format: Format
  /// The width in pixels, at least 1.
  public var width: Int
  /// The height in pixels, at least 1.
  public var height: Int

  public init(size: Int, format: Format, width: Int, height: Int) {
    self.size = size
    self.format = format
    self.width = width
    self.height = height
  }

  /// The maximum size of a picture in bytes, and the size of the memory file.
  public static let maximumSize = 32 << 20
  /// The maximum number of pixels of a picture that is decoded. At four bytes each they take half of the memory limit
  /// of a worker.
  public static let maximumPixels = 64 << 20
  /// The maximum length of a side, in pixels.
  public static let maximumEdge = 65_535

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("size", size)
    json.member("format", format.rawValue)
    json.member("width", width)
    json.member("height", height)
    json.endObject()
  }

  public init(_ json: JSON?) {
    size = (json?["size"]?.int ?? 0).clamped(to: 0...Self.maximumSize)
    format = json?["format"]?.string.flatMap(Format.init) ?? .other
    width = (json?["width"]?.int ?? 0).clamped(to: 1...Self.maximumEdge)
    height = (json?["height"]?.int ?? 0).clamped(to: 1...Self.maximumEdge)
  }
}
