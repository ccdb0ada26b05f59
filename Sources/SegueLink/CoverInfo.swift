internal import SegueSystem
public import SegueWire

/// A picture that a worker has put into the memory file it was given.
public struct CoverInfo: Equatable, JSONEncodable, JSONDecodable {
  /// As its first bytes say, whatever the tag does.
  public enum Format: String, Sendable {
    case jpeg, png, gif, webp, bmp
    /// None that is decoded.
    case other
  }

  /// In bytes.
  public var size: Int
  public var format: Format
  /// In pixels, at least 1.
  public var width: Int
  public var height: Int

  public init(size: Int, format: Format, width: Int, height: Int) {
    self.size = size
    self.format = format
    self.width = width
    self.height = height
  }

  /// The most a picture may take, in bytes; the memory file is no smaller.
  public static let largest = 32 << 20
  /// The most pixels of a picture that is looked at: four bytes each are half of what a worker may take.
  public static let maximumPixels = 64 << 20
  /// The most pixels of a side.
  public static let maximumEdge = 65_535

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("size", size)
    json.member("format", format.rawValue)
    json.member("width", width)
    json.member("height", height)
    json.endObject()
  }

  public init(_ json: JSON) {
    size = (json["size"]?.int ?? 0).clamped(to: 0...Self.largest)
    format = json["format"]?.string.flatMap(Format.init) ?? .other
    width = (json["width"]?.int ?? 0).clamped(to: 1...Self.maximumEdge)
    height = (json["height"]?.int ?? 0).clamped(to: 1...Self.maximumEdge)
  }
}
