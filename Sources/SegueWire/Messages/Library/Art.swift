/// The result of `art`: a picture in the cache.
public struct Art: Equatable, JSONEncodable, JSONDecodable {
  /// The absolute path.
  public var path: String
  /// The `file://` URI of the same file.
  public var uri: String
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  public init(path: String, uri: String, width: Int, height: Int) {
    self.path = path
    self.uri = uri
    self.width = width
    self.height = height
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("path", path)
    json.member("uri", uri)
    json.member("width", width)
    json.member("height", height)
    json.endObject()
  }

  public init(_ json: JSON) {
    path = json["path"]?.string ?? ""
    uri = json["uri"]?.string ?? ""
    width = json["width"]?.int ?? 0
    height = json["height"]?.int ?? 0
  }
}

extension Art.Size {
  /// The maximum length of the longer side, in pixels; nil if there is no limit.
  public var edge: Int? {
    switch self {
    case .small: 128
    case .medium: 500
    case .full: nil
    }
  }
}
