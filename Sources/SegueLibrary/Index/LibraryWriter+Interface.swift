public import SegueSystem

extension LibraryWriter {
  // MARK: The scan

  /// The files of one folder that are in the index, by name, those that failed too.
  public func knownFiles(in folder: FilePath) throws(StoreError) -> [[UInt8]: KnownFile] { fatalError() }
  /// The names of the folders in `folder` in or under which the index has files.
  public func knownFolders(in folder: FilePath) throws(StoreError) -> [[UInt8]] { fatalError() }
  /// Whether the index has files in or under `folder`.
  public func hasFiles(under folder: FilePath) throws(StoreError) -> Bool { fatalError() }
  /// Adds what was found or writes it anew. A file that was elsewhere before keeps its row, and what the user made of it.
  public func put(_ files: [ScannedFile]) throws(StoreError) { fatalError() }
  public func remove(_ files: [FilePath]) throws(StoreError) { fatalError() }
  /// With all under it.
  public func removeFolder(_ folder: FilePath) throws(StoreError) { fatalError() }
  /// A file or a folder that was moved: its rows and what the user made of them follow. What the index had at `new` goes.
  public func rename(_ old: FilePath, to new: FilePath) throws(StoreError) { fatalError() }
  /// Marks all in and under `root`.
  public func setOffline(_ root: FilePath, _ isOffline: Bool) throws(StoreError) { fatalError() }
  /// Makes albums, artists and counts true again after `put`, `remove` and `rename`. Costs by what was changed.
  public func finishScan() throws(StoreError) { fatalError() }

  // MARK: What the user makes

  /// Of tracks, streams, albums and artists.
  public func setFavorite(_ uris: [String], _ isFavorite: Bool, at time: WallTime = .now) throws(StoreError) {
    fatalError()
  }
  /// 0…10; nil takes it away.
  public func setRating(_ uri: String, _ rating: Int?, at time: WallTime = .now) throws(StoreError) { fatalError() }
  public func addPlay(_ uri: String, at time: WallTime = .now) throws(StoreError) { fatalError() }
  public func addSearch(_ query: String, at time: WallTime = .now) throws(StoreError) { fatalError() }
  /// nil takes it away.
  public func setBookmark(_ uri: String, _ position: MediaTime?, at time: WallTime = .now) throws(StoreError) {
    fatalError()
  }
}
