internal import SegueFiles
internal import SegueLibrary
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A request to read one file.
struct ScanRequest: SupervisedJob {
  let path: FilePath
  /// The stamp of the file and, if there is one, of the cue sheet that divides it into tracks.
  let stamp: FileStamp
  /// The file at the same path in the index; nil if there is none.
  let indexed: IndexedFile?
  let cueTracks: [ScannedFile.CueTrack]
  let folder: FolderProgress
  var kills = 0
}

/// A count of the files of a folder that are still to be read. When all of them have been, the folder's digest is
/// stored, and the folder need not be compared with the index again until it changes.
final class FolderProgress {
  /// The hash of the folder's path.
  let path: UInt64
  let digest: UInt64
  /// Whether the index has something of the folder that is missing on the disk, and is removed at the end of the walk.
  let hasMissingFiles: Bool
  var remaining = 0
  /// Whether every file could be opened and the folder has not changed during the walk. If not, the next walk tries
  /// again.
  var isStable = true

  init(path: UInt64, digest: UInt64, hasMissingFiles: Bool) {
    self.path = path
    self.digest = digest
    self.hasMissingFiles = hasMissingFiles
  }
}

/// The outcome of a request to read a file.
enum ScanOutcome {
  case facts(FileFacts)
  /// The file cannot be decoded, and will not be tried again until it changes.
  case failed(Failure)
  /// The file could not be opened. It will be tried again.
  case notOpened(SystemError)
}
