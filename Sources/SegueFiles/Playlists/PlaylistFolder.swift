// Thread: "playlists". Blocks in the file system.

internal import Glibc
public import SegueSystem
public import SegueWire

/// The operations on the playlists in a folder. The name of a playlist is that of its file without `.m3u8`.
public struct PlaylistFolder: Sendable {
  public let path: FilePath

  static let fileExtension = ".m3u8"
  private static let extensionBytes = Array(fileExtension.utf8)

  /// Returns a page of the playlists, sorted by name, and their total number. Reads only the files of the page. A
  /// playlist that cannot be read is listed as empty. If the folder does not exist, there are none.
  public func list(_ page: PageRequest) throws(Failure) -> (playlists: [PlaylistInfo], total: Int) {
    let files: [NaturalName]
    do {
      files = try fileNames().sorted()
    } catch {
      if error.code == ENOENT { return ([], 0) }
      throw Failure(error, path)
    }
    let names = files.compactMap { String(validating: $0.bytes, as: UTF8.self) }.filter(Self.isName)
    let shown = names.dropFirst(page.offset).prefix(page.limit)
    return (shown.map { info($0, (try? read($0)) ?? M3UDocument()) }, names.count)
  }

  /// Returns a page of the entries of a playlist, and their total number.
  public func contents(
    _ name: String, _ page: PageRequest
  ) throws(Failure) -> (entries: [PlaylistEntry], total: Int) {
    let file = file(name)
    let items = try read(name).items
    let first = min(page.offset, items.count)
    let shown = items[first...].prefix(page.limit)
    let files = PlaylistFiles(items, of: file, .m3u8)
    return (
      shown.enumerated().map { PlaylistEntry(index: first + $0, $1, of: file, files) }, items.count
    )
  }

  /// Saves a playlist. Throws `exists` if there is one with that name, unless `replaces` is true.
  public func save(_ name: String, _ entries: [NewPlaylistEntry], replaces: Bool) throws(Failure) -> PlaylistInfo {
    try checkName(name)
    if !replaces { try checkDoesNotExist(name) }
    var text = M3UDocument()
    text.insert(entries.map { M3UDocument.Entry($0, from: base) }, at: 0)
    return try write(text, name)
  }

  /// Adds entries to a playlist, before the entry at `index` or at the end. Creates the playlist if it does not exist.
  public func add(_ name: String, _ entries: [NewPlaylistEntry], at index: Int?) throws(Failure) -> PlaylistInfo {
    try checkName(name)
    var text = file(name).exists ? try read(name) : M3UDocument()
    let position = index ?? text.entries.count
    guard (0...text.entries.count).contains(position) else {
      throw Failure(.outOfRange, "at is \(position); it must be 0 to \(text.entries.count)")
    }
    text.insert(entries.map { M3UDocument.Entry($0, from: base) }, at: position)
    return try write(text, name)
  }

  /// Removes the entries at `indices`. `uris` are the URIs of these entries, in the same order, if the caller knows
  /// them: nothing is removed if one of them is another entry meanwhile.
  public func remove(_ name: String, _ indices: [Int], uris: [String]?) throws(Failure) -> PlaylistInfo {
    var text = try read(name)
    if let wrong = indices.first(where: { !text.entries.indices.contains($0) }) {
      throw Failure(
        .outOfRange,
        text.entries.isEmpty
          ? "no entry at index \(wrong) of the playlist \(name): it is empty"
          : "no entry at index \(wrong) of the playlist \(name): it has indices 0 to \(text.entries.count - 1)")
    }
    if let uris {
      let (items, file) = (text.items, file(name))
      let files = PlaylistFiles(items, of: file, .m3u8)
      let found = indices.map { PlaylistEntry(index: $0, items[$0], of: file, files).track.uri }
      guard found == uris else { throw Failure(.notFound, "the playlist \(name) has other entries now") }
    }
    text.remove(Set(indices))
    return try write(text, name)
  }

  /// Renames a playlist. Throws `exists` if there is one with the new name.
  public func rename(_ name: String, to new: String) throws(Failure) -> PlaylistInfo {
    try checkName(new)
    let text = try read(name)
    if new != name {
      try checkDoesNotExist(new)
      do {
        try Folder.rename(file(name), file(new))
      } catch {
        throw Failure(error, file(name))
      }
    }
    return info(new, text)
  }

  public func delete(_ name: String) throws(Failure) {
    try checkExists(name)
    do {
      try checked("unlink", name) { file(name).withCString { unlink($0) } }
    } catch {
      throw Failure(error, file(name))
    }
  }

  /// Replaces the paths of files that have moved, in all playlists. A playlist that cannot be read or written stays as
  /// it is.
  public func follow(_ moves: FileMoves) throws(Failure) {
    let names: [NaturalName]
    do {
      names = try fileNames()
    } catch {
      if error.code == ENOENT { return }
      throw Failure(error, path)
    }
    let moved = MovedEntries(moves)
    for name in names.compactMap({ String(validating: $0.bytes, as: UTF8.self) }) where Self.isName(name) {
      do throws(Failure) {
        try follow(moved, name)
      } catch {
        Log.warning("\(file(name)): keeps the paths of moved files: \(error.message)")
      }
    }
  }

