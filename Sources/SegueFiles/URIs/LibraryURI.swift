internal import SegueSystem
public import SegueWire

/// An item that a `segue:` URI names. Names and queries are percent-encoded in the URI.
public enum LibraryURI: Hashable, Sendable {
  case album(Int64)
  case artist(Int64)
  /// A genre by name, regardless of case.
  case genre(String)
  /// The tracks with a value of another tag: a name, regardless of case, a year, or the first year of a decade.
  case value(LibraryTag, String)
  /// A playlist of the user by name.
  case playlist(String)
  /// The tracks that a query finds.
  case search(String)

  public static let scheme = "segue:"

  /// Returns nil for any other URI.
  public init?(_ uri: String) {
    guard uri.hasPrefix(Self.scheme) else { return nil }
    let rest = uri.utf8.dropFirst(Self.scheme.utf8.count)
    guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let bytes = FileURI.percentDecoded(rest[rest.index(after: slash)...])
    guard let name = String(validating: bytes, as: UTF8.self), !name.isEmpty else { return nil }
    switch String(decoding: rest[..<slash], as: UTF8.self) {
    case "album": self.init(Int64(name).map { .album($0) })
    case "artist": self.init(Int64(name).map { .artist($0) })
    case "genre": self = .genre(name)
    case "playlist": self = .playlist(name)
    case "search": self = .search(name)
    case let tag:
      guard let tag = LibraryTag(rawValue: tag), Self.isValid(name, tag) else { return nil }
      self = .value(tag, name)
    }
  }

  private static func isValid(_ value: String, _ tag: LibraryTag) -> Bool {
    switch tag {
    case .albumArtist, .genre, .composer, .conductor, .work: true
    case .year: Int(value).map { 1...9999 ~= $0 } ?? false
    case .decade: Int(value).map { 0...9990 ~= $0 && $0 % 10 == 0 } ?? false
    }
  }

  private init?(_ uri: LibraryURI?) {
    guard let uri else { return nil }
    self = uri
  }

  public var uri: String {
    switch self {
    case .album(let id): "segue:album/\(id)"
    case .artist(let id): "segue:artist/\(id)"
    case .genre(let name): "segue:genre/\(FileURI.percentEncoded(name))"
    case .value(let tag, let value): "segue:\(tag.rawValue)/\(FileURI.percentEncoded(value))"
    case .playlist(let name): "segue:playlist/\(FileURI.percentEncoded(name))"
    case .search(let query): "segue:search/\(FileURI.percentEncoded(query))"
    }
  }
}
