extension FileInput {
  /// Returns the big-endian integer of `bytes` (at most 8) bytes at `position`; nil beyond the end of the file.
  package func bigEndian(at position: Int64, bytes: Int) -> Int64? {
    var value: UInt64 = 0
    let count = withUnsafeMutableBytes(of: &value) {
      peek(at: position, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<bytes]))
    }
    return count == bytes ? Int64(bitPattern: UInt64(bigEndian: value) >> (64 - 8 * UInt64(bytes))) : nil
  }

  /// Returns the little-endian integer of eight bytes at `position`.
  package func littleEndian(at position: Int64) -> Int64? { bigEndian(at: position, bytes: 8)?.byteSwapped }

  /// Returns the little-endian integer of `bytes` (at most 8) bytes at `position`.
  package func littleEndian(at position: Int64, bytes: Int) -> Int64? {
    bigEndian(at: position, bytes: bytes).map { value in
      Int64(bitPattern: UInt64(bitPattern: value).byteSwapped >> (64 - 8 * UInt64(bytes)))
    }
  }

  /// Returns `count` bytes at `position`, or fewer at the end of the file.
  package func bytes(at position: Int64, count: Int) -> [UInt8] {
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = peek(at: position, into: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count))
    }
  }

  /// Returns the bytes of `range`; nil if the file ends within it.
  package func bytes(_ range: Range<Int64>) -> [UInt8]? {
    let bytes = bytes(at: range.lowerBound, count: range.count)
    return bytes.count == range.count ? bytes : nil
  }
}
