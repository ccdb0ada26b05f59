internal import Glibc
public import SegueSystem

/// The properties that distinguish an album from others in the cache. The identifier alone is not enough, because an
/// index that is recreated assigns identifiers again.
public struct AlbumIdentity: Sendable {
  public var id: Int64
  public var title: String
  public var albumArtist: String?
  public var year: Int?

  public init(id: Int64, title: String, albumArtist: String?, year: Int?) {
    (self.id, self.title, self.albumArtist, self.year) = (id, title, albumArtist, year)
  }
}

/// The covers of albums in the cache. Any thread may use it. It blocks in the file system for a short time.
public struct AlbumArt: Sendable {
  /// The name of the folder of the links from albums to covers.
  static let folderName = "albums"

  private let cache: FilePath

  /// `cache`: the folder of an `ArtStore`.
  public init(cache: FilePath) { self.cache = cache }

  /// Returns the `file://` URI of the cover of each of `albums`; nil if it was not requested before or is no longer in
  /// the cache.
  public func uris(of albums: [AlbumIdentity]) -> [String?] {
    let path = cache.appending(Self.folderName)
    // The folder is opened once and not for every album. It does not exist before the first cover.
    let folder = path.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard folder >= 0 else { return albums.map { _ in nil } }
    defer { close(folder) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { target in
      albums.map { uri(named: ArtKey($0).name, in: folder, target) }
    }
  }

  private func uri(named link: String, in folder: Int32, _ target: UnsafeMutableBufferPointer<CChar>) -> String? {
    guard let base = target.baseAddress, case let count = readlinkat(folder, link, base, target.count), count > 0 else {
      return nil
    }
    let path = FilePath(bytes: target.prefix(count).map(UInt8.init(bitPattern:)))
    return path.withCString { access($0, R_OK) } == 0 ? FileURI.encode(path) : nil
  }
}
