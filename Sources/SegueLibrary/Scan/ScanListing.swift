internal import Glibc
internal import SegueSystem

/// What a scan sees in a folder: names and stamps, and none of the files opened.
struct ScanListing {
  struct File {
    let name: [UInt8]
    let stamp: FileStamp
  }

  struct Subfolder {
    let name: [UInt8]
    let isLink: Bool
  }

  /// Audio by their names, cue sheets apart. In the order of the file system.
  let files: [File]
  let sheets: [File]
  let folders: [Subfolder]
  let identity: FileIdentity
  /// Of all that is here, the folder's path and its device; that of a marked folder tells that it is one.
  let digest: UInt64
  /// True if the folder asks to be left alone (`IgnoreMarker`); then the lists are empty.
  let isMarked: Bool

  var isEmpty: Bool { files.isEmpty && sheets.isEmpty && folders.isEmpty && !isMarked }

  /// Reads `path`. Hidden names are passed over. A music folder is the user's wish, whatever mark lies in it. Throws
  /// too where the folder shows a file and the file system cannot say what it is: else it would pass for gone.
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
    contents.digest = FolderDigest(seed: FolderDigest.fold(FolderDigest.hash(path.bytes) ^ identity.device))
    var isMarked = false
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
          if IgnoreMarker.isOne(name) { isMarked = true }
          return
        }
        contents.take(name, type, in: raw)
      }
    }
    if let code = contents.trouble { throw SystemError("fstatat", path.description, code: code) }
    self.isMarked = isMarked && !isRoot
    if self.isMarked {
      contents = Contents()
      contents.digest = FolderDigest(seed: FolderDigest.hash(path.bytes))
    }
    (files, sheets, folders) = (contents.files, contents.sheets, contents.folders)
    digest = contents.digest.value
  }
}

/// What was read so far.
private struct Contents {
  var files: [ScanListing.File] = []
  var sheets: [ScanListing.File] = []
  var folders: [ScanListing.Subfolder] = []
  var digest = FolderDigest(seed: 0)
  /// Why a file that is there could not be looked at.
  var trouble: Int32?

  /// `name` ends with a NUL beyond its end.
  mutating func take(_ name: UnsafeRawBufferPointer, _ type: Int32, in folder: Int32) {
    if type == Int32(DT_DIR) {
      folders.append(ScanListing.Subfolder(name: Array(name), isLink: false))
      return digest.add(name, Self.folderMark)
    }
    let kind = MediaExtension(name)
    // A link or what a file system does not tell may be a folder. Anything else with another name is of no interest.
    let isUncertain = type == Int32(DT_LNK) || type == Int32(DT_UNKNOWN)
    guard isUncertain || (type == Int32(DT_REG) && kind != .other), let base = name.baseAddress else { return }
    var status = stat()
    guard fstatat(folder, base.assumingMemoryBound(to: CChar.self), &status, 0) == 0 else {
      if Self.isTrouble(errno, type) { trouble = errno }
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      folders.append(ScanListing.Subfolder(name: Array(name), isLink: type == Int32(DT_LNK)))
      digest.add(name, Self.folderMark)
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

  /// Whether something that is there cannot be looked at. It may have gone since it was listed, and what a link leads
  /// to is no trouble of the folder.
  private static func isTrouble(_ code: Int32, _ type: Int32) -> Bool {
    switch type {
    case Int32(DT_LNK): false
    case Int32(DT_UNKNOWN): ![ENOENT, ENOTDIR, ELOOP, EACCES].contains(code)
    default: code != ENOENT
    }
  }

  private static let folderMark: UInt64 = 1
}
