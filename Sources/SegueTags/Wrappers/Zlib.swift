internal import CZlib

/// Decompression by zlib.
enum Zlib {
  /// Returns at most `limit` bytes that result from decompressing `bytes`. If these are truncated or damaged, returns
  /// the bytes before the damage, or nil if there are none.
  static func inflated(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    var stream = z_stream()
    guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var input = bytes
    let output = input.withUnsafeMutableBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        stream.next_in = input.baseAddress
        stream.avail_in = uInt(input.count)
        stream.next_out = buffer.baseAddress
        stream.avail_out = uInt(limit)
        _ = inflate(&stream, Z_SYNC_FLUSH)
        count = limit - Int(stream.avail_out)
      }
    }
    return output.isEmpty ? nil : output
  }
}
