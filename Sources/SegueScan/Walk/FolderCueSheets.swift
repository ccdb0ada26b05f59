internal import SegueFiles
internal import SegueLibrary
internal import SegueSystem
internal import SegueWire

/// The cue sheets of a folder, which divide some of its files into tracks.
struct FolderCueSheets {
  private struct Division {
    var cueTracks: [ScannedFile.CueTrack]
    let sheet: FileStamp
  }

  private var divisions: [[UInt8]: Division] = [:]

  /// The version of the reader of cue sheets. It is increased when sheets are read differently, so that their files are
  /// read again, together with a schema migration that removes the digests of all folders.
  private static let version: UInt64 = 3

  /// Reads the cue sheets of `folder`, in natural order. A sheet is skipped if it cannot be read, names a file that
  /// does not exist, or names a file of an earlier sheet.
  init(_ listing: ScanListing, in folder: FilePath, _ transcoder: CharsetConverter) {
    guard !listing.sheets.isEmpty else { return }
    let sheets = listing.sheets.map { (name: NaturalName($0.name), stamp: $0.stamp) }.sorted { $0.name < $1.name }
    let names = Set(listing.files.map(\.name))
    let cache = FolderNameCache()
    for sheet in sheets {
      let path = folder.appending(sheet.name.bytes)
      guard case .items(let items) = try? Playlist.read(path, .cue, transcoder),
        let found = Self.divisions(by: items, path, sheet.stamp, among: names, cache),
        found.keys.allSatisfy({ divisions[$0] == nil })
      else { continue }
      divisions.merge(found) { $1 }
    }
  }

  /// Returns the divisions of files by the items of a sheet; nil if the sheet is to be skipped.
  private static func divisions(
    by items: [PlaylistItem], _ sheet: FilePath, _ stamp: FileStamp, among names: Set<[UInt8]>,
    _ cache: FolderNameCache
  ) -> [[UInt8]: Division]? {
    var divisions: [[UInt8]: Division] = [:]
    let files = PlaylistFiles(items, of: sheet, .cue, cache)
    for item in items {
      if let fault = item.fault {
        Log.notice("\(sheet), line \(item.line): \(fault)")
        continue
      }
      guard let file = files.file(of: item), file.parent == sheet.parent else { return nil }
      let name = Array(file.lastComponent)
      guard names.contains(name) else { return nil }
      let track = ScannedFile.CueTrack(range: item.range, metadata: item.metadata.bounded, gain: item.gain)
      divisions[name, default: Division(cueTracks: [], sheet: stamp)].cueTracks.append(track)
    }
    // If a file occurs several times in a sheet, some of its tracks may be the same music.
    guard divisions.values.allSatisfy({ Set($0.cueTracks.map { $0.range?.start ?? 0 }).count == $0.cueTracks.count })
    else { return nil }
    return divisions
  }

  /// Returns the tracks of a file; none if no sheet divides it.
  func cueTracks(of file: ScanListing.File) -> [ScannedFile.CueTrack] { divisions[file.name]?.cueTracks ?? [] }

  /// Returns the stamp by which the index knows the file. It includes the sheet, so that the file is read again when
  /// the sheet is added, changed or removed.
  func stamp(of file: ScanListing.File) -> FileStamp {
    guard let sheet = divisions[file.name]?.sheet else { return file.stamp }
    var stamp = file.stamp
    var inode = StableHash.fold(stamp.inode ^ sheet.inode ^ Self.version)
    inode = StableHash.fold(inode ^ UInt64(bitPattern: sheet.size))
    stamp.inode = StableHash.fold(inode ^ UInt64(bitPattern: sheet.modified))
    return stamp
  }
}
