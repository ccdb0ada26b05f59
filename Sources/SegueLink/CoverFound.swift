internal import SegueSystem
public import SegueWire

/// An embedded picture that a worker has copied into the memory file it was given.
public struct CoverFound: Equatable, JSONEncodable, JSONDecodable {
  /// As its first bytes say, whatever the tag does.
  public enum Format: String, Sendable {
    case jpeg, png, gif, webp, bmp
    case other
  }

  /// In bytes.
  public var size: Int
  public var format: Format

  public init(size: Int, format: Format) {
    self.size = size
    self.format = format
  }

  /// The most a picture may take, in bytes; the memory file is no smaller.
  public static let largest = 32 << 20

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("size", size)
    json.member("format", format.rawValue)
    json.endObject()
  }

  public init(_ json: JSON) {
    size = (json["size"]?.int ?? 0).clamped(to: 0...Self.largest)
    format = json["format"]?.string.flatMap(Format.init) ?? .other
  }
}
