// On the thread "scan" only; waits for the index.

internal import SegueSystem
internal import SegueWire

/// What a folder holds, against what the index has of it.
struct FolderDifference {
  struct Ask {
    let file: ScanListing.File
    let stamp: FileStamp
    let ranges: [ScannedFile.CueTrack]
  }

  /// New or changed, or read by an earlier version of Segue.
  private(set) var asks: [Ask] = []
  /// In the index, and not there.
  private(set) var gone: [[UInt8]: IndexedFile] = [:]
  /// The folders in it of which the index has something.
  private(set) var folders: Set<[UInt8]> = []
  /// The file system has another number than before; the files are the same.
  private(set) var hasOtherDevice = false

  init(
    _ listing: ScanListing, in path: FilePath, isFresh: Bool, _ port: ScanIndexAccess, _ transcoder: CharsetConverter
  ) throws(Failure) {
    if !isFresh {
      (gone, folders) = try port.ask { writer throws(StoreError) in
        (try writer.indexedFiles(in: path), Set(try writer.indexedFolders(in: path)))
      }
    }
    let sheets = FolderCueSheets(listing, in: path, transcoder)
    for file in listing.files {
      var stamp = sheets.stamp(of: file)
      if let known = gone.removeValue(forKey: file.name), !known.isOutdated {
        if known.stamp == stamp { continue }
        // A disk that was taken out and put in again has another number, and all its files unchanged.
        let device = stamp.device
        stamp.device = known.stamp.device
        if known.stamp == stamp {
          hasOtherDevice = true
          continue
        }
        stamp.device = device
      }
      asks.append(Ask(file: file, stamp: stamp, ranges: sheets.ranges(of: file)))
    }
  }
}
