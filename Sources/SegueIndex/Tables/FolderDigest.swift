public import SegueSystem

/// A digest of the contents of a folder, by which an unchanged folder is recognized without comparing its files with
/// the index. The index stores digests, so the algorithm may only change together with the schema.
public struct FolderDigest {
  public private(set) var value: UInt64

  /// - Parameter seed: A hash of the folder itself.
  public init(seed: UInt64) { value = seed }

  /// Adds an entry. The order of entries does not matter, because a folder has none.
  public mutating func add(_ name: UnsafeRawBufferPointer, _ numbers: UInt64...) {
    var hash = Self.hash(name)
    for number in numbers { hash = Self.fold(hash ^ number) }
    value &+= hash
  }

  public mutating func add(_ name: UnsafeRawBufferPointer, _ stamp: FileStamp) {
    var hash = Self.fold(Self.hash(name) ^ stamp.inode)
    hash = Self.fold(hash ^ UInt64(bitPattern: stamp.size))
    value &+= Self.fold(hash ^ UInt64(bitPattern: stamp.modified))
  }

  public static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(bytes.count) &+ first
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = fold(hash ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return fold(hash ^ rest)
  }

  public static func hash(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes(hash) }

  /// Mixes the bits of a word: multiplies it to 128 bits and combines the halves.
  public static func fold(_ word: UInt64) -> UInt64 {
    let (high, low) = (word ^ first).multipliedFullWidth(by: second)
    return high ^ low
  }

  // These are the fractional parts of the square roots of 2 and 3.
  private static let first: UInt64 = 0x6A09_E667_F3BC_C908
  private static let second: UInt64 = 0xBB67_AE85_84CA_A73B
}
