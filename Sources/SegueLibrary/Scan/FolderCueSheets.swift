internal import SegueSystem
internal import SegueWire

/// The files of a folder that cue sheets part into tracks.
struct FolderCueSheets {
  private struct Parts {
    var ranges: [ScannedFile.CueTrack]
    let sheet: FileStamp
  }

  private var byName: [[UInt8]: Parts] = [:]

  /// Grows when sheets are read otherwise than before, so that what the index has of them is read again. A step of the
  /// schema that forgets the folders that were seen goes with it.
  private static let version: UInt64 = 1

  /// Reads the sheets of `folder`, in natural order. One that cannot be read, or names a file that is not there, or one
  /// that another sheet has named, is passed over: then the files speak for themselves.
  init(_ listing: ScanListing, in folder: FilePath, _ transcoder: CharsetConverter) {
    guard !listing.sheets.isEmpty else { return }
    let sheets = listing.sheets.map { (name: NaturalName($0.name), stamp: $0.stamp) }.sorted { $0.name < $1.name }
    let names = Set(listing.files.map(\.name))
    for sheet in sheets {
      let path = folder.appending(sheet.name.bytes)
      guard case .items(let items) = try? Playlist.read(path, .cue, transcoder),
        let parts = Self.parts(of: items, path, sheet.stamp, among: names),
        parts.keys.allSatisfy({ byName[$0] == nil })
      else { continue }
      byName.merge(parts) { $1 }
    }
  }

  private static func parts(
    of items: [PlaylistItem], _ sheet: FilePath, _ stamp: FileStamp, among names: Set<[UInt8]>
  ) -> [[UInt8]: Parts]? {
    var parts: [[UInt8]: Parts] = [:]
    for item in items {
      guard let file = item.file(of: sheet, .cue), file.parent == sheet.parent, let range = item.range else {
        return nil
      }
      let name = Array(file.lastComponent)
      guard names.contains(name) else { return nil }
      let track = ScannedFile.CueTrack(range: range, metadata: item.metadata.bounded)
      parts[name, default: Parts(ranges: [], sheet: stamp)].ranges.append(track)
    }
    return parts
  }

  func ranges(of file: ScanListing.File) -> [ScannedFile.CueTrack] { byName[file.name]?.ranges ?? [] }

  /// What the index knows the file by: it has to be looked into again when its sheet changes, comes or goes.
  func stamp(of file: ScanListing.File) -> FileStamp {
    guard let sheet = byName[file.name]?.sheet else { return file.stamp }
    var stamp = file.stamp
    var inode = FolderDigest.fold(stamp.inode ^ sheet.inode ^ Self.version)
    inode = FolderDigest.fold(inode ^ UInt64(bitPattern: sheet.size))
    stamp.inode = FolderDigest.fold(inode ^ UInt64(bitPattern: sheet.modified))
    return stamp
  }
}
