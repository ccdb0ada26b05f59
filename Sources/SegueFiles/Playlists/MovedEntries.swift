internal import SegueSystem

/// A finder of the files that entries of playlists have named, in whatever spelling, before the files moved.
///
/// `PlaylistFiles` finds the file of an entry in another spelling only while the file is there.
struct MovedEntries {
  private let moves: FileMoves
  /// The files and folders that have moved, by their paths in lower case, which are compared by canonical equivalence.
  /// A path is nil if there are several.
  private var oldPaths: [String: FilePath?] = [:]
  private let names = FolderNameCache()

  init(_ moves: FileMoves) {
    self.moves = moves
    for path in moves.oldPaths {
      let key = Self.key(path)
      oldPaths[key] = oldPaths[key] == nil ? .some(path) : .some(nil)
    }
  }

  /// Returns the URIs of the files that `items`, the entries of `playlist`, name now, by the indices of those that have
  /// moved.
  func uris(of items: [PlaylistItem], in playlist: FilePath) -> [Int: String] {
    var uris: [Int: String] = [:]
    let files = PlaylistFiles(items, of: playlist, .m3u8, names)
    for (index, item) in items.enumerated() {
      uris[index] = moves.uri(of: item.namedURI(of: playlist)) ?? uri(of: item, files)
    }
    return uris
  }

  /// Returns the URI of the file that an entry has named in another spelling than that of its path.
  private func uri(of item: PlaylistItem, _ files: PlaylistFiles) -> String? {
    for path in files.spelledPaths(of: item) {
      guard let old = oldPath(like: path.normalized), let new = moves.path(of: old) else { continue }
      // Another file may have the name in this spelling.
      if let found = files.file(of: item), found.exists { return nil }
      return MediaURI.file(new, range: item.range).uri
    }
    return nil
  }

  /// Returns the path, spelled as it was, of a file that has moved alone or with a folder above it.
  private func oldPath(like path: FilePath) -> FilePath? {
    var place = path
    while true {
      if let found = oldPaths[Self.key(place)] {
        return found.map { FilePath(bytes: $0.bytes + path.bytes.dropFirst(place.bytes.count)) }
      }
      let parent = place.parent
      if parent == place || parent.bytes.count >= place.bytes.count { return nil }
      place = parent
    }
  }

  private static func key(_ path: FilePath) -> String { NameKey(path.bytes).text.lowercased() }
}
