// On the thread "playlists" only. Blocks in the file system.

internal import Glibc
internal import SegueSystem
public import SegueWire

/// What can be done with the playlists of a folder. A playlist's name is its file's, without `.m3u8`.
public struct PlaylistFolder: Sendable {
  let path: FilePath

  static let suffix = ".m3u8"

  /// A page of all of them, by name, and how many there are; none but those on it are read. Whatever cannot be read is
  /// listed as empty; a folder that is not there holds none.
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

  /// A page of what is in one, each with its place, and how long it is. What cannot be had says why.
  public func contents(
    _ name: String, _ page: PageRequest
  ) throws(Failure) -> (entries: [PlaylistEntry], total: Int) {
    let file = file(name)
    let items = try read(name).items
    let first = min(page.offset, items.count)
    let shown = items[first...].prefix(page.limit)
    return (
      shown.enumerated().map { PlaylistEntry(index: first + $0, $1, of: file) }, items.count
    )
  }

  /// Writes one anew. `exists` if there is one of that name, unless it `replaces` it.
  public func save(_ name: String, _ entries: [NewPlaylistEntry], replaces: Bool) throws(Failure) -> PlaylistInfo {
    try check(name)
    if !replaces { try checkFree(name) }
    var text = M3UDocument()
    text.insert(entries.map { M3UDocument.Entry($0, from: base) }, at: 0)
    return try write(text, name)
  }

  /// Adds to one, before what is at `index` now or at its end. Makes it where there is none.
  public func add(_ name: String, _ entries: [NewPlaylistEntry], at index: Int?) throws(Failure) -> PlaylistInfo {
    try check(name)
    var text = file(name).exists ? try read(name) : M3UDocument()
    let place = index ?? text.entries.count
    guard (0...text.entries.count).contains(place) else {
      throw Failure(.outOfRange, "at is \(place); it must be 0 to \(text.entries.count)")
    }
    text.insert(entries.map { M3UDocument.Entry($0, from: base) }, at: place)
    return try write(text, name)
  }

  /// Takes entries out, by their places before.
  public func remove(_ name: String, _ indices: [Int]) throws(Failure) -> PlaylistInfo {
    var text = try read(name)
    if let wrong = indices.first(where: { !text.entries.indices.contains($0) }) {
      let range = text.entries.isEmpty ? "it is empty" : "it has 0 to \(text.entries.count - 1)"
      throw Failure(.outOfRange, "nothing at index \(wrong) of the playlist \(name): \(range)")
    }
    text.remove(Set(indices))
    return try write(text, name)
  }

  public func rename(_ name: String, to new: String) throws(Failure) -> PlaylistInfo {
    try check(new)
    let text = try read(name)
    if new != name {
      try checkFree(new)
      do {
        try Folder.rename(file(name), file(new))
      } catch {
        throw Failure(error, file(name))
      }
    }
    return info(new, text)
  }

  public func delete(_ name: String) throws(Failure) {
    try checkThere(name)
    do {
      try checked("unlink", name) { file(name).withCString { unlink($0) } }
    } catch {
      throw Failure(error, file(name))
    }
  }

  // MARK: Names

  /// One that is a file's and no path: no "/", no control characters, no dot in front, short enough.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.first != "." && name.utf8.count + suffix.utf8.count <= Int(NAME_MAX)
      && !name.unicodeScalars.contains { $0 == "/" || $0.properties.generalCategory == .control }
  }

  private func check(_ name: String) throws(Failure) {
    guard Self.isName(name) else {
      throw Failure(
        .invalidParams,
        "\"\(name)\" cannot name a playlist: a name has no / and no control characters, does not begin with a dot, and "
          + "is \(Int(NAME_MAX) - Self.suffix.utf8.count) bytes at most")
    }
  }

  private func checkThere(_ name: String) throws(Failure) {
    guard Self.isName(name), file(name).exists else {
      throw Failure(.notFound, "no playlist is called \"\(name)\"")
    }
  }

  private func checkFree(_ name: String) throws(Failure) {
    guard !file(name).exists else { throw Failure(.exists, "there is a playlist called \"\(name)\" already") }
  }

  /// Where a playlist of this name lies.
  func file(_ name: String) -> FilePath { path.appending(name + Self.suffix) }

  /// The names of the files that are playlists, without the suffix.
  private func fileNames() throws(SystemError) -> [NaturalName] {
    let suffix = Array(Self.suffix.utf8)
    let names = try Folder.names(in: path).filter { $0.count > suffix.count && $0.suffix(suffix.count) == suffix[...] }
    return names.map { NaturalName($0.dropLast(suffix.count)) }
  }

  // MARK: Files

  private func read(_ name: String) throws(Failure) -> M3UDocument {
    try checkThere(name)
    let file = file(name)
    do {
      return M3UDocument(try SmallFile.read(file, upTo: PlaylistLimits.bytes))
    } catch {
      throw Failure(error, file)
    }
  }

  private func write(_ text: M3UDocument, _ name: String) throws(Failure) -> PlaylistInfo {
    guard text.entries.count <= PlaylistLimits.entries else {
      throw Failure(.tooLarge, "a playlist holds \(PlaylistLimits.entries) entries at most")
    }
    let bytes = text.bytes
    guard bytes.count <= PlaylistLimits.bytes else {
      throw Failure(.tooLarge, "a playlist's file has \(PlaylistLimits.bytes >> 20) MiB at most")
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
    let isThere = file(name).withCString { stat($0, &status) } == 0
    let items = text.items
    let known = items.compactMap(\.duration)
    return PlaylistInfo(
      name: name, uri: LibraryURI.playlist(name).uri, trackCount: items.count,
      duration: known.isEmpty ? nil : MediaTime(nanoseconds: known.reduce(0) { MediaTime.sum($0, $1.nanoseconds) }),
      modified: UnixTime(nanoseconds: isThere ? FileStamp(status).modified : 0))
  }

  /// What relative paths are seen from: ".." leads up from where the folder really is.
  private var base: FilePath {
    do { try Folder.create(path) } catch { return path }
    return path.resolved ?? path
  }
}

extension Failure {
  /// `error` from writing `path`.
  fileprivate init(writing error: SystemError, _ path: FilePath) {
    switch error.code {
    case EACCES, EPERM, EROFS: self.init(.denied, "\(path): not writable for the daemon (\(error.reason))")
    case ENOSPC, EDQUOT, ENOTDIR: self.init(.unavailable, "\(path): not written: \(error.reason)")
    default: self.init(error, path)
    }
  }
}
