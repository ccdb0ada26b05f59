// Thread "art"; see ArtStore.swift.
internal import Glibc
internal import SegueLink
internal import SegueSystem

/// The pictures on disk: what is found by its key is the file whose name starts with it. Whatever another program does
/// to the folder, up to taking it away, costs no more than making them again.
struct ArtCache {
  let folder: FilePath
  /// Bytes on disk, as far as they were counted: once in a daemon's life, and when they are too many.
  private var size: Int?

  /// In bytes on disk, of all.
  static let most = 200 << 20
  /// What is left when there were too many.
  private static let kept = most / 5 * 4
  /// What a file takes at least.
  private static let block = 4096

  enum Entry {
    case art(CachedArt)
    /// It is known that there is none.
    case nothing
  }

  init(folder: FilePath) { self.folder = folder }

  /// Notes that it was used, too.
  func find(_ key: ArtKey) -> Entry? {
    let shelf = folder.appending(key.shelf)
    guard let name = Self.names(in: shelf).first(where: { $0.starts(with: key.name.utf8) }) else { return nil }
    let path = shelf.appending(name)
    // Those that were not used for longest go first; only its time tells.
    let known = path.withCString { utimensat(AT_FDCWD, $0, nil, 0) } == 0
    if name.elementsEqual("\(key.name)-\(CachedArt.nothing)".utf8) { return .nothing }
    guard known, let art = CachedArt(path) else { return nil }
    return .art(art)
  }

  /// Copies what a worker has put into `memory`.
  mutating func put(_ memory: Int32, _ found: CoverInfo, _ key: ArtKey) throws(SystemError) -> CachedArt {
    let path = folder.appending(key.shelf).appending(CachedArt.name(key, found))
    do throws(SystemError) {
      try write(memory, found.size, path)
    } catch {
      guard error.code == ENOSPC || error.code == EDQUOT else { throw error }
      // There may be room in what is ours.
      trim(to: (size ?? Self.most) / 2)
      try write(memory, found.size, path)
    }
    grow(by: found.size)
    guard let art = CachedArt(path) else { preconditionFailure("\(path) is not named as art is") }
    return art
  }

  mutating func noteNothing(for key: ArtKey) {
    let path = folder.appending(key.shelf).appending("\(key.name)-\(CachedArt.nothing)")
    // Whatever is in the way of this is in the way of the next picture, which says so.
    guard (try? Folder.create(path.parent)) != nil, (try? SmallFile.write([], to: path)) != nil else { return }
    grow(by: 0)
  }

  func link(_ key: ArtKey, to art: CachedArt) {
    let link = folder.appending(AlbumArt.shelf).appending(key.name)
    let draft = Folder.draft(in: link.parent)
    guard (try? Folder.create(link.parent)) != nil else { return }
    Folder.removeFile(draft)
    guard art.path.withCString({ target in draft.withCString { symlink(target, $0) } }) == 0 else { return }
    try? Folder.rename(draft, link)
  }

  /// Whole or not at all.
  private func write(_ memory: Int32, _ count: Int, _ path: FilePath) throws(SystemError) {
    let draft = Folder.draft(in: path.parent)
    do throws(SystemError) {
      try Folder.create(path.parent)
      let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
      let file = Descriptor(
        owning: try checked("open", draft.description) { draft.withCString { open($0, flags, 0o600) } })
      let raw = file.raw
      var offset: off_t = 0
      while offset < off_t(count) {
        let sent = try checked("sendfile", draft.description) {
          sendfile(raw, memory, &offset, count - Int(offset))
        }
        if sent == 0 { throw SystemError("sendfile", draft.description, code: EIO) }
      }
      // After a power cut a name without its bytes would stand for the cover.
      try checked("fdatasync", draft.description) { fdatasync(raw) }
      try Folder.rename(draft, path)
    } catch {
      Folder.removeFile(draft)
      throw error
    }
  }

  // MARK: How much there is

  private mutating func grow(by bytes: Int) {
    let before = size ?? files().reduce(0) { $0 + $1.size }
    let after = before + (size == nil ? 0 : max(bytes, Self.block))
    size = after
    if after > Self.most { trim(to: Self.kept) }
  }

  /// Removes what was not used for longest until no more than `goal` bytes are left, and what stands for what is gone.
  private mutating func trim(to goal: Int) {
    var left = 0
    let all = files()
    for file in all { left += file.size }
    for file in all.sorted(by: { $0.used < $1.used }) where left > goal || file.isStray {
      Folder.removeFile(file.path)
      left -= file.size
    }
    size = left
    let links = folder.appending(AlbumArt.shelf)
    for name in Self.names(in: links) {
      let link = links.appending(name)
      if link.withCString({ access($0, F_OK) }) != 0 { Folder.removeFile(link) }
    }
  }

  private struct File {
    let path: FilePath
    /// On disk, in bytes.
    let size: Int
    /// In nanoseconds since 1970.
    let used: Int64
    /// What a daemon that died has left of a picture it was writing.
    let isStray: Bool
  }

  private func files() -> [File] {
    var files: [File] = []
    for shelf in Self.names(in: folder) where !shelf.elementsEqual(AlbumArt.shelf.utf8) {
      let folder = folder.appending(shelf)
      for name in Self.names(in: folder) {
        let path = folder.appending(name)
        var status = stat()
        guard path.withCString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
        files.append(
          File(
            path: path, size: max(Int(status.st_blocks) * 512, Self.block), used: FileStamp(status).modified,
            isStray: name.first == UInt8(ascii: ".")))
      }
    }
    return files
  }

  /// None if `folder` cannot be read.
  private static func names(in folder: FilePath) -> [[UInt8]] {
    (try? Folder.names(in: folder)) ?? []
  }
}
