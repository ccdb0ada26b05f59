internal import SegueFiles
internal import SegueIndex
internal import SegueSystem

/// The files that the index has and the visited folders have not. By the end of a walk some may have been found under
/// another path.
struct MissingFiles {
  private var stamps: [FilePath: FileStamp] = [:]
  private var paths: [FileStamp: FilePath] = [:]
  /// The folders that are missing with everything in them.
  private(set) var folders: [FilePath] = []

  var isEmpty: Bool { stamps.isEmpty && folders.isEmpty }

  mutating func add(_ path: FilePath, _ file: IndexedFile) {
    stamps[path] = file.stamp
    // A file that could not be read, or was read by an earlier version, is read again wherever it is.
    if !file.hasFailed, !file.isOutdated { paths[file.stamp] = path }
  }

  mutating func add(folder: FilePath, _ files: [(FilePath, IndexedFile)]) {
    for (path, file) in files { add(path, file) }
    folders.append(folder)
  }

  /// Returns the path at which the index has the file with this stamp.
  func path(of stamp: FileStamp) -> FilePath? { paths[stamp] }

  /// Removes a file that was found under another path.
  mutating func remove(_ path: FilePath) {
    guard let stamp = stamps.removeValue(forKey: path) else { return }
    paths[stamp] = nil
  }

  /// Removes and returns the paths of all files that are still missing.
  mutating func takeFiles() -> [FilePath] {
    defer { (stamps, paths) = ([:], [:]) }
    return Array(stamps.keys)
  }
}
