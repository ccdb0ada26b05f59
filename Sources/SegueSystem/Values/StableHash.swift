/// A hash of bytes. It is the same in every process, so that it can be stored: the algorithm may only change together
/// with the schema of the index. It does not resist attacks.
public enum StableHash {
  /// Returns the hash of `bytes`.
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
