/// What `segue:` URIs name.
public enum LibraryURI: Hashable, Sendable {
  case album(Int64)
  case artist(Int64)

  /// nil for every other URI.
  public init?(_ uri: String) {
    let id = { (prefix: String) in uri.hasPrefix(prefix) ? Int64(uri.dropFirst(prefix.count)) : nil }
    if let album = id("segue:album/") {
      self = .album(album)
    } else if let artist = id("segue:artist/") {
      self = .artist(artist)
    } else {
      return nil
    }
  }

  public var uri: String {
    switch self {
    case .album(let id): "segue:album/\(id)"
    case .artist(let id): "segue:artist/\(id)"
    }
  }
}
