extension SourceFile {
  /// `bytes` (at most 8) at `position` as a number, the most significant first.
  func bigEndian(at position: Int64, bytes: Int) -> Int64? {
    var buffer = [UInt8](repeating: 0, count: bytes)
    guard buffer.withUnsafeMutableBytes({ peek(at: position, into: $0) }) == bytes else { return nil }
    return buffer.reduce(0) { $0 << 8 | Int64($1) }
  }

  /// Eight bytes at `position` as a number, the least significant first.
  func littleEndian(at position: Int64) -> Int64? { bigEndian(at: position, bytes: 8)?.byteSwapped }
}
