internal import Glibc
internal import SegueSystem

/// A listing of the audio files, cue sheets and folders in a folder.
struct FolderListing {
  /// The audio files, by their extensions, in natural order.
  private(set) var files: [FilePath] = []
  /// The cue sheets, in natural order.
  private(set) var cueSheets: [FilePath] = []
  /// The folders, in natural order.
  private(set) var folders: [FilePath] = []
  /// Whether the folder has an `IgnoreMarker`.
  private(set) var isIgnored = false
  let identity: FileIdentity

  /// Lists `path`, without hidden entries.
  init(_ path: FilePath) throws(SystemError) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK
    let folder = Descriptor(owning: try checked("open", path.description) { path.withCString { open($0, flags) } })
    var status = stat()
    try checked("fstat", path.description) { fstat(folder.raw, &status) }
    identity = FileIdentity(status)
    // The stream owns the descriptor from here on.
    let raw = folder.release()
    guard let stream = fdopendir(raw) else {
      let error = SystemError("fdopendir", path.description)
      close(raw)
      throw error
    }
    defer { closedir(stream) }

    var found: [(name: NaturalName, path: FilePath, isFolder: Bool)] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw SystemError("readdir", path.description) }
        break
      }
      let name = Self.name(entry)
      if name.first == UInt8(ascii: ".") {
        if IgnoreMarker.isName(name) { isIgnored = true }
        continue
      }
      let child = path.appending(name)
      let type = Int32(entry.pointee.d_type)
      guard let isFolder = Self.isFolder(child, type: type) else { continue }
      found.append((NaturalName(name), child, isFolder))
    }

    found.sort { $0.name < $1.name }
    for entry in found {
      if entry.isFolder {
        folders.append(entry.path)
        continue
      }
      switch MediaKind(entry.path) {
      case .audio: files.append(entry.path)
      case .playlist(.cue): cueSheets.append(entry.path)
      case .playlist, .other: break
      }
    }
  }

  /// Returns whether an entry is a folder; nil if it is neither a folder nor a file.
  private static func isFolder(_ path: FilePath, type: Int32) -> Bool? {
    switch type {
    case Int32(DT_DIR): return true
    case Int32(DT_REG): return false
    // A link, or an entry whose type the file system does not tell. A broken link is neither.
    case Int32(DT_LNK), Int32(DT_UNKNOWN):
      switch try? FileKind(path) {
      case .folder: return true
      case .file: return false
      case .special, nil: return nil
      }
    default: return nil
    }
  }

  private static func name(_ entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
  }
}

/// A file whose presence asks programs to ignore its folder.
public enum IgnoreMarker {
  public static func isName(_ name: some Sequence<UInt8>) -> Bool {
    name.elementsEqual(".nomedia".utf8) || name.elementsEqual(".ignore".utf8)
  }
}
