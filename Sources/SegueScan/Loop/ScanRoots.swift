// Thread: "scan".

internal import SegueSystem

/// The music folders of a scanner, none of which lies in another.
struct ScanRoots {
  private(set) var paths: [FilePath] = []
  /// The folders that the paths stood for at the last walk.
  private var identities: [FilePath: FileIdentity] = [:]

  /// Replaces the music folders, and returns those that no longer are.
  mutating func replace(with folders: [FilePath]) -> [FilePath] {
    // A folder that lies in another one is walked with it.
    let normalized = folders.map(\.normalized)
    var unique: [FilePath] = []
    for folder in normalized where !normalized.contains(where: { folder.isBelow($0) }) && !unique.contains(folder) {
      unique.append(folder)
    }
    defer { paths = unique }
    return paths.filter { !unique.contains($0) }
  }

  mutating func record(_ identities: [FilePath: FileIdentity]) { self.identities.merge(identities) { $1 } }

  /// Returns whether `root` is the folder that it was at the last walk. It is not if it is missing, or if another file
  /// system is mounted in its place.
  func isUnchanged(_ root: FilePath) -> Bool {
    guard case .folder(let identity) = try? FileKind(root) else { return false }
    return identities[root] == identity
  }

  /// Returns the music folder that is `path` or contains it.
  func root(containing path: FilePath) -> FilePath? { paths.first { path == $0 || path.isBelow($0) } }
}
