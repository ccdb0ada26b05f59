internal import SegueLink
public import SegueSystem

/// A picture in the cache. Its name says all of it: the key, and its width and height in pixels.
public struct CachedArt: Equatable, Sendable {
  public let path: FilePath
  public let width: Int
  public let height: Int

  /// Says that nothing was found, instead of a size.
  static let nothing = "none"

  static func name(_ key: ArtKey, _ found: CoverInfo) -> String {
    "\(key.name)-\(found.width)x\(found.height).\(found.format.rawValue)"
  }

  /// nil for what is named otherwise.
  init?(_ path: FilePath) {
    let parts = path.stem.split(separator: "-")
    guard parts.count == 2 else { return nil }
    let sides = parts[1].split(separator: "x").compactMap { Int($0) }
    guard sides.count == 2 else { return nil }
    self.path = path
    (width, height) = (sides[0], sides[1])
  }
}
