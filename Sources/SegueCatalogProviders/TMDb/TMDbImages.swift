internal import SegueWire

/// The URLs of pictures of TMDb: the base, the name of a size and the path of the picture.
struct TMDbImages {
  let base: BaseURL

  /// Returns the URL of the poster of a film of medium size; nil if there is none or its path is malformed.
  func poster(_ path: String?) -> String? { url(path, "w780") }

  /// Returns the URL of the portrait of a person of medium size; nil if there is none or its path is malformed.
  func portrait(_ path: String?) -> String? { url(path, "h632") }

  /// Returns the URL of the same picture in another size; the same URL if it is not a picture of TMDb.
  func url(_ url: String, size: Art.Size) -> String {
    guard url.hasPrefix(base.text + "/") else { return url }
    let rest = url.dropFirst(base.text.count + 1)
    guard let slash = rest.firstIndex(of: "/") else { return url }
    let name =
      switch size {
      // Both posters and portraits exist in this width.
      case .small: "w185"
      case .medium: String(rest[..<slash])
      case .full: "original"
      }
    return "\(base.text)/\(name)\(rest[slash...])"
  }

  private func url(_ path: String?, _ size: String) -> String? {
    guard let path, path.hasPrefix("/"), (2...128).contains(path.utf8.count),
      path.utf8.dropFirst().allSatisfy(Self.isPermitted)
    else { return nil }
    return "\(base.text)/\(size)\(path)"
  }

  private static func isPermitted(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
