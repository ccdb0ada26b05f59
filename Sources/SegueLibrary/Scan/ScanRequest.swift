internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// A file that is to be looked into.
struct ScanRequest {
  let path: FilePath
  /// Of the file and, if there is one, the cue sheet that parts it.
  let stamp: FileStamp
  let ranges: [ScannedFile.CueTrack]
  let folder: FolderProgress
  /// Workers that were killed from outside while this was all they had at hand.
  var kills = 0
}

/// A folder whose files are being looked into: when all are, it need not be compared with the index again.
final class FolderProgress {
  let path: UInt64
  let digest: UInt64
  /// Something that the index has is not there any more, and leaves the index at the end of the walk.
  let losesSome: Bool
  var remaining = 0
  /// False if something in it could not be read, or changed meanwhile: it is tried again at the next walk.
  var isSteady = true

  init(path: UInt64, digest: UInt64, losesSome: Bool) {
    self.path = path
    self.digest = digest
    self.losesSome = losesSome
  }
}

/// What came of it.
enum ScanOutcome {
  case facts(FileFacts)
  /// It cannot be decoded, and will not until it changes.
  case failed(Failure)
  /// It could not be opened, which may be another time.
  case closed(SystemError)
}
