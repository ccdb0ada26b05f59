// Thread: "art"; see ArtStore.swift.

internal import Glibc
public import SegueSystem
internal import SegueWorkerProtocol

/// A cache of pictures on disk. A picture is the file whose name starts with its key. Other programs may change or
/// remove the folder at any time: the pictures are then made again.
struct ArtCache {
  let folder: FilePath
  /// The size in bytes on disk; nil before it is determined, once in the life of the daemon.
  private var size: Int?

  /// The maximum size in bytes on disk.
  static let maximumSize = 200 << 20
  /// The size to which the cache is reduced when it exceeds the maximum.
  private static let trimmedSize = maximumSize / 5 * 4
  /// The minimum size of a file on disk.
  private static let blockSize = 4096

  enum Entry {
    case art(CachedArt)
    /// It is known that there is no picture.
    case noPicture
  }

  init(folder: FilePath) { self.folder = folder }

  /// Returns the entry for a key, and marks it as used now; nil if there is none.
  func find(_ key: ArtKey) -> Entry? {
    let folder = folder.appending(key.folderName)
    guard let name = Self.names(in: folder).first(where: { $0.starts(with: key.name.utf8) }) else { return nil }
    let path = folder.appending(name)
    // The modification time is the time of the last use.
    let exists = path.withCString { utimensat(AT_FDCWD, $0, nil, 0) } == 0
    if name.elementsEqual("\(key.name)-\(CachedArt.noPictureSuffix)".utf8) { return .noPicture }
    guard exists, let art = CachedArt(path) else { return nil }
    return .art(art)
  }

  /// Adds a picture that a worker has put into `memory`.
  mutating func add(_ memory: Int32, _ cover: CoverInfo, _ key: ArtKey) throws(SystemError) -> CachedArt {
    let path = folder.appending(key.folderName).appending(CachedArt.name(key, cover))
    do throws(SystemError) {
      try write(memory, cover.size, path)
    } catch {
      guard error.code == ENOSPC || error.code == EDQUOT else { throw error }
      // Older pictures may take the space.
      trim(to: (size ?? Self.maximumSize) / 2)
      try write(memory, cover.size, path)
    }
    grow(by: cover.size)
    guard let art = CachedArt(path) else { preconditionFailure("\(path) is not the name of a cached picture") }
    return art
  }

  /// Records that there is no picture for a key.
  mutating func addNoPicture(for key: ArtKey) {
    let path = folder.appending(key.folderName).appending("\(key.name)-\(CachedArt.noPictureSuffix)")
    // An error is ignored here. Its cause also prevents the next picture from being written, and is reported then.
    guard (try? Folder.create(path.parent)) != nil, (try? SmallFile.write([], to: path)) != nil else { return }
    grow(by: 0)
  }

  /// Links the key of an album to a picture.
  func link(_ key: ArtKey, to art: CachedArt) {
    let link = folder.appending(AlbumArt.folderName).appending(key.name)
    let temporary = Folder.temporaryFile(in: link.parent)
    guard (try? Folder.create(link.parent)) != nil else { return }
    Folder.removeFile(temporary)
    guard art.path.withCString({ target in temporary.withCString { symlink(target, $0) } }) == 0 else { return }
    try? Folder.rename(temporary, link)
  }

  /// Writes a file completely or not at all.
  private func write(_ memory: Int32, _ count: Int, _ path: FilePath) throws(SystemError) {
    let temporary = Folder.temporaryFile(in: path.parent)
    do throws(SystemError) {
      try Folder.create(path.parent)
      let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
      let file = Descriptor(
        owning: try checked("open", temporary.description) { temporary.withCString { open($0, flags, 0o600) } })
      let raw = file.raw
      var offset: off_t = 0
      while offset < off_t(count) {
        let sent = try checked("sendfile", temporary.description) {
          sendfile(raw, memory, &offset, count - Int(offset))
        }
        if sent == 0 { throw SystemError("sendfile", temporary.description, code: EIO) }
      }
      // Without this, a power failure could leave an empty file that counts as the cover.
      try checked("fdatasync", temporary.description) { fdatasync(raw) }
      try Folder.rename(temporary, path)
    } catch {
      Folder.removeFile(temporary)
      throw error
    }
  }

  // MARK: Size

  private mutating func grow(by bytes: Int) {
    let before = size ?? files().reduce(0) { $0 + $1.size }
    let after = before + (size == nil ? 0 : max(bytes, Self.blockSize))
    size = after
    if after > Self.maximumSize { trim(to: Self.trimmedSize) }
  }

  /// Removes the least recently used pictures until at most `goal` bytes are left, and the links to them.
  private mutating func trim(to goal: Int) {
    let all = files()
    var remaining = all.reduce(0) { $0 + $1.size }
    for file in all.sorted(by: { $0.lastUse < $1.lastUse }) where remaining > goal || file.isTemporary {
      Folder.removeFile(file.path)
      remaining -= file.size
    }
    size = remaining
    let links = folder.appending(AlbumArt.folderName)
    for name in Self.names(in: links) {
      let link = links.appending(name)
      if link.withCString({ access($0, F_OK) }) != 0 { Folder.removeFile(link) }
    }
  }

  private struct File {
    let path: FilePath
    /// The size on disk in bytes.
    let size: Int
    /// The time of the last use in nanoseconds since 1970.
    let lastUse: Int64
    /// Whether the file is an unfinished one of a daemon that crashed.
    let isTemporary: Bool
  }

  private func files() -> [File] {
    var files: [File] = []
    for name in Self.names(in: folder) where !name.elementsEqual(AlbumArt.folderName.utf8) {
      let folder = folder.appending(name)
      for name in Self.names(in: folder) {
        let path = folder.appending(name)
        var status = stat()
        guard path.withCString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
        files.append(
          File(
            path: path, size: max(Int(status.st_blocks) * 512, Self.blockSize), lastUse: FileStamp(status).modified,
            isTemporary: name.first == UInt8(ascii: ".")))
      }
    }
    return files
  }

  /// Returns the names in `folder`; none if it cannot be read.
  private static func names(in folder: FilePath) -> [[UInt8]] {
    (try? Folder.names(in: folder)) ?? []
  }
}

/// A picture in the cache. The file name has its attributes: the key, and the width and height in pixels.
public struct CachedArt: Equatable, Sendable {
  public let path: FilePath
  public let width: Int
  public let height: Int

  /// The part of a file name that stands for the absence of a picture, in the place of the size.
  static let noPictureSuffix = "none"

  static func name(_ key: ArtKey, _ cover: CoverInfo) -> String {
    "\(key.name)-\(cover.width)x\(cover.height).\(cover.format.rawValue)"
  }

  /// Returns nil for other file names.
  public init?(_ path: FilePath) {
    let parts = path.stem.split(separator: "-")
    guard parts.count == 2 else { return nil }
    let sides = parts[1].split(separator: "x").compactMap { Int($0) }
    guard sides.count == 2 else { return nil }
    self.path = path
    (width, height) = (sides[0], sides[1])
  }
}
