internal import SegueFiles
internal import SegueLibrary
internal import SegueSystem

/// The files that the index has and the visited folders have not. By the end of a walk some may have been found under
/// another path.
struct MissingFiles {
  private var stamps: [FilePath: FileStamp] = [:]
  private var paths: [FileStamp: FilePath] = [:]
  /// The files that an earlier version has read. They are read again wherever they are, and may have another digest
  /// then.
  private var outdatedPaths: [FileStamp: FilePath] = [:]
  /// The files with the same audio.
  private var copies: [UInt64: [FilePath]] = [:]
  /// The folders that are missing with everything in them.
  private(set) var folders: [FilePath] = []

  /// The number of files with the same audio that are compared with a new file.
  private static let maximumCompared = 256

  var isEmpty: Bool { stamps.isEmpty && folders.isEmpty }

  mutating func add(_ path: FilePath, _ file: IndexedFile) {
    stamps[path] = file.stamp
    // A file that could not be read is read again wherever it is, too, and nothing belongs to it.
    if !file.hasFailed {
      if file.isOutdated { outdatedPaths[file.stamp] = path } else { paths[file.stamp] = path }
    }
    if let digest = file.audioDigest { copies[digest, default: []].append(path) }
  }

  mutating func add(folder: FilePath, _ files: [(FilePath, IndexedFile)]) {
    for (path, file) in files { add(path, file) }
    folders.append(folder)
  }

  /// Returns the path at which the index has the file with this stamp.
  func path(of stamp: FileStamp) -> FilePath? { paths[stamp] }

  /// Removes and returns the path at which the index has the file with this stamp, which an earlier version has read.
  mutating func takeOutdatedFile(_ stamp: FileStamp) -> FilePath? {
    guard let path = outdatedPaths[stamp], !path.exists else { return nil }
    remove(path)
    return path
  }

  /// Removes and returns the path at which the index has the file that is at `new` now, and has the same audio. A file
  /// that still exists is no such file: it is in a folder that is not a music folder any more, or hidden.
  mutating func takeFile(withAudio digest: UInt64, movedTo new: FilePath, _ stamp: FileStamp) -> FilePath? {
    guard var candidates = copies.removeValue(forKey: digest) else { return nil }
    // The last ones may have been found by their stamps.
    while let last = candidates.last, stamps[last] == nil { candidates.removeLast() }
    let compared = candidates.indices.suffix(Self.maximumCompared).compactMap { index in
      stamps[candidates[index]].map {
        let hasSameStamp = $0.size == stamp.size && $0.modified == stamp.modified
        return (index, MoveSimilarity(candidates[index], new, hasSameStamp: hasSameStamp))
      }
    }
    let best = compared.sorted { $1.1 < $0.1 }.first { !candidates[$0.0].exists }?.0
    let found = best.map { candidates.remove(at: $0) }
    if !candidates.isEmpty { copies[digest] = candidates }
    if let found { remove(found) }
    return found
  }

  /// Removes a file that was found under another path.
  mutating func remove(_ path: FilePath) {
    guard let stamp = stamps.removeValue(forKey: path) else { return }
    paths[stamp] = nil
    outdatedPaths[stamp] = nil
  }

  /// Removes and returns the paths of all files that are still missing.
  mutating func takeFiles() -> [FilePath] {
    defer { (stamps, paths, outdatedPaths, copies) = ([:], [:], [:], [:]) }
    return Array(stamps.keys)
  }
}
