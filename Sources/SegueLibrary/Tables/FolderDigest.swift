// Thread: "index".

public import SegueSQLite
public import SegueSystem

/// A digest of the contents of a folder, by which an unchanged folder is recognized without comparing its files with
/// the index. The index stores digests, so the algorithm may only change together with the schema.
public struct FolderDigest {
  public private(set) var value: UInt64

  /// - Parameter seed: A hash of the folder itself.
  public init(seed: UInt64) { value = seed }

  /// Adds an entry. The order of entries does not matter, because a folder has none.
  public mutating func add(_ name: UnsafeRawBufferPointer, _ numbers: UInt64...) {
    var hash = StableHash.hash(name)
    for number in numbers { hash = StableHash.fold(hash ^ number) }
    value &+= hash
  }

  public mutating func add(_ name: UnsafeRawBufferPointer, _ stamp: FileStamp) {
    var hash = StableHash.fold(StableHash.hash(name) ^ stamp.inode)
    hash = StableHash.fold(hash ^ UInt64(bitPattern: stamp.size))
    hash = StableHash.fold(hash ^ UInt64(bitPattern: stamp.modified))
    value &+= StableHash.fold(hash ^ UInt64(bitPattern: stamp.changed))
  }
}

/// The table of the digests (`FolderDigest`) of folders whose files are all in the index, by the hashes of their paths.
/// If two paths have the same hash, the only effect is that their folders are compared with the index more often.
public struct FolderDigestTable {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) { self.connection = connection }

  /// Returns the digests of all these folders.
  public func all() throws(StoreError) -> [UInt64: UInt64] {
    var digests: [UInt64: UInt64] = [:]
    digests.reserveCapacity(Int(try connection.integer("SELECT count(*) FROM seen_folder")))
    let rows = try connection.statement("SELECT path, digest FROM seen_folder")
    defer { rows.reset() }
    while try rows.step() {
      digests[UInt64(bitPattern: rows.integer(0) ?? 0)] = UInt64(bitPattern: rows.integer(1) ?? 0)
    }
    return digests
  }

  /// Returns the digest of one folder, by the hash of its path (`StableHash.hash`); nil if not all files of the folder
  /// are in the index.
  public func digest(ofPath path: UInt64) throws(StoreError) -> UInt64? {
    try connection.statement("SELECT digest FROM seen_folder WHERE path = ?", path).first {
      $0.integer(0).map(UInt64.init(bitPattern:))
    }
  }

  /// Stores the digests of folders whose files are all in the index.
  public func put(_ digests: [(path: UInt64, digest: UInt64)]) throws(StoreError) {
    let insert = try connection.statement("INSERT OR REPLACE INTO seen_folder VALUES (?, ?)")
    for folder in digests { try insert.run(folder.path, folder.digest) }
  }

  func remove(path: UInt64) throws(StoreError) {
    try connection.statement("DELETE FROM seen_folder WHERE path = ?", path).run()
  }
}
