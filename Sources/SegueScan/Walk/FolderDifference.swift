// Thread: "scan". Blocks on the index.

internal import SegueFiles
internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// The difference between a folder on the disk and the same folder in the index.
struct FolderDifference {
  /// A file to read: it is new or changed, or was read by an earlier version of Segue.
  struct File {
    let name: [UInt8]
    let stamp: FileStamp
    /// The file at the same path in the index; nil if there is none.
    let indexed: IndexedFile?
    /// The tracks into which a cue sheet divides the file; none if no sheet does.
    let cueTracks: [ScannedFile.CueTrack]
  }

  private(set) var files: [File] = []
  /// The files that are in the index and not on the disk.
  private(set) var missing: [[UInt8]: IndexedFile] = [:]
  /// The names of the folders in this one that the index knows.
  private(set) var indexedFolders: Set<[UInt8]> = []
  /// Whether the file system has another device number than in the index although the files are the same.
  private(set) var hasOtherDevice = false

  /// `isNew`: whether the index has nothing of the folder.
  init(
    _ listing: ScanListing, in path: FilePath, isNew: Bool, _ index: ScanIndexAccess, _ converter: CharsetConverter
  ) throws(Failure) {
    if !isNew {
      (missing, indexedFolders) = try index.perform { writer throws(StoreError) in
        (try writer.indexedFiles(in: path), Set(try writer.indexedFolders(in: path)))
      }
    }
    let sheets = FolderCueSheets(listing, in: path, converter)
    for file in listing.files {
      var stamp = sheets.stamp(of: file)
      let indexed = missing.removeValue(forKey: file.name)
      if let indexed, !indexed.isOutdated {
        let isWritten = stamp.mayHaveBeenWritten(since: indexed.stamp)
        if indexed.stamp == stamp, !isWritten { continue }
        // A disk that was removed and connected again has another device number, and all its files are unchanged.
        let device = stamp.device
        stamp.device = indexed.stamp.device
        if indexed.stamp == stamp, !isWritten {
          hasOtherDevice = true
          continue
        }
        stamp.device = device
      }
      files.append(File(name: file.name, stamp: stamp, indexed: indexed, cueTracks: sheets.cueTracks(of: file)))
    }
  }
}
