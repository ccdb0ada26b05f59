// Thread: any.

internal import CZlib
internal import SegueHTTP

/// The compression of what browsers receive.
enum Gzip {
  /// Returns bytes in the format gzip; nil if there is no memory for that.
  static func compressed(_ bytes: [UInt8], level: Int32 = 9) -> [UInt8]? {
    var stream = z_stream()
    // 15 bits of window, and 16 for the header of gzip.
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    let isComplete = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        return deflate(&stream, Z_FINISH) == Z_STREAM_END
      }
    }
    return isComplete ? Array(output.prefix(Int(stream.total_out))) : nil
  }
}

extension HTTPExchange {
  /// Whether the browser accepts responses in the format gzip.
  var acceptsGzip: Bool {
    header("accept-encoding")?.split(separator: ",").contains { $0.drop { $0 == " " }.prefix { $0 != ";" } == "gzip" }
      ?? false
  }

  /// Responds with JSON, compressed if that is worth it: a list of a hundred tracks takes a tenth then. The compression
  /// of longer responses than pages ask for would make others wait.
  func respond(json bytes: [UInt8]) {
    guard (1_024...256 << 10).contains(bytes.count), acceptsGzip, let compressed = Gzip.compressed(bytes, level: 5)
    else {
      return respond(.json(bytes))
    }
    respond(.json(compressed, encoding: ("Content-Encoding", "gzip")))
  }
}
