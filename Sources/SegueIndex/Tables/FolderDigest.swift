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
