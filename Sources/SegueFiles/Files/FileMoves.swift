public import SegueSystem

/// Files and folders that have moved, in order.
public struct FileMoves: Sendable {
  private struct Target {
    /// The number of earlier moves.
    let number: Int
    let path: FilePath
  }

  private var targets: [FilePath: [Target]] = [:]
  public private(set) var count = 0

  public init() {}

  public var isEmpty: Bool { count == 0 }

  /// Adds the move of a file, or of a folder with everything in it.
  public mutating func append(_ old: FilePath, _ new: FilePath) {
    targets[old, default: []].append(Target(number: count, path: new))
    count += 1
  }

  /// Returns the path at which the file `old` is now; nil if it has not moved.
  public func path(of old: FilePath) -> FilePath? {
    var (path, next) = (old, 0)
    while let (folder, target) = nextMove(of: path, from: next) {
      path = FilePath(bytes: target.path.bytes + path.bytes.dropFirst(folder.bytes.count))
      next = target.number + 1
    }
    return path == old ? nil : path
  }

  /// Returns the URI under which the track `uri` is now; nil if it has not moved.
  public func uri(of uri: String) -> String? {
    guard MediaURI.isFile(uri), case .file(let old, let range) = try? MediaURI(uri), let new = path(of: old) else {
      return nil
    }
    return MediaURI.file(new, range: range).uri
  }

  /// The paths of files and folders that have moved.
  var oldPaths: some Collection<FilePath> { targets.keys }

  /// Returns the first move of `path` or of a folder above it, from the move with the number `first` on.
  private func nextMove(of path: FilePath, from first: Int) -> (FilePath, Target)? {
    var found: (FilePath, Target)?
    var place = path
    while true {
      if let target = targets[place]?.first(where: { $0.number >= first }),
        found.map({ target.number < $0.1.number }) ?? true
      {
        found = (place, target)
      }
      let parent = place.parent
      if parent == place || parent.bytes.count >= place.bytes.count { return found }
      place = parent
    }
  }
}
