// Thread: "scan". Blocks on the index.

internal import Glibc
internal import SegueFiles
internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// A listing of a folder for the scan: the names and stamps of its entries. No file is opened.
struct ScanListing {
  struct File {
    let name: [UInt8]
    let stamp: FileStamp
  }

  struct Subfolder {
    let name: [UInt8]
    let isLink: Bool
  }

  /// The audio files, by their extensions, in the order of the file system.
  let files: [File]
  /// The cue sheets.
  let sheets: [File]
  let folders: [Subfolder]
  let identity: FileIdentity
  /// The digest of the lists, the folder's path and its device; a special one for an ignored folder.
  let digest: UInt64
  /// Whether the folder has an `IgnoreMarker`. If so, the lists are empty.
  let isIgnored: Bool

  var isEmpty: Bool { files.isEmpty && sheets.isEmpty && folders.isEmpty && !isIgnored }

  /// Lists `path`, without hidden entries. `isRoot`: whether it is a music folder, in which a marker is ignored,
  /// because the user has named the folder. Also throws if an entry exists but cannot be examined: its file would
  /// otherwise be taken for missing.
  init(_ path: FilePath, isRoot: Bool) throws(SystemError) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK
    let raw = try checked("open", path.description) { path.withCString { open($0, flags) } }
    guard let stream = fdopendir(raw) else {
      let error = SystemError("fdopendir", path.description)
      close(raw)
      throw error
    }
    defer { closedir(stream) }
    var status = stat()
    try checked("fstat", path.description) { fstat(raw, &status) }
    identity = FileIdentity(status)

    var contents = Contents()
    contents.digest = FolderDigest(seed: StableHash.fold(StableHash.hash(path.bytes) ^ identity.device))
    var hasMarker = false
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw SystemError("readdir", path.description) }
        break
      }
      let type = Int32(entry.pointee.d_type)
      withUnsafeBytes(of: &entry.pointee.d_name) { field in
        let name = UnsafeRawBufferPointer(rebasing: field[..<strnlen(field.baseAddress!, field.count)])
        if name.first == UInt8(ascii: ".") {
          if IgnoreMarker.isName(name) { hasMarker = true }
          return
        }
        contents.add(name, type, in: raw)
      }
    }
    if let code = contents.errorCode { throw SystemError("fstatat", path.description, code: code) }
    isIgnored = hasMarker && !isRoot
    if isIgnored {
      contents = Contents()
      contents.digest = FolderDigest(seed: StableHash.hash(path.bytes))
    }
    (files, sheets, folders) = (contents.files, contents.sheets, contents.folders)
    digest = contents.digest.value
  }
}

/// The entries of a folder that were read so far.
private struct Contents {
  var files: [ScanListing.File] = []
  var sheets: [ScanListing.File] = []
  var folders: [ScanListing.Subfolder] = []
  var digest = FolderDigest(seed: 0)
  /// The error code of an existing entry that could not be examined.
  var errorCode: Int32?

  /// Adds an entry. `name` is followed by a NUL.
  mutating func add(_ name: UnsafeRawBufferPointer, _ type: Int32, in folder: Int32) {
    if type == Int32(DT_DIR) {
      folders.append(ScanListing.Subfolder(name: Array(name), isLink: false))
      return digest.add(name, Self.folderTag)
    }
    let kind = MediaExtension(name)
    // A link, or an entry whose type the file system does not tell, may be a folder.
    let isUncertain = type == Int32(DT_LNK) || type == Int32(DT_UNKNOWN)
    guard isUncertain || (type == Int32(DT_REG) && kind != .other), let base = name.baseAddress else { return }
    var status = stat()
    guard fstatat(folder, base.assumingMemoryBound(to: CChar.self), &status, 0) == 0 else {
      if Self.isFailure(errno, type) { errorCode = errno }
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      folders.append(ScanListing.Subfolder(name: Array(name), isLink: type == Int32(DT_LNK)))
      digest.add(name, Self.folderTag)
    case S_IFREG:
      let stamp = FileStamp(status)
      switch kind {
      case .audio: files.append(ScanListing.File(name: Array(name), stamp: stamp))
      case .cueSheet: sheets.append(ScanListing.File(name: Array(name), stamp: stamp))
      case .other: return
      }
      digest.add(name, stamp)
    default: break
    }
  }

  /// Whether an error means that an existing entry cannot be examined. It does not if the entry may have been removed
  /// since it was listed, or may be a link to something that does not exist.
  private static func isFailure(_ code: Int32, _ type: Int32) -> Bool {
    switch type {
    case Int32(DT_LNK): false
    case Int32(DT_UNKNOWN): ![ENOENT, ENOTDIR, ELOOP, EACCES].contains(code)
    default: code != ENOENT
    }
  }

  private static let folderTag: UInt64 = 1
}

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