  private func follow(_ moved: MovedEntries, _ name: String) throws(Failure) {
    var text = try read(name)
    let (items, base) = (text.items, base)
    let file = base.appending(name + Self.fileExtension)
    guard items.count == text.entries.count else { return }
    let uris = moved.uris(of: items, in: file)
    for (index, uri) in uris { text.relocate(entryAt: index, to: uri, from: base) }
    if !uris.isEmpty { _ = try write(text, name) }
  }

  /// Creates the folder if there is none. Without it, no change by another program is noticed before the first one is
  /// saved.
  public func createIfMissing() {
    do {
      try Folder.create(path)
    } catch {
      Log.warning("\(path): changes of playlists by other programs are not announced: \(error)")
    }
  }

  // MARK: Names

  /// Whether a file with this name is a playlist.
  public static func isFileName(_ name: [UInt8]) -> Bool {
    name.count > extensionBytes.count && name.suffix(extensionBytes.count) == extensionBytes[...]
  }

  /// Whether `name` can name a playlist: it is a valid file name without a leading dot or control characters.
  public static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.first != "." && name.utf8.count + fileExtension.utf8.count <= Int(NAME_MAX)
      && !name.unicodeScalars.contains { $0 == "/" || $0.properties.generalCategory == .control }
  }

  private func checkName(_ name: String) throws(Failure) {
    guard Self.isName(name) else {
      throw Failure(
        .invalidParams,
        "“\(name)” cannot name a playlist: a name must not contain / or control characters or begin with a dot, and "
          + "has \(Int(NAME_MAX) - Self.fileExtension.utf8.count) bytes at most")
    }
  }

  private func checkExists(_ name: String) throws(Failure) {
    guard Self.isName(name), file(name).exists else {
      throw Failure(.notFound, "there is no playlist “\(name)”")
    }
  }

  private func checkDoesNotExist(_ name: String) throws(Failure) {
    guard !file(name).exists else { throw Failure(.exists, "a playlist “\(name)” already exists") }
  }

  /// Returns the path of the playlist with this name.
  public func file(_ name: String) -> FilePath { path.appending(name + Self.fileExtension) }

  /// Returns the names of the playlists, by their files.
  private func fileNames() throws(SystemError) -> [NaturalName] {
    try Folder.names(in: path).filter(Self.isFileName).map { NaturalName($0.dropLast(Self.extensionBytes.count)) }
  }

  // MARK: Files

  private func read(_ name: String) throws(Failure) -> M3UDocument {
    try checkExists(name)
    let file = file(name)
    do {
      return M3UDocument(try SmallFile.read(file, upTo: PlaylistLimits.bytes))
    } catch {
      throw Failure(error, file)
    }
  }

  private func write(_ text: M3UDocument, _ name: String) throws(Failure) -> PlaylistInfo {
    guard text.entries.count <= PlaylistLimits.entries else {
      throw Failure(.tooLarge, "a playlist has at most \(PlaylistLimits.entries) entries")
    }
    let bytes = text.bytes
    guard bytes.count <= PlaylistLimits.bytes else {
      throw Failure(.tooLarge, "the file of a playlist has at most \(PlaylistLimits.bytes >> 20) MiB")
    }
    let file = file(name)
    do {
      try Folder.create(path)
      try SmallFile.replace(file, with: bytes)
    } catch {
      throw Failure(writing: error, file)
    }
    return info(name, text)
  }

  private func info(_ name: String, _ text: M3UDocument) -> PlaylistInfo {
    var status = stat()
    let exists = file(name).withCString { stat($0, &status) } == 0
    let items = text.items
    let known = items.compactMap(\.duration)
    return PlaylistInfo(
      name: name, uri: LibraryURI.playlist(name).uri, trackCount: items.count,
      duration: known.isEmpty ? nil : MediaTime(nanoseconds: known.reduce(0) { MediaTime.sum($0, $1.nanoseconds) }),
      modified: UnixTime(nanoseconds: exists ? FileStamp(status).modified : 0))
  }

  /// The folder that paths are relative to. It has no symbolic links, because ".." does not follow them back.
  private var base: FilePath {
    do { try Folder.create(path) } catch { return path }
    return path.resolved ?? path
  }
}

extension Failure {
  /// Creates the failure of a request because `path` could not be written.
  fileprivate init(writing error: SystemError, _ path: FilePath) {
    switch error.code {
    case EACCES, EPERM, EROFS:
      self = Failure(.denied, "\(path): not writable by the daemon (\(error.localizableReason))")
    case ENOSPC, EDQUOT, ENOTDIR:
      self = Failure(.unavailable, "\(path): could not be written: \(error.localizableReason)")
    default: self.init(error, path)
    }
  }
}
