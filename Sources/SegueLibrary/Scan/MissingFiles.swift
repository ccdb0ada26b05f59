internal import SegueSystem

/// What the index has and the folders have not. By the end of a walk it may have turned up elsewhere.
struct MissingFiles {
  private var stamps: [FilePath: FileStamp] = [:]
  private var paths: [FileStamp: FilePath] = [:]
  /// With all that was in them.
  var folders: [FilePath] = []

  var isEmpty: Bool { stamps.isEmpty && folders.isEmpty }

  mutating func add(_ file: FilePath, _ known: IndexedFile) {
    stamps[file] = known.stamp
    // What could not be looked into, or was by an earlier version, is looked into again wherever it is.
    if !known.hasFailed, !known.isOutdated { paths[known.stamp] = file }
  }

  /// Where the file with this stamp was.
  func file(_ stamp: FileStamp) -> FilePath? { paths[stamp] }

  /// It turned up.
  mutating func remove(_ file: FilePath) {
    guard let stamp = stamps.removeValue(forKey: file) else { return }
    paths[stamp] = nil
  }

  /// All that did not turn up.
  mutating func takeFiles() -> [FilePath] {
    defer { (stamps, paths) = ([:], [:]) }
    return Array(stamps.keys)
  }
}
