// Thread: the connection's.

public import SegueSQLite
public import SegueSystem
public import SegueWire

/// A page of what a folder of the index contains: first the folders, then the tracks.
public struct FolderPage: Equatable, Sendable {
  public var folders: [(path: FilePath, isOffline: Bool)] = []
  public var tracks: [LibraryTrack] = []
  /// The number of all folders and tracks directly in the folder.
  public var total = 0

  public static func == (a: FolderPage, b: FolderPage) -> Bool {
    a.total == b.total && a.tracks == b.tracks && a.folders.elementsEqual(b.folders) { $0 == $1 }
  }
}

extension LibraryReader {
  /// Returns a page of what a folder contains: the folders, sorted by the bytes of their names, and then the tracks,
  /// sorted by the bytes of their file names. Returns nil if the index has no files in or below the folder.
  public func contents(of folder: FilePath, _ page: PageRequest) throws(StoreError) -> FolderPage? {
    let find = try connection.statement("SELECT id FROM folder WHERE path = ?", folder.bytes)
    guard let id = try find.first({ $0.integer(0) }) else { return nil }
    let folderCount = Int(try connection.integer("SELECT count(*) FROM folder WHERE parent = ?", id))
    var contents = FolderPage()
    contents.total = folderCount + Int(try connection.integer("SELECT count(*) FROM track WHERE folder = ?", id))
    contents.folders = try subfolders(of: id, page)
    let rest = PageRequest(
      offset: page.offset - folderCount, limit: page.limit - contents.folders.count)
    contents.tracks = rest.limit == 0 ? [] : try tracks(inFolder: id, rest)
    return contents
  }

  private func subfolders(
    of id: Int64, _ page: PageRequest
  ) throws(StoreError) -> [(path: FilePath, isOffline: Bool)] {
    try connection.statement(
      """
      SELECT path, \(FolderAvailability.isOffline) FROM folder f WHERE parent = ? ORDER BY path LIMIT ? OFFSET ?
      """, id, page.limit, page.offset
    ).map { (FilePath(bytes: $0.blob(0)), $0.integer(1) == 1) }
  }

  private func tracks(inFolder id: Int64, _ page: PageRequest) throws(StoreError) -> [LibraryTrack] {
    let rows = try connection.statement(
      "SELECT id FROM track WHERE folder = ? ORDER BY name, range_start LIMIT ? OFFSET ?", id, page.limit, page.offset)
    return try tracks(try rows.integers())
  }
}
