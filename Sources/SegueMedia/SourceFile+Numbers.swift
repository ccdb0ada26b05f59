extension SourceFile {
  /// `bytes` (at most 8) at `position` as a number, the most significant first.
  func bigEndian(at position: Int64, bytes: Int) -> Int64? {
    var value: UInt64 = 0
    let count = withUnsafeMutableBytes(of: &value) {
      peek(at: position, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<bytes]))
    }
    return count == bytes ? Int64(bitPattern: UInt64(bigEndian: value) >> (64 - 8 * UInt64(bytes))) : nil
  }

  /// Eight bytes at `position` as a number, the least significant first.
  func littleEndian(at position: Int64) -> Int64? { bigEndian(at: position, bytes: 8)?.byteSwapped }
}
