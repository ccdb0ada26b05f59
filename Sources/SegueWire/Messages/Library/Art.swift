/// The answer of `art`: a picture in the cache.
public struct Art: Equatable, JSONEncodable, JSONDecodable {
  /// How large it is wanted.
  public enum Size: String, Sendable, CaseIterable {
    case small, medium
    /// As it was found.
    case full

    /// Its longer side, in pixels, at most; nil for any.
    public var edge: Int? {
      switch self {
      case .small: 128
      case .medium: 500
      case .full: nil
      }
    }
  }

  /// Absolute.
  public var path: String
  /// `file://`, of the same.
  public var uri: String
  /// In pixels.
  public var width: Int
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
