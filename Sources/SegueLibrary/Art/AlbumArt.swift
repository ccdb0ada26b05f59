internal import Glibc
internal import SegueSystem

/// What the cache knows of albums. Any thread; blocks in the file system, but not for long.
public enum AlbumArt {
  static let shelf = "albums"

  /// The `file://` URI of the cover of each of `albums`, if it was asked for before and is still there.
  public static func uris(of albums: [LibraryAlbum]) -> [String?] {
    let path = ArtStore.folder.appending(shelf)
    // Looked up once and not for every album. Before the first cover there is none.
    let folder = path.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard folder >= 0 else { return albums.map { _ in nil } }
    defer { close(folder) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { target in
      albums.map { uri(named: ArtKey($0).name, in: folder, target) }
    }
  }

  private static func uri(named link: String, in folder: Int32, _ target: UnsafeMutableBufferPointer<CChar>) -> String?
  {
    guard let base = target.baseAddress, case let count = readlinkat(folder, link, base, target.count), count > 0 else {
      return nil
    }
    let path = FilePath(bytes: target.prefix(count).map(UInt8.init(bitPattern:)))
    return path.withCString { access($0, R_OK) } == 0 ? FileURI.encode(path) : nil
  }
}
